/**
 * Removes the lines with a prompt injection, so that the model can read the rest. Undefined where the finding depends on
 * the whole text, or where too little would be left: then all of it is withheld.
 */
import type { Finding, Inspection } from './inspect.ts'

export interface Cut {
  /** Line by line; a number stands for that many removed lines. */
  rest: (string | number)[]
  withheld: string
  lines: number
}

/** Lines that belong together: a record of a log, the message of a commit, a paragraph that is not long. */
interface Part {
  first: number
  last: number
  /** Its offsets in the text. */
  start: number
  end: number
}

type Inspect = (text: string) => Inspection

/**
 * Rules that look at single lines. What the others found (encodings, hidden characters, text that is out of place) may
 * also be in lines without a finding.
 */
const LOCAL = new Set(
  'override order reading next-call user-line role-line secrecy own-prompt persona verbatim charter machine unbound new-orders obstruct precondition completion spokesman role unchecked threat standing follow chat-template role-tag frame-tag section-mark call-lookalike link-carries-data'.split(
    ' ',
  ),
)
/** How far apart two findings may be and still count as one attempt. */
const TOGETHER = 500
const MOST_ROUNDS = 12
const MOST_WITHHELD = 0.6
/** A line that is a separate record: of a log, a search, a list of commits. */
const RECORD = /^[*|\\/ ]*[0-9a-f]{7,40}\b|^[^\s:]+:\d+[:-]|^\[?\d{4}-\d\d-\d\d[ T]|^\d\d:\d\d/
const COMMIT = /^[*|\\/ ]*commit [0-9a-f]{40}\b/

export function removeInjection(text: string, inspect: Inspect): Cut | undefined {
  const lines = text.split('\n')
  const { parts, isProse } = partsOf(lines)
  const removed = new Set<Part>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const left = parts.filter((part) => !removed.has(part))
    const { verdict, findings } = inspect(left.map((part) => textOf(part, lines)).join('\n'))
    if (findings.some(({ rule }) => !LOCAL.has(rule))) return undefined
    if (verdict === 'pass' || verdict === 'warn') return withoutParts(lines, removed)
    const hit = heaviestAttempt(findings).map((at) => partAt(left, at))
    if (hit.length === 0) return undefined
    for (const part of hit) removed.add(part)
    for (const part of left.filter((one) => hit.some((bad) => isNear(one, bad)))) {
      if (isProse || continuesInjection(part, { hit, lines, inspect })) removed.add(part)
    }
  }
  return undefined
}

/** A part that is harmless by itself may be a request when read after another. */
function continuesInjection(
  part: Part,
  { hit, lines, inspect }: { hit: readonly Part[]; lines: readonly string[]; inspect: Inspect },
): boolean {
  const [before, after] = [hit, [part]].map((parts) =>
    parts.map((one) => textOf(one, lines).replace(RECORD, '').trim()).join('\n'),
  ) as [string, string]
  return (
    inspect(`${before}\n${after}`).findings.some(({ at }) => at > before.length) || inspect(after).findings.length > 0
  )
}

function partsOf(lines: readonly string[]): { parts: Part[]; isProse: boolean } {
  const filled = lines.filter((line) => line.trim() !== '')
  const isLog = lines.some((line) => COMMIT.test(line))
  const isList = filled.filter((line) => RECORD.test(line)).length > 0.6 * filled.length
  const starts = isLog
    ? commitStarts(lines)
    : lines.map((line, i) => (isList ? RECORD.test(line) : isNewParagraph(lines, i)))
  const parts: Part[] = []
  let at = 0
  for (const [i, line] of lines.entries()) {
    const end = at + line.length
    const open = parts.at(-1)
    if (open === undefined || starts[i] === true) parts.push({ first: i, last: i, start: at, end })
    else Object.assign(open, { last: i, end })
    at = end + 1
  }
  const isProse = !isLog && !isList
  return { parts: isProse ? parts.flatMap((part) => splitLong(part, lines)) : parts, isProse }
}

/** A text without blank lines would be one paragraph, and one bad line would withhold all of it. */
function splitLong(part: Part, lines: readonly string[]): Part[] {
  if (part.end - part.start <= TOGETHER) return [part]
  let start = part.start
  return lines.slice(part.first, part.last + 1).map((line, i) => {
    const at = part.first + i
    const one = { first: at, last: at, start, end: start + line.length }
    start = one.end + 1
    return one
  })
}

/** Each commit has two parts: its header, and everything up to the next commit. */
function commitStarts(lines: readonly string[]): boolean[] {
  let inHead = false
  return lines.map((line) => {
    const ends = inHead && line.trim() === ''
    inHead = COMMIT.test(line) || (inHead && !ends)
    return COMMIT.test(line) || ends
  })
}

function isNewParagraph(lines: readonly string[], i: number): boolean {
  return lines[i]?.trim() !== '' && lines[i - 1]?.trim() === ''
}

function textOf({ first, last }: Part, lines: readonly string[]): string {
  return lines.slice(first, last + 1).join('\n')
}

/** The offsets of the heaviest finding and of those near it. */
function heaviestAttempt(findings: readonly Finding[]): number[] {
  const heaviest = findings.toSorted((a, b) => b.weight - a.weight)[0]
  if (heaviest === undefined) return []
  return findings.filter(({ at }) => Math.abs(at - heaviest.at) <= TOGETHER).map(({ at }) => at)
}

/** The part at an offset of the joined remaining parts. */
function partAt(left: readonly Part[], at: number): Part {
  let end = 0
  const found = left.find((part) => {
    end += part.end - part.start + 1
    return at < end
  })
  return found ?? (left.at(-1) as Part)
}

function isNear(one: Part, other: Part): boolean {
  return one.start - other.end <= TOGETHER && other.start - one.end <= TOGETHER
}

function withoutParts(lines: readonly string[], removed: ReadonlySet<Part>): Cut | undefined {
  const isOut = (i: number): boolean => [...removed].some(({ first, last }) => first <= i && i <= last)
  const isBlank = (i: number): boolean => lines[i]?.trim() === ''
  const rest: (string | number)[] = []
  const withheld: string[] = []
  for (const [i, line] of lines.entries()) {
    const last = rest.at(-1)
    if (!isOut(i) || isBlank(i)) rest.push(line)
    else {
      withheld.push(line)
      if (typeof last === 'number') rest[rest.length - 1] = last + 1
      else rest.push(1)
    }
  }
  const size = (some: readonly string[]): number => some.reduce((sum, line) => sum + line.trim().length, 0)
  if (size(withheld) > MOST_WITHHELD * size(lines)) return undefined
  return { rest, withheld: withheld.join('\n'), lines: withheld.length }
}
