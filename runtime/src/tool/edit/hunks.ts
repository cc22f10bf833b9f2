/** Applies the hunks of one file. Context must match exactly; a hunk may be found at another line than it says. */
import { WritError } from '../../errors/writ-error.ts'
import { nearestLines } from './nearest.ts'
import { occurrences } from './occurrences.ts'
import type { Hunk } from './patch.ts'
import { BOM, linesOf } from './text.ts'

/** Lines that may be searched for misplaced hunks, over the whole patch. */
export interface SearchBudget {
  lines: number
}

export function applyHunks(
  text: string,
  { path, hunks, budget }: { path: string; hunks: readonly Hunk[]; budget: SearchBudget },
): string {
  const patch = { path, budget }
  try {
    return applyTo(linesOf(text), hunks, patch)
  } catch (error) {
    const like = likeFile(text, hunks)
    if (like === undefined || !(error instanceof WritError)) throw error
    return like.bom + applyTo(linesOf(text.slice(like.bom.length)), like.hunks, patch)
  }
}

/** For a model, which sees no byte order mark and no returns: the hunks as they would be written for this file. */
function likeFile(text: string, hunks: readonly Hunk[]): { bom: string; hunks: Hunk[] } | undefined {
  const bom = text.startsWith(BOM) ? BOM : ''
  const isWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const isPlain = hunks.every(({ lines }) => lines.every((line) => !/\r$|\r\n$|^\ufeff/.test(line.text)))
  if (!isPlain || (bom === '' && !isWindows)) return undefined
  const ended = (line: string) => (isWindows ? line.replace(/\n$/, '\r\n') : line)
  const rewritten = hunks.map(({ start, lines }) => ({
    start,
    lines: lines.map(({ kind, text }) => ({ kind, text: ended(text) })),
  }))
  return { bom, hunks: rewritten }
}

function applyTo(
  lines: readonly string[],
  hunks: readonly Hunk[],
  patch: { path: string; budget: SearchBudget },
): string {
  const { path } = patch
  const result: string[] = []
  let end = 0
  let shift = 0
  for (const [i, hunk] of hunks.entries()) {
    const wanted = hunk.lines.filter(({ kind }) => kind !== '+').map(({ text }) => text)
    // Without old lines, the header names the line before.
    const stated = hunk.start - (wanted.length === 0 ? 0 : 1)
    const at = placeOf(lines, { wanted, stated: stated + shift, from: end, ...patch })
    if (at === undefined) {
      throw new WritError('PATCH_FAILED', { path, hunk: i + 1, line: hunk.start, nearest: nearestLines(lines, wanted) })
    }
    shift = at - stated
    for (let l = end; l < at; l++) result.push(lines[l] ?? '')
    for (const { kind, text } of hunk.lines) if (kind !== '-') result.push(text)
    end = at + wanted.length
  }
  for (let l = end; l < lines.length; l++) result.push(lines[l] ?? '')
  const merged = result.findIndex((line, i) => i < result.length - 1 && !line.endsWith('\n'))
  if (merged >= 0) {
    const nearest = nearestLines(lines, lines.slice(-1))
    throw new WritError('PATCH_FAILED', { path, hunk: hunks.length, line: merged + 1, nearest })
  }
  return result.join('')
}

interface Search {
  path: string
  wanted: readonly string[]
  stated: number
  /** The end of the hunk before: hunks do not overlap. */
  from: number
  budget: SearchBudget
}

/** Where the hunk says, or else the nearest place that matches. */
function placeOf(lines: readonly string[], { path, wanted, stated, from, budget }: Search): number | undefined {
  if (stated >= from && stated <= lines.length && wanted.every((line, i) => lines[stated + i] === line)) return stated
  if (wanted.length === 0) return undefined
  budget.lines -= lines.length - from
  if (budget.lines < 0) throw new WritError('PATCH_FAILED.work', { path })
  let best: number | undefined
  for (const start of occurrences(lines.slice(from), wanted)) {
    const at = from + start
    if (best === undefined || Math.abs(at - stated) < Math.abs(best - stated)) best = at
  }
  return best
}
