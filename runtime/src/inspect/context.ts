/** Where a clause is: in a hidden comment, in code, in a table it does not belong to. */

export type Carrier = 'prose' | 'mail' | 'table' | 'json' | 'html' | 'code' | 'typed'

/** Kinds of text in which people instruct each other, or programs report. */
export type Scene = 'talk' | 'contract' | 'log'

export interface Region {
  start: number
  end: number
  /** In the middle of a sentence. */
  inline?: true
}

export interface OutOfPlaceLine {
  start: number
  /** A request or a question that could be put to a chatbot. */
  asks: 'plainly' | 'maybe' | 'no'
}

export interface Survey {
  carrier: Carrier
  scene: Scene | undefined
  /** In order of their starts. */
  hidden: Region[]
  code: Region[]
  /** Lines after ">". */
  cited: Region[]
  length: number
  /** The end of its last word. */
  end: number
  lines: number
  /** Blank lines beyond one in a row, and the end of the longest run. */
  blank: { count: number; run: number; at: number }
  /** The lines that are sentences among the rows of a table, or outside the frame of a mail. */
  outOfPlace: Map<number, OutOfPlaceLine>
}

const HIDDEN_STYLE =
  /<(?!input|img|link|meta)(\w{1,12})\b[^<>]{0,200}?(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|font-size\s{0,2}:\s{0,2}0|opacity\s{0,2}:\s{0,2}0(?![.\d])|[ ";]color\s{0,2}:\s{0,2}(?:#fff\b|#ffffff|white|transparent)|left\s{0,2}:\s{0,2}-\d{3}|text-indent\s{0,2}:\s{0,2}-\d{3}|aria-hidden\s{0,2}=\s{0,2}.?true|\shidden\b)[^<>]{0,200}>/g
const MAIL_HEAD =
  /^(?:ticket|requester|reporter|reported by|工单|提交人)\b|^(?:from|subject|to|date|发件人|收件人|主题|email_from|de|von|da|od|van|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|konu|gonderen|от|от кого|тема|件名|差出人|제목|보낸 사람|الموضوع|من|विषय|tieu de|chu de|subjek|perihal)\s{0,3}:|^(?:hi|hello|dear|hey) [\w .]{1,30},|^(?:hallo|hoi|bonjour|salut|hola|ciao|ola|czesc|dzien dobry|привет|здравствуйте|добрый день|merhaba|مرحبا|नमस्ते|chao|halo|안녕하세요|お世話に)(?: [^\s,!:]{1,20}){0,2}\s?[,!:،]|^[^\s,]{1,8}(?:さん|様|님)[、,]|^(?:dear (?:all|team|sir|madam|colleagues)|colleagues|all),|^(?:尊敬的|您好|亲爱的|各位|大家好)/m
/** The log of a repository has authors and dates, too. */
const COMMITS = /^commit [0-9a-f]{40}/m
const CODE_LINE =
  /^\s*(?:import |from \w+ import|const |let |var |function |def |class |return |if \(|for \(|public |private |#include|export |\}|\/\/|\/\*|\* |package |using |async |@\w+|try|else|end$|[\w.-]+\s?=\s?\S|\[[\w.-]+\]$)|[;{}]\s*$|^\s*[\w.]+\(.*\)\s*$/
const MAIL_FIELD = /^[\w -]{2,20}:|\|[\w ]+:|^(?:发件人|主题|收件人)/
/** How requests to a chatbot begin. */
const MAKES =
  /^(?:explain|describe|write|translate|compose|draft|summari[sz]e|generate|define|compare|provide|develop|convert|solve|calculate|outline|discuss|break down|how do you say|讲|写一|解释|翻译|列出)/
const ASKS = new RegExp(
  `${MAKES.source}|^(?:what|who|how|why|when|where|which|什么|谁|如何|怎|为什么|哪)[^\\n]{0,200}[?？]\\s*$`,
)
const ORDERS =
  /^(?:please |请)?(?:in your|replace|use|add|include|modify|insert|say|reply|respond|send|delete|open|make|list|create|give|tell|show|suggest|recommend|identify|analy[sz]e|imagine|help|find|plan|design|classify|name|rewrite|can you|could you|ignore|do not|don't)\b/
/** A text to a person says you, me, this; a request to a chatbot need not. */
const PERSONAL =
  /\b(?:you|your|yours|we|our|us|i|i'm|i'll|me|my|it|its|this|that|these|they|he|she|here|attached|today|tomorrow|next|please|below|above|online|now|more|app|account|subscription)\b|[我你您咱]/
const SAMPLE = 60
const REACH = 4000

export function survey(text: string, tool?: string): Survey {
  const lines = lineStarts(text)
  const carrier = tool === 'message' ? 'typed' : carrierOf(text, lines)
  const code = [...codeRegions(text), ...(carrier === 'code' ? [] : literals(text))].sort(byStart)
  return {
    carrier,
    scene: sceneOf(text, lines),
    hidden: unquoted(hiddenRegions(text).sort(byStart), code),
    code,
    cited: citedLines(text, lines),
    length: text.length,
    end: text.trimEnd().length,
    lines: lines.length,
    blank: blankLines(text, lines),
    outOfPlace: carrier === 'table' || carrier === 'mail' ? outOfPlaceLines(text, lines, carrier) : new Map(),
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(text: string, lines: readonly number[], n: number): string {
  const start = lines[n] ?? text.length
  return text.slice(start, Math.min((lines[n + 1] ?? text.length + 1) - 1, start + 400))
}

const TESTS = /\b(?:test|it|describe)(?:\.each)?\([^\n]{0,300}\bexpect\(|\bassert\w{0,12}\([^\n]{0,80}["']/
/** A text with thanks and a signature is a letter with a request. */
const SIGNED =
  /\b(?:thanks|thank you|cheers|regards|best wishes|gracias|merci|danke|gru[sß]e?n?|grazie|obrigad[oa]|bedankt|groet(?:en|jes)?|dziekuj\w{1,3}|pozdrawiam|tesekkur\w{0,8}|terima kasih|cam on|saludos|cordialement|saluti)\b|спасибо|с уважением|谢谢|感谢|此致|ありがとう|よろしく|감사|شكرا|धन्यवाद/

function carrierOf(text: string, lines: readonly number[]): Carrier {
  const head = text.slice(0, 600)
  const first = head.trimStart().charAt(0)
  const some = Math.min(lines.length, SAMPLE)
  let rows = 0
  let code = 0
  let filled = 0
  for (let n = 0; n < some; n++) {
    const line = lineAt(text, lines, n)
    if (line.trim() === '') continue
    filled++
    if (isRow(line)) rows++
    else if (CODE_LINE.test(line)) code++
  }
  if (head.startsWith('#!') || TESTS.test(head)) return 'code'
  if (rows >= 2 && rows >= filled * 0.5) return 'table'
  if (/<(?:html|body|!doctype|div|p|span|table|li|h\d)\b/.test(head)) return 'html'
  if ((first === '{' || first === '[') && /^\s*[[{]\s*(?:["'{[\]}]|-?\d)/.test(head)) return 'json'
  if (COMMITS.test(head)) return 'prose'
  if (isRecords(text, lines)) return 'json'
  if (MAIL_HEAD.test(head) || /\|\s*(?:email_from|received date|content)\s*:/.test(head)) return 'mail'
  if (SIGNED.test(text.slice(-80).toLowerCase())) return 'mail'
  return filled >= 3 && code >= filled * 0.4 ? 'code' : 'prose'
}

const TIMED =
  /^\W{0,2}(?:\w{3,8}\s{0,2}\]\s)?\[?(?:\d{4}-)?\d{2}-\d{2}[t ]\d{2}:\d{2}|^[a-z]{3} {1,2}\d{1,2} \d{2}:\d{2}:\d{2}|^\d{2}:\d{2}:\d{2}/
const SPEAKS = /^(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s{0,2})?(\p{L}[\p{L}\d_. -]{0,20}?)\s?[:：]/u
const ARTICLE =
  /(?:^|[\s.;])\d{1,2}\.\d{1,2}\.?\s(?:the|all|any|each|upon|no|if|in|neither|either)\b|第[一二三四五六七八九十\d]{1,3}条/g

function sceneOf(text: string, lines: readonly number[]): Scene | undefined {
  const articles = text.slice(0, REACH).match(ARTICLE) ?? []
  if (articles.length >= 3) return 'contract'
  const speakers: string[] = []
  let filled = 0
  let timed = 0
  for (let n = 0; n < Math.min(lines.length, SAMPLE); n++) {
    const line = lineAt(text, lines, n)
    if (line.trim() === '') continue
    filled++
    if (TIMED.test(line)) timed++
    const speaker = SPEAKS.exec(line)?.[1]
    if (speaker !== undefined) speakers.push(speaker)
  }
  if (timed >= 3 && timed >= filled * 0.7) return 'log'
  const voices = new Set(speakers).size
  const talk = speakers.length >= 4 && speakers.length >= filled * 0.6 && voices >= 2 && speakers.length >= voices * 1.3
  return talk ? 'talk' : undefined
}

/** Lines of values with the same number of separators. */
function isRecords(text: string, lines: readonly number[]): boolean {
  if (lines.length < 3) return false
  for (const separator of [',', ';', '\t']) {
    const count = (n: number) =>
      lineAt(text, lines, n)
        .replace(/"[^"]*"/g, '')
        .split(separator).length - 1
    const fields = count(0)
    if (fields >= 2 && [1, 2, lines.length > 3 ? 3 : 1].every((n) => count(n) === fields)) return true
  }
  return false
}

function isRow(line: string): boolean {
  return /^\s*\|.*\|/.test(line)
}

/** A row of a table is never a sentence; the frame of a mail is its header and its sign-off. */
function outOfPlaceLines(
  text: string,
  lines: readonly number[],
  carrier: 'table' | 'mail',
): Map<number, OutOfPlaceLine> {
  const filled = lines.map((_, n) => n).filter((n) => lineAt(text, lines, n).trim() !== '')
  const [top = 0] = filled
  const last = filled.at(-1) ?? 0
  const outside =
    carrier === 'table'
      ? filled.filter((n) => !isRow(lineAt(text, lines, n)))
      : filled.filter((n) => !MAIL_FIELD.test(lineAt(text, lines, n)))
  if ((carrier === 'table' && outside.length > 3) || filled.length < 2) return new Map()
  return new Map(
    outside.map((n) => {
      const line = lineAt(text, lines, n).trim()
      const sure = carrier === 'table' || n === top || (!PERSONAL.test(line) && line.length < 200)
      const framed = carrier === 'table' || n === top
      const asks =
        (framed && ORDERS.test(line)) || ASKS.test(line) ? (sure ? 'plainly' : n === last ? 'maybe' : 'no') : 'no'
      return [n, { start: lines[n] ?? 0, asks }]
    }),
  )
}

const TESTED =
  /\b(?:expected|actual|observed|verdict|label)\b.{0,600}\b(?:refuse[sd]?|blocked|rejected|flagged|denied|asks? before|asks? the user)\b|(?:预期|期望|实际|标签).{0,300}(?:拒绝|拦截|注入|询问|误报)/s

/** Test data and bug reports of a model: they contain what it is to withstand. */
export function isTestOfModel(text: string): boolean {
  return TESTED.test(text.slice(0, REACH))
}

function closing(text: string, start: number, tag: string): number {
  const close = text.slice(start, start + REACH).indexOf(tag)
  return close < 0 ? Math.min(start + REACH, text.length) : start + close
}

/** A comment between backticks is shown. */
function unquoted(hidden: readonly Region[], code: readonly Region[]): Region[] {
  let next = 0
  return hidden.filter(({ start }) => {
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    return (code[next]?.start ?? Number.POSITIVE_INFINITY) > start
  })
}

function byStart(a: Region, b: Region): number {
  return a.start - b.start
}

function blankLines(text: string, lines: readonly number[]): Survey['blank'] {
  const blank = { count: 0, run: 0, at: 0 }
  let run = 0
  for (let n = 0; n < lines.length; n++) {
    const start = lines[n] ?? 0
    const end = (lines[n + 1] ?? text.length + 1) - 1
    if (isBlank(text, start, end)) {
      if (run++ > 0) blank.count++
      continue
    }
    if (run > blank.run) Object.assign(blank, { run, at: start })
    run = 0
  }
  return blank
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9 && code !== 13 && code !== 0xa0) return false
  }
  return true
}

function hiddenRegions(text: string): Region[] {
  const regions: Region[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('<!--', from)
    if (start < 0) break
    const close = text.indexOf('-->', start)
    const end = close < 0 ? text.length : close
    regions.push({ start, end })
    from = end + 1
  }
  // "[//]: # (…)" is invisible in rendered Markdown.
  if (text.includes('[//]:'))
    for (const match of text.matchAll(/^\[\/\/\]:[^\n]{0,2000}$/gm)) {
      regions.push({ start: match.index, end: match.index + match[0].length })
    }
  // Most texts have no such tag, and looking for the words takes longer.
  if (text.search(HIDDEN_STYLE) >= 0 && (text.includes('style') || text.includes('hidden'))) {
    for (const match of text.matchAll(HIDDEN_STYLE)) {
      const start = match.index + match[0].length
      if (start < (regions.at(-1)?.end ?? 0)) continue
      regions.push({ start, end: closing(text, start, `</${match[1] ?? ''}`) })
    }
  }
  return regions
}

function citedLines(text: string, lines: readonly number[]): Region[] {
  if (!lines.some((start) => text.charCodeAt(start) === CITES)) return []
  return [...text.matchAll(/\n>[^\n]{0,2000}/g)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }))
}

function codeRegions(text: string): Region[] {
  const regions: Region[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('```', from)
    if (start < 0) break
    const close = text.indexOf('```', start + 3)
    const end = close < 0 ? text.length : close + 3
    regions.push({ start, end })
    from = end
  }
  if (text.includes('<pre') || text.includes('<code') || text.includes('<samp') || text.includes('<kbd'))
    for (const match of text.matchAll(/<(pre|code|samp|kbd)\b[^<>]{0,200}>/g)) {
      if (match.index < (regions.at(-1)?.end ?? 0)) continue
      regions.push({ start: match.index, end: closing(text, match.index, `</${match[1] ?? ''}`) })
    }
  inlineCode(text, regions)
  return regions
}

function literals(text: string): Region[] {
  const regions: Region[] = []
  for (const [signs, pattern] of LITERALS) {
    if (!signs.some((sign) => text.includes(sign))) continue
    for (const { index, 0: literal } of text.matchAll(pattern)) {
      regions.push({ start: index, end: index + literal.length })
    }
  }
  return regions
}

/** What shows literals at once, and how to find all of them: lists of strings, on lines or in one, and messages to a model. */
const LITERALS: readonly [signs: readonly string[], pattern: RegExp][] = [
  [
    ['",\n', '"),\n', '"\n'],
    /(?:\n[ \t]{0,40}[[({]{0,2}"[^"\n]{1,200}"(?:, ?\w{1,12})?[\])}]{0,2},?[ \t]{0,4}(?=\n|$)){2,200}/g,
  ],
  [['= ["', '=["', '= ("', "= ['"], /= ?[[({](?:["'][^"'\n]{1,120}["'](?:, ?)?){2,40}[\])}]/g],
  [['"role": "'], /\{?[ \t]{0,4}"role": "(?:system|user|assistant)",[^\n]{0,2000}/g],
]

const INLINE = 200
const CITES = '>'.charCodeAt(0)

/** `so` */
function inlineCode(text: string, regions: Region[]): void {
  let start = text.indexOf('`')
  while (start >= 0) {
    const close = text.indexOf('`', start + 1)
    if (close < 0) return
    const size = close - start - 1
    const isCode = size > 0 && size <= INLINE && !text.slice(start, close).includes('\n')
    if (isCode) regions.push({ start, end: close + 1, inline: true })
    start = isCode ? text.indexOf('`', close + 1) : close
  }
}
