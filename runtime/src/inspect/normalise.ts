/** Folds a text to what a reader would see, and maps offsets back to the original. */
import { characterMap, INSPECTED_SIMPLIFIED } from '../language/traditional-chinese.ts'

export interface Folded {
  text: string
  /** The original offset of a folded one. */
  at(index: number): number
  /** Invisible characters between letters: zero-width, soft hyphens, fillers. */
  invisible: Mark
  /** Those between two Latin letters, but for soft hyphens. */
  threaded: Mark
  bidi: Mark
  control: Mark
  /** Words that mix Latin letters with look-alikes of another script. */
  lookalike: Mark
  /** What tag characters or variation selectors spell out. */
  smuggled: { text: string; at: number }[]
}

export interface Mark {
  count: number
  at: number
}

const ODD = /[^\t\n\r\x1b\x20-\x7e]/g
/** After this many plain characters the text is copied again. */
const QUIET = 24
const DROP = -1
const MANY = -2
const UNKNOWN = -3
const PAIR = -4
const SOFT_HYPHEN = 0xad

const LOOKALIKES = characterMap(
  ['аеорсухіјѕһԁӏкмтвнпгԛԝь', 'aeopcyxijshdlkmtbhnrqwb'],
  ['οαειντυκρηγωσ', 'oaeivtukpnywo'],
)
/** Letters that no ordinary word has: they can be folded anywhere. */
const ODD_LATIN = characterMap(['ɡɑɪɴʀᴀʙᴄᴅᴇɢʜᴊᴋʟᴍᴏᴘᴛᴜᴠᴡʏᴢꜱꜰøđłıßæœ', 'gainrabcdeghjklmoptuvwyzsfodlisao'])
const QUOTES = '“”„‟«»「」『』〝〞＂'
const APOSTROPHES = '‘’‚‛ʼ＇`´'
const DASHES = '‐‑‒–—―−﹣－'

const folds = new Int32Array(0x10000).fill(UNKNOWN)
const many = new Map<number, string>()

/** Long plain stretches are copied whole; only the rest is folded character by character. */
export function normalise(text: string): Folded {
  const pieces: string[] = []
  const spans: Span[] = []
  const marks = { invisible: none(), threaded: none(), bidi: none(), control: none(), lookalike: none() }
  const hidden = new Smuggler()
  let length = 0
  const put = (piece: string, from: number, origin: number) => {
    pieces.push(piece)
    spans.push({ start: length, from, origin })
    length += piece.length
  }
  let origins = new Int32Array(0)
  let known = 0
  for (let i = 0; i < text.length; ) {
    const next = nextOdd(text, i)
    if (next > i) put(text.slice(i, next).toLowerCase(), i, -1)
    if (next >= text.length) break
    const { folded, from, end } = foldSpan(text, next, { marks, hidden })
    const size = folded.length
    if (size > 0) put(folded, next, known)
    if (known + size > origins.length) origins = grown(origins, new Int32Array(2 * (known + size) + 256))
    for (let k = 0; k < size; k++) origins[known + k] = from[k] ?? 0
    known += size
    i = end
  }
  const used = origins.subarray(0, known)
  return {
    text: pieces.join(''),
    at: (index) => Math.min(text.length, originOf(spans, used, index)),
    ...marks,
    smuggled: hidden.read(),
  }
}

interface Span {
  start: number
  from: number
  /** Where the offsets of its characters begin among those of all; -1: they follow each other. */
  origin: number
}

function originOf(spans: readonly Span[], origins: Int32Array, index: number): number {
  let low = 0
  let high = spans.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((spans[middle]?.start ?? 0) <= index) low = middle
    else high = middle - 1
  }
  const span = spans[low]
  if (span === undefined) return 0
  const offset = index - span.start
  if (span.origin < 0) return span.from + offset
  return origins[span.origin + offset] ?? Number.POSITIVE_INFINITY
}

/** Where the next word with a character beyond printable ASCII begins. */
function nextOdd(text: string, from: number): number {
  ODD.lastIndex = from
  if (!ODD.test(text)) return text.length
  let at = ODD.lastIndex - 1
  while (at > from && isAlnum(text.charCodeAt(at - 1))) at--
  return at
}

