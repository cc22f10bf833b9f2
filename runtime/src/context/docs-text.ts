/** Extracts the text of a document. Runs in a worker for formats that may take long or never end. */
import { basename, extname } from 'node:path'
import { unifyRadicals } from '../base/cjk.ts'

export type DocKind = 'markdown' | 'html' | 'pdf' | 'text'

export interface DocContent {
  title: string
  lines: string[]
  /** Start of a named part: line counted from 0, heading level from 1. */
  marks: Mark[]
}

export interface Mark {
  line: number
  level: number
  heading: string
}

const KINDS: Readonly<Record<string, DocKind>> = {
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.pdf': 'pdf',
}
/** Longer lines are split: a line that fills a whole answer could not be read to its end. */
const MAX_LINE = 1_000
const MAX_TITLE = 200

export function kindOf(path: string): DocKind {
  return KINDS[extname(path).toLowerCase()] ?? 'text'
}

/** Undefined: no text. */
export async function readContent(bytes: Uint8Array, path: string): Promise<DocContent | undefined> {
  const kind = kindOf(path)
  if (kind === 'pdf') return readPdf(bytes, path)
  const text = decode(bytes)
  if (text === undefined) return undefined
  return kind === 'html' ? readHtml(text, path) : readPlain(text, path)
}

export function readPlain(text: string, path: string): DocContent {
  const lines = linesOf(text)
  if (kindOf(path) !== 'markdown') return { title: basename(path), lines, marks: [] }
  const marks = headingsIn(lines)
  return { title: titleAbove(lines) ?? titleFrom(marks, path), lines, marks }
}

/** From the front matter. */
function titleAbove(lines: readonly string[]): string | undefined {
  const given = lines.slice(1, frontMatter(lines)).find((line) => /^title:\s*\S/.test(line))
  return given
    ?.replace(/^title:\s*(["']?)(.*?)\1\s*$/, '$2')
    .slice(0, MAX_TITLE)
    .toWellFormed()
}

/** Where the text starts. */
function frontMatter(lines: readonly string[]): number {
  return lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
}

/** Declared character sets are ignored: the text is UTF-8, has a byte order mark, or is Chinese. */
export function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return clean(new TextDecoder('utf-16le').decode(bytes))
  if (first === 0xfe && second === 0xff) return clean(new TextDecoder('utf-16be').decode(bytes))
  if (bytes.includes(0)) return undefined
  return (strictly('utf-8', bytes) ?? chinese(bytes) ?? new TextDecoder().decode(bytes)).toWellFormed()
}

function strictly(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Almost any bytes decode as GB 18030; it is accepted only when the result is mostly Chinese. */
function chinese(bytes: Uint8Array): string | undefined {
  const text = strictly('gb18030', bytes)
  const strange = text?.match(/[^\x00-\x7f]/gu)?.length ?? 0
  const han = text?.match(/[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0
  return han > strange * 0.9 && han * 10 > bytes.length ? text : undefined
}

/** Characters that neither database can store. */
function clean(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed()
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line) => (line.length <= MAX_LINE ? [line] : fold(line)))
}

/** At the last white space or full stop that fits; inside a word only when there is none. */
function fold(line: string): string[] {
  const parts: string[] = []
  let rest = line
  while (rest.length > MAX_LINE) {
    const stop = /^.*[\s。！？；，]/su.exec(rest.slice(0, MAX_LINE))?.[0].length ?? 0
    let end = stop > MAX_LINE / 2 ? stop : MAX_LINE
    if (!rest.slice(0, end).isWellFormed()) end--
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

const ATX = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/
const FENCE = /^\s*(```|~~~)/

function headingsIn(lines: readonly string[]): Mark[] {
  const marks: Mark[] = []
  let fence: string | undefined
  const start = frontMatter(lines)
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const opened = FENCE.exec(line)?.[1]
    if (opened !== undefined && (fence === undefined || fence === opened))
      fence = fence === undefined ? opened : undefined
    if (fence !== undefined) continue
    const [, hashes, heading = ''] = ATX.exec(line) ?? []
    if (hashes !== undefined) marks.push({ line: at, level: hashes.length, heading: plain(heading) })
    else if (/^(?:=+|-{3,})\s*$/.test(line) && isAlone(lines, at - 1, start)) {
      marks.push({ line: at - 1, level: line.startsWith('=') ? 1 : 2, heading: plain(lines[at - 1] ?? '') })
    }
  }
  return marks
}

/** A line of words after a blank line: underlined it is a heading, not a table, a list or a rule. */
function isAlone(lines: readonly string[], at: number, start: number): boolean {
  const line = lines[at]?.trim() ?? ''
  return at >= start && /^[\p{L}\p{N}"'“(`[]/u.test(line) && (at === start || lines[at - 1]?.trim() === '')
}

/** Without markup: links by their text, no emphasis. */
function plain(heading: string): string {
  const words = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`]{1,3}(\S.*?)[*_`]{1,3}/g, '$1')
  return words.trim().slice(0, MAX_TITLE).toWellFormed()
}

function titleFrom(marks: readonly Mark[], path: string): string {
  return marks.find(({ level, heading }) => level === 1 && heading !== '')?.heading ?? basename(path)
}

const DROPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'SVG', 'IFRAME', 'OBJECT', 'HEAD'])
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BODY|CAPTION|DD|DETAILS|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|HTML|LI|MAIN|NAV|OL|P|PRE|SECTION|SUMMARY|TABLE|TBODY|TFOOT|THEAD|TR|UL)$/

