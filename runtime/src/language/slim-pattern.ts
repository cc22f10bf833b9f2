/** A pattern without the words that cannot match a text: compiling it takes as long as it has words. */

/** How much of a word's beginning is compared. */
const LENGTH = 4
/** Of these only brackets and bars between alternatives count. */
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|[()|]/gsu
/** Groups that are counted or named: with fewer of them, a match would have others. */
const CAPTURES = /\((?!\?)|\(\?<(?![=!])/u
const LEADING_GROUP = /^(?:\\b)?\(\?:/u
const QUANTIFIED = /^[?*+{]/u
/** A quantifier belongs to the last character only. */
const LITERAL = /^[^\\.*+?^${}()|[\]]+(?![*?{])/u

/** `parts`: everything of up to four characters in the text. */
export function slimmed(source: string, parts: ReadonlySet<string>): string {
  if (CAPTURES.test(source.replace(/\\./gsu, ''))) return source
  const left = alternativesIn(source).flatMap((alternative) => slimAlternative(alternative, parts))
  return left.length === 0 ? '(?!)' : left.join('|')
}

/** Nothing when it cannot match. */
function slimAlternative(source: string, parts: ReadonlySet<string>): string[] {
  const lead = LEADING_GROUP.exec(source)?.[0]
  if (lead === undefined) return mayBegin(source, parts) ? [source] : []
  const close = endOfGroup(source, lead.length)
  const rest = source.slice(close + 1)
  if (QUANTIFIED.test(rest)) return [source]
  const members = alternativesIn(source.slice(lead.length, close)).filter((member) => mayBegin(member, parts))
  return members.length === 0 ? [] : [`${lead}${members.join('|')})${rest}`]
}

function mayBegin(source: string, parts: ReadonlySet<string>): boolean {
  const literal = LITERAL.exec(source)?.[0]
  return literal === undefined || parts.has(literal.slice(0, LENGTH))
}

function alternativesIn(source: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (token === '|' && depth === 0) {
      found.push(source.slice(from, index))
      from = index + 1
    }
  }
  return [...found, source.slice(from)]
}

function endOfGroup(source: string, from: number): number {
  let depth = 1
  for (const { 0: token, index } of source.slice(from).matchAll(TOKEN)) {
    if (token === '(') depth++
    else if (token === ')' && --depth === 0) return from + index
  }
  return source.length
}