interface Notes {
  marks: Record<'invisible' | 'threaded' | 'bidi' | 'control' | 'lookalike', Mark>
  hidden: Smuggler
}

const SCRATCH = 65_536
/** Most spans are a few characters long: one buffer serves them all. */
let scratch = scratchOf(new Uint16Array(1024), new Int32Array(1024))

/** `bytes`: the same memory as the codes. */
function scratchOf(codes: Uint16Array<ArrayBuffer>, from: Int32Array) {
  return { codes, from, bytes: Buffer.from(codes.buffer), narrow: Buffer.alloc(codes.length) }
}

/** Folds from `start` until the text has been plain for a while. */
function foldSpan(
  text: string,
  start: number,
  { marks, hidden }: Notes,
): { folded: string; from: Int32Array; end: number } {
  let sheets = scratch
  let { codes, from } = sheets
  let size = 0
  let word = 0
  let latin = false
  let look = false
  let quiet = 0
  let i = start
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) quiet = 0
    else if (++quiet > QUIET && !isAlnum(code)) break
    // One character folds to eighteen at most.
    if (size + 32 > codes.length) {
      sheets = scratchOf(grown(codes, new Uint16Array(size * 2 + 64)), grown(from, new Int32Array(size * 2 + 64)))
      codes = sheets.codes
      from = sheets.from
      if (codes.length <= SCRATCH) scratch = sheets
    }
    let known = code >= 0xd800 && code < 0xe000 ? PAIR : (folds[code] ?? UNKNOWN)
    if (known === UNKNOWN) known = learn(code)
    if (known >= 0x3000 && !latin && !look) {
      codes[size] = known
      from[size++] = i
      word = size
      continue
    }
    if (known === DROP) {
      noteDropped(code, i, {
        marks,
        hidden,
        after: size === 0 ? 0 : (codes[size - 1] ?? 0),
        next: text.charCodeAt(i + 1),
      })
      continue
    }
    const at = i
    let folded = ''
    if (known === PAIR) {
      const point = text.codePointAt(i) ?? code
      if (point > 0xffff) i++
      if (point >= 0xe0000) {
        hidden.take(point, at)
        continue
      }
      folded = foldPoint(point)
      known = folded.charCodeAt(0)
    } else if (known === MANY) {
      folded = many.get(code) ?? ''
      known = folded.charCodeAt(0)
    }
    if (isLatin(known)) latin = true
    else if (known > 0x7f && known < 0x600 && isLookalike(known)) look = true
    else if (known < 0x30 || known > 0x39) {
      if (latin && look) respell(codes, from, { start: word, end: size, mark: marks.lookalike })
      if (known < 0x20 || known === 0x7f) noteControl(marks.control, known, i)
      latin = false
      look = false
      word = size + 1
    }
    codes[size] = known
    from[size++] = at
    for (let k = 1; k < folded.length; k++) {
      codes[size] = folded.charCodeAt(k)
      from[size++] = at
    }
  }
  if (latin && look) respell(codes, from, { start: word, end: size, mark: marks.lookalike })
  return { folded: textOf(sheets, size), from, end: i }
}

/** Most marks fold to ASCII: a text of one byte per character is searched faster. */
function textOf({ codes, bytes, narrow }: typeof scratch, size: number): string {
  let all = 0
  for (let i = 0; i < size; i++) {
    const code = codes[i] ?? 0
    narrow[i] = code
    all |= code
  }
  return all > 0xff ? bytes.toString('utf16le', 0, size * 2) : narrow.toString('latin1', 0, size)
}

function noteDropped(
  code: number,
  at: number,
  { marks, hidden, after, next }: Notes & { after: number; next: number },
): void {
  if (code >= 0xfe00 && code <= 0xfe0f) hidden.take(code, at)
  else if (isBidi(code)) note(marks.bidi, at)
  else if (isReadable(after) && !isPoint(code)) {
    note(marks.invisible, at)
    if (isLatin(after) && isLatin(next | 32) && code !== SOFT_HYPHEN) note(marks.threaded, at)
  }
}

interface Mixed {
  start: number
  end: number
  mark: Mark
}