const PARAGRAPHS = /^(?:BLOCKQUOTE|DL|H[1-6]|OL|P|PRE|TABLE|UL)$/

interface HtmlNode {
  nodeType: number
  nodeName: string
  textContent: string | null
  childNodes: Iterable<HtmlNode>
  hasAttribute?(name: string): boolean
}

async function readHtml(text: string, path: string): Promise<DocContent> {
  const { parseHTML } = await import('linkedom')
  // Without a root element the parser returns an empty document.
  const { document } = parseHTML(/<html[\s>]/i.test(text) ? text : `<html><body>${text}</body></html>`)
  const lines: string[] = ['']
  const marks: Mark[] = []
  const breakLine = () => {
    if (lines.at(-1) !== '') lines.push('')
  }
  const say = (words: string) => {
    const line = lines.at(-1) ?? ''
    lines[lines.length - 1] = `${line}${line === '' || line.endsWith(' ') ? words.trimStart() : words}`
  }
  const visit = (node: HtmlNode, isPre: boolean) => {
    if (node.nodeType === 3) {
      const words = clean(node.textContent ?? '')
      if (!isPre) return say(words.replace(/\s+/g, ' '))
      for (const [i, line] of words.split(/\r?\n/).entries()) {
        if (i > 0) lines.push('')
        lines[lines.length - 1] += line
      }
      return
    }
    const name = node.nodeName.toUpperCase()
    if (node.nodeType !== 1 || DROPPED.has(name) || node.hasAttribute?.('hidden') === true) return
    if (name === 'BR') return void lines.push('')
    const isBlock = BLOCKS.test(name)
    if (isBlock) breakLine()
    const begun = lines.length - 1
    if (name === 'LI') say('- ')
    for (const child of node.childNodes) visit(child, isPre || name === 'PRE')
    if (name === 'TD' || name === 'TH') say(' ')
    if (isBlock) breakLine()
    if (PARAGRAPHS.test(name) && lines.length > 1 && lines.at(-2) !== '') lines.push('')
    const level = /^H([1-6])$/.exec(name)?.[1]
    const heading = lines.slice(begun).join(' ').trim()
    if (level !== undefined && heading !== '') {
      marks.push({ line: begun, level: Number(level), heading: heading.slice(0, MAX_TITLE).toWellFormed() })
    }
  }
  visit(document.documentElement as unknown as HtmlNode, false)
  const trimmed = lines.map((line) => line.trimEnd())
  while (trimmed.at(-1) === '') trimmed.pop()
  const title = clean(document.querySelector('title')?.textContent ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return { title: title.slice(0, MAX_TITLE) || titleFrom(marks, path), ...refold(trimmed, marks) }
}

async function readPdf(bytes: Uint8Array, path: string): Promise<DocContent> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  try {
    const { text: pages } = await extractText(pdf, { mergePages: false })
    const meta = await getMeta(pdf).catch(() => undefined)
    const named: unknown = meta?.info?.Title
    const lines: string[] = []
    const marks: Mark[] = []
    for (const [i, page] of pages.entries()) {
      marks.push({ line: lines.length, level: 2, heading: `p. ${i + 1}` })
      lines.push(...unifyRadicals(clean(page)).trim().split(/\r?\n/))
    }
    const title = typeof named === 'string' ? unifyRadicals(clean(named)).trim().slice(0, MAX_TITLE) : ''
    return { title: title || basename(path), ...refold(lines, marks) }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** The text of each page of a PDF. */
export async function readPages(bytes: Uint8Array): Promise<string[]> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  try {
    const { text } = await extractText(pdf, { mergePages: false })
    return text.map((page) => unifyRadicals(clean(page)))
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Splits long lines and adjusts the marks. */
function refold(lines: readonly string[], marks: readonly Mark[]): Pick<DocContent, 'lines' | 'marks'> {
  const at: number[] = []
  const folded: string[] = []
  for (const line of lines) {
    at.push(folded.length)
    folded.push(...(line.length <= MAX_LINE ? [line] : fold(line)))
  }
  return { lines: folded, marks: marks.map((mark) => ({ ...mark, line: at[mark.line] ?? 0 })) }
}
