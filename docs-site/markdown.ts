/** A page of Markdown as HTML, with its headings and its texts for the search index. */
import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  depth: number
  id: string
  text: string
}

/** What a search result leads to: a part of a page below a heading, or a row of a reference table. */
export interface Part {
  id: string
  title: string
  text: string
}

export interface Rendered {
  html: string
  headings: Heading[]
  parts: Part[]
  /** Everything a link can lead to. */
  ids: Set<string>
}

export interface Surroundings {
  /** The address for a link of the page; undefined leaves its text alone. */
  linkTo(target: string): string | undefined
  /** A picture to put into the page, or an address to load it from. */
  picture(target: string): { svg: string } | { src: string } | undefined
  /** Rows of its tables that begin with code can be linked to. */
  isReference: boolean
  tableLabel: string
  codeLabel: string
}

function tokensOf(markdown: string): Token[] {
  return new Marked({ gfm: true }).lexer(markdown)
}

export function render(markdown: string, around: Surroundings): Rendered {
  const tokens = tokensOf(markdown)
  const { headings, parts, ids } = partsOf(tokens, around.isReference)
  const next = headings.values()
  const rows = new Set<string>()
  const { codeLabel, tableLabel } = around

  const marked = new Marked({
    renderer: {
      heading({ tokens: words, depth }) {
        const id = next.next().value?.id ?? ''
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${escapeHtml(id)}" aria-hidden="true" tabindex="-1">#</a>`
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(words)}${link}</h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const [name = ''] = lang.split(/\s/, 1)
        const label = escapeHtml(name === '' ? codeLabel : `${codeLabel}: ${name}`)
        const body = coloured(text, name)
        return `<div class="code" data-lang="${escapeHtml(name)}"><pre tabindex="0" role="region" aria-label="${label}"><code>${body}</code></pre></div>\n`
      },
      table({ header, rows: lines }) {
        const cell = (tag: string) => (each: Tokens.TableCell) =>
          `<${tag}${each.align === null ? '' : ` class="to-${each.align}"`}>${this.parser.parseInline(each.tokens)}</${tag}>`
        const body = lines.map((line) => {
          const id = around.isReference ? rowId(line) : undefined
          const isFirst = id !== undefined && !rows.has(id)
          if (isFirst) rows.add(id)
          return `<tr${isFirst ? ` id="${escapeHtml(id)}"` : ''}>${line.map(cell('td')).join('')}</tr>`
        })
        const isHeaded = header.some((each) => each.text !== '')
        const head = isHeaded ? `<thead><tr>${header.map(cell('th')).join('')}</tr></thead>` : ''
        return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(tableLabel)}"><table>${head}<tbody>${body.join('\n')}</tbody></table></div>\n`
      },
      // Long keys may break at their dots.
      codespan({ text }) {
        const safe = escapeHtml(text)
        return `<code>${/^\w+(?:\.\w+){2,}$/.test(text) ? safe.replaceAll('.', '.<wbr>') : safe}</code>`
      },
      link({ href, tokens: words }) {
        const inside = this.parser.parseInline(words)
        const to = around.linkTo(href)
        return to === undefined ? inside : `<a href="${escapeHtml(to)}">${inside}</a>`
      },
      image({ href, text }) {
        const found = around.picture(href)
        if (found === undefined) return escapeHtml(text)
        if ('svg' in found) return `<figure>${found.svg}</figure>`
        return `<img src="${escapeHtml(found.src)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      // The security page quotes attacks: no tag of a page takes effect but a line break.
      html({ text }) {
        if (/^\s*<!--/.test(text)) return ''
        return /^<br\s*\/?>$/.test(text.trim()) ? '<br>' : escapeHtml(text)
      },
    },
  })
  return { html: marked.parser(tokens), headings, parts, ids }
}

function partsOf(tokens: readonly Token[], isReference: boolean): Omit<Rendered, 'html'> {
  const headings: Heading[] = []
  const ids = new Set<string>()
  const open: { id: string; title: string; texts: string[] }[] = [{ id: '', title: '', texts: [] }]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText([token]).trim()
      const id = freeId(slugOf(text), ids)
      ids.add(id)
      headings.push({ depth: (token as Tokens.Heading).depth, id, text })
      open.push({ id, title: text, texts: [] })
      continue
    }
    const here = open.at(-1)
    if (token.type === 'table' && isReference) {
      for (const row of (token as Tokens.Table).rows) {
        const id = rowId(row)
        const text = plainText(row.slice(id === undefined ? 0 : 1).flatMap((cell) => [...cell.tokens, SPACE]))
        if (id === undefined || ids.has(id)) here?.texts.push(text)
        else open.splice(-1, 0, { id, title: id, texts: [text] })
        if (id !== undefined) ids.add(id)
      }
    } else here?.texts.push(plainText([token]))
  }
  const parts = open.map(({ id, title, texts }) => ({ id, title, text: texts.join(' ').replace(/\s+/g, ' ').trim() }))
  return { headings, ids, parts: parts.filter(({ title, text }) => title !== '' || text !== '') }
}

const SPACE = { type: 'space', raw: ' ' } as Token

/** The code in its first cell. */
function rowId([first]: readonly Tokens.TableCell[]): string | undefined {
  const [token, more] = first?.tokens ?? []
  return token?.type === 'codespan' && more === undefined
    ? (token as Tokens.Codespan).text.replaceAll(' ', '-')
    : undefined
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'html' || token.type === 'image') return ' '
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows]
          .flat()
          .map((cell) => plainText(cell.tokens))
          .join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      const { tokens: inner, text, type } = token as Tokens.Generic
      if (inner !== undefined && inner.length > 0)
        return plainText(inner) + (type === 'paragraph' || type === 'text' ? ' ' : '')
      return text ?? ' '
    })
    .join('')
}

/** As GitHub makes it, so that a link works there and here. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

function freeId(slug: string, taken: ReadonlySet<string>): string {
  let id = slug
  for (let i = 1; taken.has(id); i++) id = `${slug}-${i}`
  return id
}

const COMMENTS: Readonly<Record<string, RegExp>> = {
  hash: /(^|\s)(#.*)$/gm,
  slashes: /(^|\s)(\/\/.*)$/gm,
}
const COMMENT_OF: Readonly<Record<string, keyof typeof COMMENTS>> = {
  sh: 'hash',
  bash: 'hash',
  yaml: 'hash',
  toml: 'hash',
  ts: 'slashes',
  js: 'slashes',
  json: 'slashes',
  jsonc: 'slashes',
}

/** Comments only: colours for everything would need a parser for each language. */
function coloured(text: string, lang: string): string {
  const comment = COMMENTS[COMMENT_OF[lang] ?? '']
  const safe = escapeHtml(text)
  return comment === undefined ? safe : safe.replace(comment, '$1<span class="c">$2</span>')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
