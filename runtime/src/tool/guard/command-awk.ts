/**
 * Programs for awk. Only those that are certainly understood count as reading: where a slash could both divide and
 * start a pattern, or a word is not known here, the program is code.
 */
import type { CommandClass } from '../../protocol/command.ts'
import { readOptions } from './option-list.ts'

const MAX_CODE = 4000
/** `-f` and `-e` are judged apart: their code is in a file, or put together from parts. */
const OPTIONS = 'F:v: --field-separator= --assign='
const KEYWORDS = new Set(
  'BEGIN END if else while for do in print printf next nextfile exit break continue return delete function'.split(' '),
)
const FUNCTIONS = new Set(
  'length substr index split gsub sub gensub match toupper tolower sprintf int sqrt exp log sin cos atan2 rand srand strftime systime mktime asort asorti'.split(
    ' ',
  ),
)
/** They run programs, read or write files, or show the environment. */
const REACHING = /^(system|getline|close|fflush|func|ENVIRON|ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB)$/
/** Brackets with a slash, a quote or a backslash inside are not the same in every awk. */
const BRACKET = String.raw`\[\^?(?:\[:\w+:\]|[^\]\\/\n"[])+\]`
const TOKEN = new RegExp(
  [
    String.raw`(?<space>[ \t]+|#[^\n]*)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\[^\n])*")`,
    String.raw`(?<word>[A-Za-z_]\w*)`,
    String.raw`(?<number>\d+(?:\.\d*)?|\.\d+)`,
    String.raw`(?<sign>\+\+|--|&&|\|\||[-+*%^=!<>]=|!~|[-+*%^=!<>~?:,;$(){}[\]\n])`,
  ].join('|'),
  'y',
)
const PATTERN = new RegExp(String.raw`/(?:[^/\\\n[]|\\[^\n]|${BRACKET})+/`, 'y')
/** A pattern starts where a value is expected, a division where one has ended. */
const BEFORE_PATTERN = /^(|[(,~;{}\n=?:]|!|!~|&&|\|\|)$/

interface Token {
  text: string
  kind: string
}

/** `read`, or what it may be instead. */
export function awkClass(program: string): CommandClass {
  const tokens = program.length > MAX_CODE ? undefined : tokensOf(program)
  if (tokens !== undefined && isReading(tokens)) return 'read'
  return /system|\||@/.test(program) ? 'run-programs' : 'unknown'
}

/** The program among the arguments of awk; undefined when it is not one plain word, or has other options. */
export function awkProgram(args: readonly string[]): string | undefined {
  const { words, unknown } = readOptions(args, OPTIONS, { leading: true })
  return unknown === undefined ? words[0] : undefined
}

function tokensOf(program: string): Token[] | undefined {
  const tokens: Token[] = []
  /** For every open bracket: whether a division may follow when it closes. */
  const open: boolean[] = []
  let isEnded = false
  for (let at = 0; at < program.length; ) {
    const last = tokens.at(-1) ?? { text: '', kind: 'sign' }
    if (program[at] === '/') {
      const end = isEnded ? at + 1 : patternEnd(program, at, last)
      if (end === undefined) return undefined
      tokens.push({ text: program.slice(at, end), kind: isEnded ? 'sign' : 'pattern' })
      isEnded = false
      at = end
      continue
    }
    TOKEN.lastIndex = at
    const found = TOKEN.exec(program)
    if (found === null) return undefined
    at = TOKEN.lastIndex
    const [kind = '', text = ''] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? []
    if (kind === 'space') continue
    if (text === '(') open.push(divides(last))
    isEnded = text === ')' ? open.pop() === true : kind === 'number' || text === ']' || isName({ text, kind })
    tokens.push({ text, kind })
  }
  return tokens
}

function patternEnd(program: string, at: number, last: Token): number | undefined {
  if (last.kind !== 'sign' || !BEFORE_PATTERN.test(last.text)) return undefined
  PATTERN.lastIndex = at
  return PATTERN.test(program) ? PATTERN.lastIndex : undefined
}

/** After `if (…)` or `print (…)`, a slash may start a pattern. */
function divides({ text, kind }: Token): boolean {
  return kind === 'word' ? FUNCTIONS.has(text) : kind === 'sign' && /^([-+*/%^=<>(,?:$]|[-+*%^=!<>]=)$/.test(text)
}

function isName({ text, kind }: Token): boolean {
  return kind === 'word' && !KEYWORDS.has(text) && !FUNCTIONS.has(text)
}

function isReading(tokens: readonly Token[]): boolean {
  const own = new Set(tokens.filter((_, i) => tokens[i - 1]?.text === 'function').map(({ text }) => text))
  let isPrinting = false
  return tokens.every((token, i) => {
    if (token.kind === 'word') {
      if (REACHING.test(token.text)) return false
      if (/^printf?$/.test(token.text)) isPrinting = true
      return tokens[i + 1]?.text !== '(' || !isName(token) || own.has(token.text)
    }
    if (token.text === ';' || token.text === '}') isPrinting = false
    // `print > "x"` writes; a statement can continue on the next line.
    return !(isPrinting && token.text === '>')
  })
}
