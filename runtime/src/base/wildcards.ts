/** What a set in brackets holds is not worked out: any character will do. */
const PART = /\[[^\]]+\]|[\s\S]/gu

/**
 * No less than the wildcards match, whatever the case. An expression would try for ever on `*a*a*a*b`; this goes back to
 * the last star only.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().match(PART) ?? []
  const letters = [...text.toLowerCase()]
  let [part, letter, star, from] = [0, 0, -1, 0]
  while (letter < letters.length) {
    const wanted = parts[part]
    if (wanted === '*') {
      star = part++
      from = letter
    } else if (wanted !== undefined && (wanted === '?' || wanted.length > 2 || wanted === letters[letter])) {
      part++
      letter++
    } else if (star >= 0) {
      part = star + 1
      letter = ++from
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '*')
}
