/** Kinds of characters: parts of words, gaps between them, quotation marks that end a value. */

/** What a character is to a word: nothing, a sign between two of its parts, or a part of it. */
export const JOINER = 1
export const JOINED = 2
export const DIGIT = 3
export const LETTER = 4
export const KIND = new Uint8Array(0x10000)
for (const [signs, kind] of [
  ["'-.", JOINER],
  ['_', JOINED],
  ['0123456789', DIGIT],
  ['abcdefghijklmnopqrstuvwxyz', LETTER],
] as const) {
  for (const sign of signs) KIND[sign.charCodeAt(0)] = kind
}

/** The end of the words of a phrase, if they follow; any run of spaces or commas may be between them. */
export function follow(
  text: string,
  codes: Uint16Array,
  { from, rest }: { from: number; rest: readonly string[] },
): number {
  let at = from
  for (const word of rest) {
    const next = pastGap(codes, at)
    if (next === at || !text.startsWith(word, next)) return -1
    at = next + word.length
    if (isWordCode(codes[at] ?? 0)) return -1
  }
  return at
}

/** A quotation mark beside JSON punctuation ends a value; in the middle of a sentence it does not. */
export function isJsonQuote(text: string, i: number): boolean {
  let before = i - 1
  while (before >= 0 && before > i - 4 && text.charCodeAt(before) === 32) before--
  const left = before < 0 ? 10 : text.charCodeAt(before)
  if (left === 123 || left === 91 || left === 61) return true
  // call("value"), but not: in a file ("so it says").
  if (left === 40) return isWordCode(text.charCodeAt(before - 1))
  // "key": "value", but not: as it says: "so it is".
  if (left === 58) return isQuote(text.charCodeAt(before - 1))
  let after = i + 1
  while (after < i + 4 && text.charCodeAt(after) === 32) after++
  const right = text.charCodeAt(after)
  if (right === 44 && after === i + 1) {
    // "so", they said: in JSON another string or a bracket follows.
    while (after < i + 4 && (text.charCodeAt(after) === 44 || text.charCodeAt(after) === 32)) after++
    return !isWordCode(text.charCodeAt(after))
  }
  // "It says, "so"": before the comma of JSON is a value, not a word.
  const listed = left === 44 && !isWordCode(text.charCodeAt(before - 1))
  return right === 125 || right === 93 || right === 58 || (listed && text.charCodeAt(i + 1) !== 32)
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

function isGap(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 44 || code === 34
}

const LONGEST_GAP = 8

/** Where the next word of a phrase begins, if one follows; `from` if no gap does. */
export function pastGap(codes: Uint16Array, from: number): number {
  let at = from
  while (at - from < LONGEST_GAP && isGap(codes[at] ?? 0)) at++
  return at
}

const SHORT = 131_072
/** Most texts are short: one buffer serves them all, since a text is scanned before the next. */
const scratch = new Uint16Array(SHORT)

/** The characters of a text as numbers, followed by two zeros. */
export function codesOf(text: string): Uint16Array {
  const size = text.length
  const codes = size + 2 <= SHORT ? scratch.subarray(0, size + 2) : new Uint16Array(size + 2)
  Buffer.from(codes.buffer).write(text, 'utf16le')
  codes.fill(0, size)
  return codes
}

/** Greek, Cyrillic and Devanagari have spaces: no stem begins in the middle of a word. */
export function isSpelled(code: number): boolean {
  return (code >= 0x370 && code < 0x530) || (code >= 0x900 && code < 0x964)
}

export function isLetter(code: number): boolean {
  return code > 0xbf && code < 0x2000
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isWordCode(code: number): boolean {
  return (KIND[code] ?? 0) >= JOINED
}

/** A Chinese character stands before a quotation mark, or before the colon before it. */
export function followsHan(codes: Uint16Array, i: number): boolean {
  return isHan(codes[codes[i - 1] === 58 ? i - 2 : i - 1] ?? 0)
}

/** 。 and the like. */
export function endsSentence(code: number): boolean {
  return code === 0x3002 || code === 0xff61 || code === 0x2026 || code === 0x61f || code === 0x964
}

/** The end of the name of an option, which a manual page writes as \-\-name. */
export function pastOption(codes: Uint16Array, start: number): number {
  let end = start
  while (isWordCode(codes[end] ?? 0) || codes[end] === 45 || (codes[end] === 92 && codes[end + 1] === 45)) end++
  return end
}

export function isHan(code: number): boolean {
  return code >= 0x4e00 && code < 0xa000
}
