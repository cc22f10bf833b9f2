/** Finds encoded or disguised text and returns it readable. */
import { codesOf } from './character.ts'
import { wordOf } from './lexicon.ts'
import { unleet } from './spelling.ts'

export interface Decoded {
  rule: 'base64' | 'hex' | 'percent' | 'entities' | 'escapes' | 'spelled-out' | 'binary' | 'leet' | 'reversed'
  text: string
  /** Offset of the encoded run. */
  at: number
}

const HEX_ESCAPES = /(?:\\x[0-9a-fA-F]{2}){6,2000}/g
const UNICODE_ESCAPES = /(?:\\u[0-9a-fA-F]{4}[ ]?){4,2000}/g
const PERCENT = /%[0-9a-fA-F]{2}(?:[\w.+-]{0,40}%[0-9a-fA-F]{2}){4,500}[\w.+-]{0,40}/g
const ENTITIES = /(?:&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});?[ ]?){4,2000}/g
const SPELLED = /[A-Za-z](?=[ .*])(?<![A-Za-z]{2})(?:[ .*]{1,3}[A-Za-z](?![A-Za-z])){7,400}/g
const BINARY = /[01]{8}(?:[ ,]{0,2}[01]{8}){5,2000}/g
const TURNED = /\u202e([^\u202c\n]{8,400})/g
/** 53nd, f1l3, w3r3: a digit that is a letter. */
const LEETED = /(?<=[a-z])[013457]+[a-z]/gi
const LEETED_WORD = /^(?=[^a-z]*[a-z])(?=[^013457]*[013457])[a-z013457]{2,16}[.,:;!?]{0,3}$/i
const LEETED_SIGNS = 3
const LEETED_WORDS = 5
const LINE = 2000
const HYPHENATED = /^[a-z](?:[-_][a-z]){6,}$/i
const READABLE = /^[\p{L}\p{N}\p{P}\p{Zs}\p{S}\n\r\t]+$/u
const WORDY = /\p{L}{2}[\s,，.!：:]{1,4}\p{L}|\p{Script=Han}{4}/u
/** Encoded a second time. */
const TWICE = /^[A-Za-z0-9+/_=-]{16,}$/
const LONGEST = 14
const SHORTEST = 13
/** The letters of base64 and its URL form, by what they show of a run. */
const PLAIN = 1
const HEX = 2
const UPPER = 4
const LOWER = 8
const CODE = new Uint8Array(0x10000)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=') {
  const letter = /[A-Z]/.test(char) ? UPPER : /[a-z]/.test(char) ? LOWER : 0
  CODE[char.charCodeAt(0)] = PLAIN | letter | (/[0-9a-f]/i.test(char) ? HEX : 0)
}

/** `spelled`: many letters stand alone. */
export function* decodeAll(text: string, spelled: boolean): Generator<Decoded> {
  yield* longRuns(text)
  for (const { 0: run, index: at } of spelled ? text.matchAll(SPELLED) : []) {
    yield { rule: 'spelled-out', text: segment(run.replace(/[^a-z]/gi, '').toLowerCase()), at }
  }
  if (text.includes('011')) {
    for (const { 0: run, index: at } of text.matchAll(BINARY)) {
      const bytes = run.replace(/[^01]/g, '').match(/[01]{8}/g) ?? []
      const plain = readable(Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString('utf8'))
      if (plain !== undefined) yield { rule: 'binary', text: plain, at }
    }
  }
  if (text.includes('\u202e')) {
    for (const { 1: run = '', index: at } of text.matchAll(TURNED)) yield { rule: 'reversed', text: reverse(run), at }
  }
  yield* leeted(text)
  if (text.includes('\\x')) {
    for (const { 0: run, index: at } of text.matchAll(HEX_ESCAPES)) {
      const plain = fromBytes(run.replaceAll('\\x', ''), 'hex')
      if (plain !== undefined) yield { rule: 'escapes', text: plain, at }
    }
  }
  if (text.includes('\\u')) {
    for (const { 0: run, index: at } of text.matchAll(UNICODE_ESCAPES)) {
      const plain = run.replace(/\\u([0-9a-fA-F]{4}) ?/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      yield { rule: 'escapes', text: plain, at }
    }
  }
  if (text.includes('%')) {
    for (const { 0: run, index } of text.matchAll(PERCENT)) {
      const [before = ''] = /[\w.+-]*$/.exec(text.slice(Math.max(0, index - 40), index)) ?? []
      const plain = unpercent(before + run)
      if (plain !== undefined) yield { rule: 'percent', text: plain, at: index - before.length }
    }
  }
  if (text.includes('&#')) {
    for (const { 0: run, index: at } of text.matchAll(ENTITIES)) {
      const plain = run.replace(/&#(x?)([0-9a-fA-F]{1,7});?( ?)/g, (_, hex: string, code: string, gap: string) => {
        const point = Number.parseInt(code, hex === '' ? 10 : 16)
        return point > 0 && point < 0x110000 ? String.fromCodePoint(point) + gap : ' '
      })
      yield { rule: 'entities', text: plain, at }
    }
  }
}

/** Lines in which digits stand for letters. A window at a time: a text may be one very long line. */
function* leeted(text: string): Generator<Decoded> {
  let start = 0
  let end = -1
  let words = 0
  for (const { index } of text.matchAll(LEETED)) {
    if (index >= end) {
      start = lineStart(text, index)
      end = lineEnd(text, index)
      words = 0
    }
    if (++words !== LEETED_SIGNS) continue
    const parts = text.slice(start, end).split(/\s+/)
    if (parts.filter((part) => LEETED_WORD.test(part)).length < LEETED_WORDS) continue
    yield {
      rule: 'leet',
      text: parts.map((part) => (LEETED_WORD.test(part) ? unleet(part) : part)).join(' '),
      at: start,
    }
  }
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - LINE)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

