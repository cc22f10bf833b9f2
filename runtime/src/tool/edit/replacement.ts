/** Replaces literal text. Line endings need not match: the new text gets those of its place, the rest keeps its own. */
import { WritError } from '../../errors/writ-error.ts'
import { nearestLines } from './nearest.ts'
import { occurrences } from './occurrences.ts'
import { BOM, linesOf, MAX_FILE } from './text.ts'

const MAX_NAMED = 10
const MAX_REPLACED = 100_000

export interface Replacement {
  path: string
  old: string
  new: string
  all?: boolean
}

export function replaceText(whole: string, edit: Replacement): string {
  const { path } = edit
  const bom = whole.startsWith(BOM) ? BOM : ''
  const text = whole.slice(bom.length)
  const plain = withoutReturns(text)
  const old = withoutReturns(edit.old)
  const starts = edit.all === true ? placesOf(plain, { ...edit, old }) : [onlyPlaceOf(plain, { ...edit, old })]
  if (starts.length === 0) throw notFound(plain, { path, old })
  if (text.length + starts.length * edit.new.length > MAX_FILE) {
    throw new WritError('FILE_TOO_LARGE', { path, most: MAX_FILE })
  }
  const changed = bom + join(text, { starts, old, replacement: edit.new })
  if (changed === whole) throw new WritError('EDIT_WITHOUT_CHANGE', { path })
  return changed
}

/** Overlapping places count: the model may mean either. */
function onlyPlaceOf(text: string, { path, old }: Replacement): number {
  const first: number[] = []
  let count = 0
  for (const start of occurrences(text, old)) if (count++ < MAX_NAMED) first.push(start)
  const [only] = first
  if (only === undefined) throw notFound(text, { path, old })
  if (count > 1) throw new WritError('EDIT_AMBIGUOUS', { path, count, lines: linesAt(text, first) })
  return only
}

function placesOf(text: string, { path, old }: Replacement): number[] {
  const starts: number[] = []
  let end = 0
  for (const start of occurrences(text, old)) {
    if (start < end) continue
    if (starts.length === MAX_REPLACED) throw new WritError('EDIT_TOO_MANY', { path, most: MAX_REPLACED })
    starts.push(start)
    end = start + old.length
  }
  return starts
}

function notFound(text: string, { path, old }: Pick<Replacement, 'path' | 'old'>): WritError<'EDIT_NOT_FOUND'> {
  return new WritError('EDIT_NOT_FOUND', { path, nearest: nearestLines(linesOf(text), linesOf(old)) })
}

function linesAt(text: string, starts: readonly number[]): number[] {
  let line = 1
  let at = 0
  return starts.map((start) => {
    for (; at < start; at++) if (text[at] === '\n') line++
    return line
  })
}

/** `starts` are places in the text without its returns. */
function join(text: string, edit: { starts: readonly number[]; old: string; replacement: string }): string {
  const { starts, old, replacement } = edit
  const wanted = withoutReturns(replacement)
  const { head, tail } = sharedEnds(old, wanted)
  const placeInText = placeFinder(text)
  const endingAt = endingFinder(text)
  const parts: string[] = []
  let end = 0
  for (const start of starts) {
    // What old and new share stays as it is, line endings included.
    const from = placeInText(start + head)
    const ending = endingAt(from)
    const middle =
      ending === undefined
        ? replacement.slice(head, replacement.length - tail)
        : wanted.slice(head, wanted.length - tail).replaceAll('\n', ending)
    parts.push(text.slice(end, from), middle)
    end = placeInText(start + old.length - tail)
  }
  return parts.join('') + text.slice(end)
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function sharedEnds(one: string, other: string): { head: number; tail: number } {
  const most = Math.min(one.length, other.length)
  let head = 0
  while (head < most && one[head] === other[head]) head++
  let tail = 0
  while (tail < most - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return { head, tail }
}

/** From places in the text without returns to places in the text. Asked in ascending order. */
function placeFinder(text: string): (plain: number) => number {
  let returns = 0
  let next = text.indexOf('\r\n')
  return (plain) => {
    while (next >= 0 && next - returns < plain) {
      returns++
      next = text.indexOf('\r\n', next + 2)
    }
    return plain + returns
  }
}

/** The ending of the line at this place; of the line before it, if it has none. Asked in ascending order. */
function endingFinder(text: string): (at: number) => string | undefined {
  const last = text.lastIndexOf('\n')
  let next = text.indexOf('\n')
  return (at) => {
    while (next < at && next < last) next = text.indexOf('\n', next + 1)
    return last < 0 ? undefined : text[next - 1] === '\r' ? '\r\n' : '\n'
  }
}
