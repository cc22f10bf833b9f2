/** Exact globs for rules. No pattern can make the gate slow: the work is at most pattern length times text length. */

/** `*` is any text, `?` one character. */
export function matchesGlob(pattern: string, text: string): boolean {
  let [p, t, star, from] = [0, 0, -1, 0]
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++
      from = t
    } else if (pattern[p] === '?' || pattern[p] === text[t]) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++from
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** By names: `*` stays within one name, `**` is any number of folders. */
export function matchesPath(wanted: readonly string[], names: readonly string[]): boolean {
  let [w, n, star, from] = [0, 0, -1, 0]
  while (n < names.length) {
    if (wanted[w] === '**') {
      star = w++
      from = n
    } else if (wanted[w] !== undefined && matchesGlob(wanted[w] as string, names[n] as string)) {
      w++
      n++
    } else if (star >= 0) {
      w = star + 1
      n = ++from
    } else return false
  }
  while (wanted[w] === '**') w++
  return w === wanted.length
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

/** One spelling for all: an ask or a deny must not depend on upper case or on how accents are composed. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
