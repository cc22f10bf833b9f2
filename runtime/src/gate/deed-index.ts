/**
 * Finds the words of deeds in a text in one pass: each word of the text is looked up in the lists. A pattern is compiled
 * when a text contains its beginning, so that a first verdict does not wait for hundreds that no text needs.
 */
import { fitting } from '../language/fitting-pattern.ts'
import { GERMAN_REQUEST_LEAD, REQUEST_START } from '../language/requests.ts'
import type { Deed } from '../protocol/facts.ts'
import { DEED_WORDS } from './deed-words.ts'

/** `anywhere`: in the user's own words; `at-start`: only where a request begins. */
export type Reading = 'anywhere' | 'at-start'

type Kind = 'verb' | 'noun' | 'phrase' | 'stem' | 'sign'

/** At one place in a text, the first row of a deed that matches counts. */
interface Row {
  deed: Deed
  kind: Kind
  /** A word, or the source of a pattern. */
  source: string
  /** Its position among the phrases of its deed. */
  rank: number
  /** Compiled on first use. */
  pattern?: RegExp
}

type Rows = Map<string, Row[]>

interface DeedIndex {
  words: Rows
  /** By up to `KEY` of their first letters, like the stems. */
  phrases: Rows
  stems: Rows
}

interface Found {
  place: Place
  rows: readonly Row[]
}

const KEY = 4
const WORD = /\w+/g
const LETTERS = /\p{L}+/gu
/** In most texts the same, and compiled much faster. */
const PLAIN_LETTERS = /[a-z]+/g
const BEYOND_ASCII = /[^\0-\x7f]/
const SIGN = /[\u2e80-\uffff]/g

/** Built on first use: most runs never need it. */
let index: DeedIndex | undefined
/** By their first character. */
let signIndex: Rows | undefined

/** How often a text in small letters names each deed. */
export function countDeeds(text: string, reading: Reading): Map<Deed, number> {
  index ??= buildIndex()
  return counted([...wordsIn(text, index), ...stemsIn(text, index)], reading)
}

/** The same for Chinese, Japanese and Korean, where a sign counts anywhere. */
export function countSigns(text: string): Map<Deed, number> {
  if (!BEYOND_ASCII.test(text)) return new Map()
  signIndex ??= indexSigns()
  const found: Found[] = []
  for (const { 0: sign, index: at } of text.matchAll(SIGN)) {
    const rows = signIndex.get(sign)
    if (rows !== undefined) found.push({ place: new Place(text, at, at + 1), rows })
  }
  return counted(found, 'anywhere')
}

/** Of one deed, no two matches overlap. */
function counted(found: Found[], reading: Reading): Map<Deed, number> {
  const counts = new Map<Deed, number>()
  const ends = new Map<Deed, number>()
  for (const { place, rows } of found.sort((a, b) => a.place.at - b.place.at)) {
    for (const row of rows) {
      if ((ends.get(row.deed) ?? 0) > place.at) continue
      const end = endOfMatch(row, place, reading)
      if (end < 0) continue
      ends.set(row.deed, end)
      counts.set(row.deed, (counts.get(row.deed) ?? 0) + 1)
    }
  }
  return counts
}

function wordsIn(text: string, { words, phrases }: DeedIndex): Found[] {
  const found: Found[] = []
  for (const { 0: word, index: at } of text.matchAll(WORD)) {
    const end = at + word.length
    const rows = [...(words.get(word) ?? []), ...rowsAt(text, at, phrases)]
    if (rows.length > 0) found.push({ place: new Place(text, at, end), rows })
    // I'd like: a phrase may begin after a word, too.
    if (text[end] === "'") found.push({ place: new Place(text, end, end), rows: rowsAt(text, end, phrases) })
  }
  return found
}

function stemsIn(text: string, { stems }: DeedIndex): Found[] {
  const found: Found[] = []
  for (const { 0: word, index: at } of text.matchAll(BEYOND_ASCII.test(text) ? LETTERS : PLAIN_LETTERS)) {
    const rows = rowsAt(text, at, stems)
    if (rows.length > 0) found.push({ place: new Place(text, at, at + word.length), rows })
  }
  return found
}

function rowsAt(text: string, at: number, index: Rows): Row[] {
  const found: Row[] = []
  for (let size = 2; size <= KEY; size++) found.push(...(index.get(text.slice(at, at + size)) ?? []))
  return found.length > 1 ? found.sort((a, b) => a.rank - b.rank) : found
}

/** Something must follow: "Refund" alone in a list of subjects is no request. */
export const AND_MORE = sticky('(?=\\s+[^\\s,;:}\\]])')
/** "Debit card C-771", "contact jo@corp.example": in a record such a word is a label, unless it is used as a verb. */
export const AND_OBJECT = sticky(
  '(?=\\s+(?:\\S*[^\\s.!?;,:]\\s+){0,6}?(?:the|an?|my|your|our|his|her|its|their|this|that|these|those|it|them|him|me|us|all|every|each|both|any|to|into|from|with|for|at|on|in|about|of|under|as|now|immediately|today|too|again|also|please|via|by)\\b)',
)
/** "The delete function", "my refund": named, not requested. */
export const NAMED = sticky('(?<=\\b(?:the|an?|my|your|this|that|our|last|latest|any|each)\\s)')
const OPENS = sticky(REQUEST_START)
const OPENS_IN_GERMAN = sticky(GERMAN_REQUEST_LEAD)
/** Stems of other languages also begin English words: "cancelled" and "installation" are no requests. */
const ENGLISH = /(?:ed|ing|ions?|ments?)$/

