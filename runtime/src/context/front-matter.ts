/** Front matter of a SKILL.md: the subset of YAML that skills use. Everything else is rejected. */
import type { FrontMatterProblem } from './texts.ts'

/** Undefined: a nested map, such as `metadata`, which is skipped. */
export type Fields = ReadonlyMap<string, string | string[] | undefined>

export type FrontMatter = { fields: Fields; body: string } | { problem: FrontMatterProblem; line: number }

const PAIR = /^([A-Za-z][\w-]*):(?:\s(.*))?$/s
/** Normal front matter is far smaller; parsing more could take minutes. */
const MAX_HEAD = 16 * 1024
const BLOCK = /^([>|])[+-]?$/

class Malformed extends Error {
  readonly problem: FrontMatterProblem
  constructor(problem: FrontMatterProblem) {
    super(problem)
    this.problem = problem
  }
}

export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return { problem: 'missing', line: 1 }
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---')
  if (end < 0) return { problem: 'unclosed', line: lines.length }
  if (lines.slice(0, end).join('\n').length > MAX_HEAD) return { problem: 'too-long', line: end + 1 }

  const fields = new Map<string, string | string[] | undefined>()
  let at = 1
  try {
    while (at < end) {
      const line = (lines[at] ?? '').trimEnd()
      if (line === '' || line.startsWith('#')) {
        at++
        continue
      }
      const [, key, value = ''] = PAIR.exec(line) ?? []
      if (key === undefined) throw new Malformed('not-a-pair')
      if (fields.has(key)) throw new Malformed('repeated')
      const below = linesBelow(lines.slice(at + 1, end))
      fields.set(key, parseValue(value.trim(), below))
      at += 1 + below.length
    }
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.problem, line: at + 1 }
    throw error
  }
  const body = lines.slice(end + 1).join('\n')
  return { fields, body: body.trim() }
}

/** Lines that belong to the pair above: indented lines, list items, and blank lines between them. */
function linesBelow(rest: readonly string[]): string[] {
  const next = rest.findIndex((line) => line.trim() !== '' && !/^(?:\s|-\s|-$)/.test(line))
  return rest.slice(0, next < 0 ? rest.length : next)
}

function parseValue(value: string, below: readonly string[]): string | string[] | undefined {
  const block = BLOCK.exec(value)
  if (block !== null) return block[1] === '|' ? stripIndent(below) : foldLines(below)
  const content = below.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (value !== '' && !value.startsWith('#')) return parseInline(foldLines([value, ...content]))
  if (content.length === 0) return ''
  if (!/^-(?:\s|$)/.test(content[0] ?? '')) return undefined
  return content.map((item) => {
    if (!/^-(?:\s|$)/.test(item)) throw new Malformed('not-a-pair')
    return parseScalar(foldLines([item.slice(1)]))
  })
}

function parseInline(value: string): string | string[] {
  if (!value.startsWith('[')) return parseScalar(value)
  const inner = /^\[([^[\]]*)\](?:\s+#.*)?$/.exec(value)?.[1]
  if (inner === undefined) throw new Malformed('quotes')
  const items = inner.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s][^,]*/g) ?? []
  return items.map((item) => parseScalar(item.trim())).filter((item) => item !== '')
}

function parseScalar(value: string): string {
  if (/^[&*!{]/.test(value)) throw new Malformed('unsupported')
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')(?:\s+#.*)?$/.exec(value)
  if (quoted?.[2] !== undefined) return quoted[2].replaceAll("''", "'")
  if (quoted?.[1] !== undefined) return unquote(quoted[1])
  if (/^["']/.test(value)) throw new Malformed('quotes')
  return value.replace(/\s+#.*$/, '')
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw new Malformed('quotes')
  }
}

function foldLines(lines: readonly string[]): string {
  return lines.join(' ').replace(/\s+/g, ' ').trim()
}

function stripIndent(lines: readonly string[]): string {
  const flush = lines.map((line) => line.trim())
  return flush.join('\n').trim()
}
