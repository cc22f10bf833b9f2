/** A set in brackets is not evaluated: it matches any character. */
const PART = /\[[^\]]+\]|[\s\S]/gu

/**
 * Matches at least what the wildcards match, ignoring case. A regular expression could backtrack forever on `*a*a*a*b`;
 * this backtracks to the last star only.
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
