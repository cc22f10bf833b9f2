/** Splits a document into sections that are found and shown separately. */
import type { DocSection } from '../storage/docs-archive.ts'
import type { DocContent } from './docs-text.ts'
import { indexWords } from './words.ts'

/** A section ends at the first blank line after the first limit, and anywhere after the second. */
const ENOUGH = 1_500
const MAX_SECTION = 3_000

export function sectionsOf({ title, lines, marks }: DocContent, path: string): DocSection[] {
  const titleWords = indexWords(`${title}\n${path}`).join(' ')
  return cut({ title, lines, marks }).map(({ line, heading, text }) => {
    const body = text.flatMap(indexWords).join(' ')
    const words = { title: titleWords, heading: indexWords(heading).join(' '), body }
    return { line: line + 1, heading, text: text.join('\n'), words }
  })
}

interface Piece {
  line: number
  heading: string
  text: string[]
}

function cut({ title, lines, marks }: DocContent): Piece[] {
  const pieces: Piece[] = []
  const headings: string[] = []
  const markAt = Map.groupBy(marks, ({ line }) => line)
  let piece: Piece = { line: 0, heading: '', text: [] }
  let size = 0
  /** Only headings so far: alone they would rank above the text below them. */
  let isBare = true
  const finish = (line: number) => {
    if (piece.text.some((each) => each.trim() !== '')) pieces.push(piece)
    piece = { line, heading: named(headings, title), text: [] }
    size = 0
  }
  for (const [at, line] of lines.entries()) {
    for (const { level, heading } of markAt.get(at) ?? []) {
      headings.length = Math.min(headings.length, level - 1)
      headings.push(...Array(level - 1 - headings.length).fill(''), heading)
      if (isBare) piece.heading = named(headings, title)
      else finish(at)
      isBare = true
    }
    if (size > MAX_SECTION - line.length || (size > ENOUGH && line.trim() === '')) finish(at)
    piece.text.push(line)
    size += line.length + 1
    if (line.trim() !== '' && !markAt.has(at)) isBare = false
  }
  finish(lines.length)
  return pieces
}

/** Without the title, which all sections of the document share. */
function named(headings: readonly string[], title: string): string {
  return headings.filter((heading) => heading !== '' && heading !== title).join(' › ')
}
