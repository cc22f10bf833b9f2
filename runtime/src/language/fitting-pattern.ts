/**
 * In patterns, letters of all scripts and classes of whole characters take longer to compile than a short text takes to
 * judge. Such a pattern has a twin for texts of ASCII characters only, where both match the same.
 */

/** A pattern and its twin, each made when it is needed. The bundle has these (`scripts/bundle-lazy.ts`). */
export interface Twins {
  whole: () => RegExp
  ascii: () => RegExp
}

/** A pattern that matches in this text what `pattern` matches, and is compiled quickly if possible. */
export function fitting(text: string, pattern: RegExp | Twins): RegExp {
  if (!(pattern instanceof RegExp)) return compiled(isAscii(text) ? pattern.ascii() : pattern.whole(), text)
  if (!isAscii(text)) return compiled(pattern, text)
  const known = twins.get(pattern)
  if (known !== undefined) return known
  const twin = compiled(twinOf(pattern) ?? pattern, text)
  twins.set(pattern, twin)
  return twin
}

const twins = new WeakMap<RegExp, RegExp>()
const known = new WeakSet<RegExp>()

/** V8 compiles a pattern at once for a text of this length. */
const LONG = 1000

/**
 * For a short text, V8 translates a pattern for its interpreter, and compiles it at the second use. The translation of a
 * list of words takes ten times as long as compiling it.
 */
function compiled(pattern: RegExp, text: string): RegExp {
  if (!known.has(pattern)) {
    known.add(pattern)
    const { lastIndex } = pattern
    pattern.test(text.padEnd(LONG, '\0'))
    pattern.lastIndex = lastIndex
  }
  return pattern
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** Many patterns are tried on a text in turn. */
let last = { text: '', isAscii: true }

function isAscii(text: string): boolean {
  if (last.text !== text) last = { text, isAscii: !BEYOND_ASCII.test(text) }
  return last.isAscii
}

/** What a property of Unicode contains of ASCII, as part of a class. */
const PROPERTIES: Readonly<Record<string, string>> = {
  L: 'A-Za-z',
  Lu: 'A-Z',
  Ll: 'a-z',
  N: '0-9',
  M: '',
  'Script=Han': '',
}

/** A property, an escape whose meaning depends on the flag `u`, any other escape, and the marks of a class. */
const PART = /\\p\{([^}]*)\}|\\P|\\u\{|\\k<|\\.|[[\]]/gs

/** Undefined where a pattern needs no twin, or has a part whose twin is not known here. */
export function twinOf({ source, flags }: RegExp): RegExp | undefined {
  if (!flags.includes('u')) return undefined
  let isInClass = false
  let isKnown = true
  const text = source.replace(PART, (part: string, property: string | undefined) => {
    if (part === '[' || part === ']') isInClass = part === '['
    if (part === '\\P' || part === '\\u{' || part === '\\k<') isKnown = false
    if (property === undefined) return part
    const members = PROPERTIES[property]
    if (members === undefined) isKnown = false
    return isInClass ? (members ?? '') : `[${members}]`
  })
  return isKnown ? new RegExp(text, flags.replace('u', '')) : undefined
}
