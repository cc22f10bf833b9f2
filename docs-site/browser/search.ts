/** Finds words in the texts of all pages. Pure: the tests use it too. */

/** Each part of a page is [anchor, heading, text]; the heading is empty at the top of the page. */
export type SearchIndex = { page: string; address: string; title: string; parts: [string, string, string][] }[]

export interface Hit {
  address: string
  title: string
  /** Of the part, if it is not the top of the page. */
  heading: string
  /** The words around the first match. */
  excerpt: string
  score: number
}

const MOST = 12
const HAN = /\p{Script=Han}/u

export function hasHan(text: string): boolean {
  return HAN.test(text)
}

/** Words of a question that say nothing about its subject. */
const ASKING = new Set(
  `a an the is are was be do does did can could should will would how what which who whom when where why i me my we our
  you your it its to of in on at for from with by and or if not there this that
  怎么 怎样 如何 什么 为什么 哪里 哪些 可以 能否 是否 我 的 吗`.split(/\s+/),
)
/** How much of a question a part must have when none has all of it. */
const ENOUGH = 0.5

/**
 * Parts that contain every word; if there are none, those with most of them. Rare words count more than common ones,
 * headings more than text, and whole words more than parts of words.
 */
export function find(index: SearchIndex, query: string, isWanted = (_page: string) => true): Hit[] {
  const words = subjectOf(wordsOf(query))
  if (words.length === 0) return []
  const places = index.flatMap(({ page, address, title, parts }) =>
    (isWanted(page) ? parts : []).map(([anchor, heading, text]) => {
      const named = heading === '' ? title : heading
      const lower: Place = [named.toLowerCase(), title.toLowerCase(), text.toLowerCase()]
      return { page, address, title, anchor, heading, text, worths: words.map((word) => worthIn(lower, word)) }
    }),
  )
  const rarities = words.map((_, i) => {
    const found = places.filter(({ worths }) => worths[i] !== 0).length
    return Math.log(2 + places.length / (1 + found))
  })
  const all = sumOf(rarities)
  const scored = places.map((place) => {
    const covered = sumOf(rarities.filter((_, i) => place.worths[i] !== 0)) / all
    const sum = sumOf(place.worths.map((worth, i) => worth * (rarities[i] ?? 0)))
    // A short part is about its words; the top of a page introduces them.
    const score = (sum + 1 / (1 + place.text.length / 500)) * weightOf(place.page, words)
    return { place, covered, score }
  })
  const whole = scored.filter(({ place }) => place.worths.every((worth) => worth > 0))
  const hits = whole.length > 0 ? whole : scored.filter(({ covered }) => covered >= ENOUGH)
  return hits
    .map(({ place: { address, anchor, title, heading, text }, covered, score }) => ({
      address: anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}`,
      title,
      heading,
      excerpt: excerptOf(text, words),
      score: score * covered,
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
}

function subjectOf(words: readonly string[]): readonly string[] {
  const subject = words.filter((word) => !ASKING.has(word))
  return subject.length === 0 ? words : subject
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/**
 * Guides explain better than the tables that mention every word, above all when something is asked in several words. A
 * code is still found first in its own row.
 */
function weightOf(page: string, words: readonly string[]): number {
  if (!page.startsWith('reference/') && page !== 'changelog') return 1
  return words.length > 1 ? 0.35 : 0.6
}

/** Chinese has no spaces: a long run of it is also looked for in pieces. */
export function wordsOf(query: string): string[] {
  const runs =
    query
      .toLowerCase()
      .normalize('NFKC')
      .match(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu) ?? []
  return [...new Set(runs.flatMap((run) => (HAN.test(run) && run.length > 2 ? piecesOf(run) : [run])))]
}

function piecesOf(run: string): string[] {
  const segments = [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(run)].map(({ segment }) => segment)
  const pieces = segments.filter((segment) => segment.length > 1)
  return pieces.length === 0 ? [run] : pieces
}

type Place = readonly [heading: string, title: string, text: string]

/** 0: it is not there. */
function worthIn([heading, title, text]: Place, word: string): number {
  const forms = [word, ...singularOf(word)]
  const best = (place: string) => Math.max(...forms.map((form) => worth(place, form)))
  return Math.max(best(heading) * 12, best(title) * 6, best(text) * 2)
}

/** The beginning that singular and plural share. */
function singularOf(word: string): string[] {
  if (/[^aeiou]ies$/.test(word)) return [word.slice(0, -3)]
  return /[a-z]{2}[^su]s$/.test(word) ? [word.slice(0, -1)] : []
}

function worth(place: string, word: string): number {
  const at = place.indexOf(word)
  if (at < 0) return 0
  if (place === word) return 3
  const isStart = HAN.test(word) || !/[\p{L}\p{N}]/u.test(place[at - 1] ?? ' ')
  return isStart ? 2 : wholeWordIn(place, word)
}

/** Later in the text it may stand by itself. */
function wholeWordIn(place: string, word: string): number {
  for (let at = place.indexOf(word); at >= 0; at = place.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(place[at - 1] ?? ' ')) return 2
  }
  return 1
}

function excerptOf(text: string, words: readonly string[]): string {
  const low = text.toLowerCase()
  const found = words.map((word) => low.indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...found, text.length) - 40)
  const start = found.length === 0 ? 0 : from
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 150).trim()}${start + 150 < text.length ? '…' : ''}`
}

/** The excerpt in pieces; every second one is a match. */
export function marked(text: string, words: readonly string[]): string[] {
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'iu'))
}
