/** Exact globs for rules. Linear: no pattern can make the gate slow. */

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

/** `*` stays within one name, `**` is any number of folders. */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const names = path.split('/')
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
