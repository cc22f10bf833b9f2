const CUT = /…\(\+(\d{1,15})\)$/

/**
 * Keeps the first `max` code points and appends how many were cut; never splits a character. A count from an earlier
 * cut is added up, so cutting twice gives the same as cutting once.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const before = CUT.exec(text)
  const whole = before?.index ?? text.length
  let end = 0
  let points = 0
  while (end < whole && points < max) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    points++
  }
  if (end >= whole) return text
  return `${text.slice(0, end)}…(+${countPoints(text.slice(end, whole)) + Number(before?.[1] ?? 0)})`
}

export function countPoints(text: string): number {
  let points = 0
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) points++
  return points
}

/** The most similar candidate, or undefined when none is similar enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? limit
}

/** Text that is not valid percent-encoding stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
