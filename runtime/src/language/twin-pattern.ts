/**
 * In patterns, letters of all scripts and classes of whole characters take longer to compile than a short text takes to
 * judge. Such a pattern has a twin for texts of ASCII characters, where both match the same. It is made at the first such
 * text.
 */
export class TwinPattern extends RegExp {
  #twin: RegExp | undefined

  override exec(text: string): RegExpExecArray | null {
    if (!isAscii(text)) return super.exec(text)
    this.#twin ??= twinOf(this) ?? new RegExp(this)
    if (!this.global && !this.sticky) return this.#twin.exec(text)
    this.#twin.lastIndex = this.lastIndex
    const found = this.#twin.exec(text)
    this.lastIndex = this.#twin.lastIndex
    return found
  }
}

const fitting = new WeakMap<RegExp, RegExp>()

/** The pattern, or its twin where that fits the text. Cheaper than a `TwinPattern` for what is tried very often. */
export function fittingFor(text: string, pattern: RegExp): RegExp {
  if (!isAscii(text)) return pattern
  const known = fitting.get(pattern)
  if (known !== undefined) return known
  const found = twinOf(pattern) ?? pattern
  fitting.set(pattern, found)
  return found
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

/** By flags and source: `matchAll` and `split` work with copies of a pattern. */
const known = new Map<string, RegExp | undefined>()

/** Undefined where a pattern has a part whose twin is not known here. */
export function twinOf({ source, flags }: RegExp): RegExp | undefined {
  const key = `${flags} ${source}`
  if (!known.has(key)) known.set(key, translated(source, flags.replace('u', '')))
  return known.get(key)
}

/** A property, an escape whose meaning depends on the flag `u`, any other escape, and the marks of a class. */
const PART = /\\p\{([^}]*)\}|\\P|\\u\{|\\k<|\\.|[[\]]/gs

function translated(source: string, flags: string): RegExp | undefined {
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
  return isKnown ? new RegExp(text, flags) : undefined
}
