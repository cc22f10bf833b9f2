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

/** Parts that contain every word; headings count more, and whole words more than parts of words. */
export function find(index: SearchIndex, query: string, isWanted = (_page: string) => true): Hit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const hits: Hit[] = []
  for (const { page, address, title, parts } of index) {
    if (!isWanted(page)) continue
    for (const [anchor, heading, text] of parts) {
      const places = [heading === '' ? title : heading, title, text].map((place) => place.toLowerCase())
      const score = scoreOf(words, places as [string, string, string]) * weightOf(page)
      if (score === 0) continue
      const excerpt = excerptOf(text, words)
      hits.push({
        address: anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}`,
        title,
        heading,
        excerpt,
        score,
      })
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, MOST)
}

/** Guides explain a word better than the tables that mention it. A code is still found first in its own row. */
function weightOf(page: string): number {
  return page.startsWith('reference/') || page === 'changelog' ? 0.6 : 1
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

function scoreOf(words: readonly string[], [heading, title, text]: readonly [string, string, string]): number {
  let sum = 0
  for (const word of words) {
    const best = Math.max(worth(heading, word) * 12, worth(title, word) * 6, worth(text, word) * 2)
    if (best === 0) return 0
    sum += best
  }
  // A short part is about its words; the top of a page introduces them.
  return sum + 1 / (1 + text.length / 500)
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