/** A word in a text, and what is around it. */
class Place {
  readonly text: string
  readonly at: number
  readonly end: number
  #opens: boolean | undefined

  constructor(text: string, at: number, end: number) {
    this.text = text
    this.at = at
    this.end = end
  }

  /** True where a request may begin; many rows ask. */
  get opens(): boolean {
    this.#opens ??= this.holds(OPENS)
    return this.#opens
  }

  endOfWord(word: string): number {
    const end = this.at + word.length
    return this.text.startsWith(word, this.at) && !/^\w/.test(this.text.charAt(end)) ? end : -1
  }

  holds(pattern: RegExp, at = this.at): boolean {
    return this.endOf(pattern, at) >= 0
  }

  endOf(pattern: RegExp, at = this.at): number {
    const sticky = fitting(this.text, pattern)
    sticky.lastIndex = at
    return sticky.test(this.text) ? sticky.lastIndex : -1
  }
}

function buildIndex(): DeedIndex {
  const index: DeedIndex = { words: new Map(), phrases: new Map(), stems: new Map() }
  for (const [name, { verbs, nouns, phrases = [], stems }] of Object.entries(DEED_WORDS)) {
    const deed = name as Deed
    // E-mail is looked up by its e.
    for (const source of list(verbs)) add(index.words, firstWord(source), { deed, kind: 'verb', source, rank: 0 })
    for (const source of list(nouns)) add(index.words, firstWord(source), { deed, kind: 'noun', source, rank: 0 })
    for (const [rank, source] of phrases.entries())
      for (const key of beginnings(source)) add(index.phrases, key, { deed, kind: 'phrase', source, rank })
    for (const source of list(stems)) add(index.stems, beginning(source), { deed, kind: 'stem', source, rank: 0 })
  }
  return index
}

function indexSigns(): Rows {
  const index: Rows = new Map()
  for (const [name, { signs }] of Object.entries(DEED_WORDS)) {
    const deed = name as Deed
    for (const source of list(signs)) add(index, source.charAt(0), { deed, kind: 'sign', source, rank: 0 })
  }
  return index
}

function add(rows: Rows, key: string, row: Row): void {
  const same = rows.get(key)
  if (same === undefined) rows.set(key, [row])
  else same.push(row)
}

function list(words: string | undefined): string[] {
  return words === undefined ? [] : words.split(' ')
}

function firstWord(word: string): string {
  const at = word.indexOf('-')
  return at < 0 ? word : word.slice(0, at)
}

/** The first letters of each member of the group a phrase begins with. */
function beginnings(phrase: string): Set<string> {
  const group = /^\\b\(\?:((?:[^()]|\([^()]*\))*)\)/.exec(phrase)?.[1]
  return new Set((group === undefined ? [phrase.slice(2)] : membersOf(group)).map(beginning))
}

/** Divided at the bars that are in no inner group. */
function membersOf(group: string): string[] {
  const members: string[] = []
  let end = group.length
  let isInner = false
  if (!group.includes('(')) return group.split('|')
  for (let at = group.length - 1; at >= 0; at--) {
    const sign = group[at]
    if (sign === '(' || sign === ')') isInner = sign === ')'
    else if (sign === '|' && !isInner) {
      members.push(group.slice(at + 1, end))
      end = at
    }
  }
  members.push(group.slice(0, end))
  return members
}

function beginning(source: string): string {
  const at = source.search(/[\\()[?|. ]/)
  // The letter before a question mark need not be there.
  return at < 0 ? source.slice(0, KEY) : source.slice(0, Math.min(KEY, source[at] === '?' ? at - 1 : at))
}

function endOfMatch(row: Row, place: Place, reading: Reading): number {
  const opens = () => reading === 'anywhere' || place.opens
  switch (row.kind) {
    case 'verb': {
      const end = place.endOfWord(row.source)
      if (end < 0) return -1
      const isMeant = reading === 'anywhere' ? !place.holds(NAMED) : place.opens && place.holds(AND_MORE, end)
      return isMeant ? end : -1
    }
    case 'noun': {
      const end = place.endOfWord(row.source)
      if (end < 0 || !place.opens) return -1
      return place.holds(reading === 'anywhere' ? AND_MORE : AND_OBJECT, end) ? end : -1
    }
    case 'phrase':
      row.pattern ??= sticky(row.source)
      return opens() ? place.endOf(row.pattern) : -1
    case 'stem': {
      const { text, at, end } = place
      if (!opens() && !place.holds(OPENS_IN_GERMAN)) return -1
      const word = text.slice(at, end)
      // Überweisung is a noun, not a request.
      if (word.includes('ung') || ENGLISH.test(word)) return -1
      row.pattern ??= sticky(row.source)
      return place.holds(row.pattern) ? end : -1
    }
    case 'sign':
      // 支付了, 支付过, 支付的, 已支付: already done, or a noun.
      row.pattern ??= sticky(`(?<![已被])(?:${row.source})(?![了过的])`)
      return place.endOf(row.pattern)
    default:
      return row.kind satisfies never
  }
}

function sticky(source: string): RegExp {
  return new RegExp(source, 'uy')
}