function lineEnd(text: string, at: number): number {
  const end = text.slice(at, at + LINE).indexOf('\n')
  return end < 0 ? Math.min(text.length, at + LINE) : at + end
}

/** Long runs of base64 characters. Only every n-th character is examined, since a run covers at least one of them. */
function longRuns(text: string): Decoded[] {
  const codes = codesOf(text)
  const found: Decoded[] = []
  let done = 0
  for (let i = SHORTEST - 1; i < text.length; i += SHORTEST) {
    if (i < done || !isInLongRun(codes, i)) continue
    let start = i
    while (start > done && CODE[codes[start - 1] ?? 0] !== 0) start--
    let some = 0
    let every = HEX
    let end = start
    for (let kind = CODE[codes[end] ?? 0] ?? 0; kind !== 0; kind = CODE[codes[++end] ?? 0] ?? 0) {
      some |= kind
      every &= kind
    }
    done = end
    if (end - start < SHORTEST) continue
    const mixed = (some & UPPER) !== 0 && (some & LOWER) !== 0
    const joined = codes[start + 1] === 45 || codes[start + 1] === 95
    if (every !== HEX && !joined && (!mixed || isNoise(codes, start))) continue
    const run = encoded(text.slice(start, end), every === HEX ? 'hex' : mixed ? 'base64' : undefined)
    if (run !== undefined) found.push({ ...run, at: start })
  }
  return found
}

/** A run that is long enough goes on for half its length on one side at least. */
function isInLongRun(codes: Uint16Array, i: number): boolean {
  return isIn(codes, i) && (isAround(codes, i, -1) || isAround(codes, i, 1))
}

function isAround(codes: Uint16Array, i: number, side: -1 | 1): boolean {
  return isIn(codes, i + 3 * side) && isIn(codes, i + 6 * side) && isIn(codes, i + 5 * side)
}

function isIn(codes: Uint16Array, at: number): boolean {
  return CODE[codes[at] ?? 0] !== 0
}

function encoded(run: string, encoding: 'hex' | 'base64' | undefined): Omit<Decoded, 'at'> | undefined {
  if (HYPHENATED.test(run)) return { rule: 'spelled-out', text: segment(run.replace(/[-_]/g, '').toLowerCase()) }
  const plain = encoding === undefined ? undefined : fromBytes(run, encoding)
  return plain === undefined || encoding === undefined ? undefined : { rule: encoding, text: plain }
}

export function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))
}

export function reverse(text: string): string {
  return [...text].reverse().join('')
}

/** The values of the letters of base64 and its URL form. */
const SIX_BITS = new Uint8Array(0x10000)
for (const [i, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SIX_BITS[char.charCodeAt(0)] = i
SIX_BITS['-'.charCodeAt(0)] = 62
SIX_BITS['_'.charCodeAt(0)] = 63

/** What most names become when they are read as base64: the first bytes are none of a text. */
function isNoise(codes: Uint16Array, start: number): boolean {
  const bits = (at: number) => SIX_BITS[codes[start + at] ?? 0] ?? 0
  for (let at = 0; at < 4; at++) if (codes[start + at] === EQUALS) return false
  const first = (bits(0) << 2) | (bits(1) >> 4)
  if (isNoText(first)) return true
  const second = ((bits(1) & 15) << 4) | (bits(2) >> 2)
  return first < 0x80 && isNoText(second)
}

const EQUALS = 61

/** A control character, or a byte that begins no character of UTF-8. */
function isNoText(byte: number): boolean {
  return byte < 0x20 ? byte !== 9 && byte !== 10 && byte !== 13 : (byte >= 0x7f && byte < 0xc2) || byte > 0xf4
}

function fromBytes(run: string, encoding: 'base64' | 'hex'): string | undefined {
  // The first bytes of images and hashes show that they are not text.
  if (
    readable(
      Buffer.from(run.slice(0, 24), encoding)
        .toString('utf8')
        .replace(/\ufffd+$/, ''),
    ) === undefined
  ) {
    return undefined
  }
  const plain = Buffer.from(run, encoding)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
  return readable(plain) !== undefined && (WORDY.test(plain) || TWICE.test(plain)) ? plain : undefined
}

function readable(text: string): string | undefined {
  return text.length >= 4 && !text.includes('\ufffd') && READABLE.test(text) ? text : undefined
}

/** Only if letters or a whole sentence were escaped; a URL escapes punctuation. */
function unpercent(run: string): string | undefined {
  const escapes = run.match(/%[0-9a-f]{2}/gi) ?? []
  const letters = run.match(/%(?:[4-7][0-9a-f]|[89a-f][0-9a-f])/gi) ?? []
  const blanks = escapes.filter((sign) => sign === '%20').length
  if (letters.length * 2 < escapes.length && blanks < 5) return undefined
  try {
    return decodeURIComponent(run.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Restores the spaces: the longest known word first, single letters where none is known. */
function segment(letters: string): string {
  const parts: string[] = []
  let loose = ''
  for (let i = 0; i < letters.length; ) {
    let size = Math.min(LONGEST, letters.length - i)
    while (size > 1 && wordOf(letters.slice(i, i + size)) === undefined) size--
    if (size > 1) {
      if (loose !== '') parts.push(loose)
      loose = ''
      parts.push(letters.slice(i, i + size))
    } else loose += letters.charAt(i)
    i += size
  }
  return [...parts, loose].join(' ')
}