/** Restores the Latin letters of a word in mixed scripts. */
function respell(codes: Uint16Array, from: Int32Array, { start, end, mark }: Mixed): void {
  if (end - start < 3) return
  note(mark, from[start] ?? 0)
  for (let i = start; i < end; i++) {
    const latin = LOOKALIKES.get(String.fromCharCode(codes[i] ?? 0))
    if (latin !== undefined) codes[i] = latin.charCodeAt(0)
  }
}

function isLookalike(code: number): boolean {
  return LOOKALIKES.has(String.fromCharCode(code))
}

function grown<Sheet extends Uint16Array | Int32Array>(old: Sheet, larger: Sheet): Sheet {
  larger.set(old)
  return larger
}

/** Collects the text in invisible tags (ASCII) and variation selectors (bytes). */
class Smuggler {
  #runs: { tags: string; bytes: number[]; at: number }[] = []
  #end = -2

  take(point: number, at: number): void {
    let run = this.#runs.at(-1)
    if (run === undefined || at > this.#end + 2) {
      run = { tags: '', bytes: [], at }
      this.#runs.push(run)
    }
    this.#end = at
    if (point >= 0xe0020 && point <= 0xe007e) run.tags += String.fromCharCode(point - 0xe0000)
    else if (point >= 0xe0100 && point <= 0xe01ef) run.bytes.push(point - 0xe0100 + 16)
    else if (point >= 0xfe00 && point <= 0xfe0f) run.bytes.push(point - 0xfe00)
  }

  read(): { text: string; at: number }[] {
    return this.#runs
      .map(({ tags, bytes, at }) => ({ text: tags + Buffer.from(bytes).toString('utf8'), at }))
      .filter(({ text }) => text.length >= 4)
  }
}

function learn(code: number): number {
  const folded = foldUnit(code)
  const known = folded.length === 0 ? DROP : folded.length === 1 ? folded.charCodeAt(0) : MANY
  if (known === MANY) many.set(code, folded)
  folds[code] = known
  return known
}

function foldUnit(code: number): string {
  if (isUnseen(code) || isBidi(code) || isPoint(code) || (code >= 0xfe00 && code <= 0xfe0f)) return ''
  const char = String.fromCharCode(code)
  if (QUOTES.includes(char)) return '"'
  if (APOSTROPHES.includes(char)) return code === 0x60 ? char : "'"
  if (DASHES.includes(char)) return '-'
  return INSPECTED_SIMPLIFIED.get(char) ?? foldPoint(code)
}

function foldPoint(point: number): string {
  const char = String.fromCodePoint(point).normalize('NFKC').toLowerCase()
  const code = char.charCodeAt(0)
  if ((code >= 0xc0 && code < 0x250) || (code >= 0x1e00 && code < 0x1f00)) {
    const bare = char.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
    return ODD_LATIN.get(bare) ?? bare
  }
  return ODD_LATIN.get(char) ?? char
}

/** Accents, and the vowel signs of Hebrew and Arabic, which most writers leave out. */
function isPoint(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x591 && code <= 0x5c7) ||
    (code >= 0x64b && code <= 0x652) ||
    code === 0x640 ||
    code === 0x670
  )
}

function isUnseen(code: number): boolean {
  return (
    code === SOFT_HYPHEN ||
    code === 0x34f ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200d) ||
    (code >= 0x2060 && code <= 0x2064) ||
    code === 0x3164 ||
    code === 0xfeff ||
    code === 0xffa0
  )
}

function isBidi(code: number): boolean {
  return (
    code === 0x200e ||
    code === 0x200f ||
    code === 0x61c ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  )
}

function isLatin(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function isAlnum(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || isLatin(code)
}

/** Joiners are spelling in Arabic, Indic scripts and emoji; between these letters they are not. */
function isReadable(code: number): boolean {
  return isLatin(code) || (code >= 0x30 && code <= 0x39) || (code >= 0x4e00 && code < 0xa000)
}

function noteControl(mark: Mark, code: number, at: number): void {
  if (code !== 9 && code !== 10 && code !== 13 && code !== 27) note(mark, at)
}

function note(mark: Mark, at: number): void {
  if (mark.count++ === 0) mark.at = at
}

function none(): Mark {
  return { count: 0, at: 0 }
}
