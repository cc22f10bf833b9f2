/** The part of a file that looks most like the text that was not found. */

const MAX_SHOWN = 12
const MAX_WIDTH = 200
/** A line that is more frequent in the wanted text than this says nothing about a place: blank lines, brackets. */
const MAX_REPEATED = 8
const MAX_COMPARED = 20_000

/** With line numbers; empty when nothing is similar. */
export function nearestLines(lines: readonly string[], wanted: readonly string[]): string {
  const start = startByEqualLines(lines, wanted) ?? startBySimilarLine(lines, wanted)
  if (start === undefined) return ''
  const from = Math.max(0, start)
  const shown = lines.slice(from, Math.min(start + wanted.length, from + MAX_SHOWN))
  return shown.map((line, i) => `${from + i + 1} | ${line.replace(/\r?\n$/, '').slice(0, MAX_WIDTH)}`).join('\n')
}

/** Each line that also occurs in the wanted text votes for the place where that text would then start. */
function startByEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = Map.groupBy(wanted.keys(), (i) => plain(wanted[i] ?? ''))
  const votes = new Map<number, number>()
  let best: number | undefined
  for (const [i, line] of lines.entries()) {
    const text = plain(line)
    const found = places.get(text)
    if (text === '' || found === undefined || found.length > MAX_REPEATED) continue
    for (const place of found) {
      const count = (votes.get(i - place) ?? 0) + 1
      votes.set(i - place, count)
      if (best === undefined || count > (votes.get(best) ?? 0)) best = i - place
    }
  }
  return best
}

function startBySimilarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const place = wanted.findIndex((line) => line.trim() !== '')
  const pairs = pairsOf(wanted[place] ?? '')
  if (pairs.size === 0) return undefined
  let best: number | undefined
  let highest = 0.5
  for (const [i, line] of lines.slice(0, MAX_COMPARED).entries()) {
    const own = pairsOf(line)
    const shared = [...pairs].filter((pair) => own.has(pair)).length
    const similarity = (2 * shared) / (pairs.size + own.size)
    if (similarity > highest) {
      highest = similarity
      best = i - place
    }
  }
  return best
}

function plain(line: string): string {
  return line.trim().toLowerCase()
}

function pairsOf(line: string): Set<string> {
  const text = plain(line).slice(0, MAX_WIDTH)
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)))
}
