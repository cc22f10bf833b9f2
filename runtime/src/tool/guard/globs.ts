/** Which files a shell's wildcards would match, looked up on the disk; rather one too many than one too few. */
import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

const MAX_MATCHES = 5_000
const WILD = /[*?[(]/

/** Undefined: too many to look at. `dots` also lets a wildcard match a leading dot, as bash does when told to. */
export async function expandGlob(text: string, from: string, dots: boolean): Promise<string[] | undefined> {
  let found = [isAbsolute(text) ? '/' : '']
  for (const segment of text.split('/').filter((part) => part !== '')) {
    if (WILD.test(segment)) {
      const listed = await Promise.all(found.map((path) => namesLike(segment, join(from, path), dots)))
      found = found.flatMap((path, i) => (listed[i] ?? []).map((name) => join(path, name)))
    } else found = found.map((path) => join(path, segment))
    if (found.length > MAX_MATCHES) return undefined
  }
  return found
}

async function namesLike(segment: string, folder: string, dots: boolean): Promise<string[]> {
  const isListed = segment.includes('(')
  const names = await readdir(folder).catch(() => [])
  const startsWithDot = dots || isListed || segment.startsWith('.')
  return names.filter(
    (name) => (startsWithDot || !name.startsWith('.')) && (isListed || matchesWildcards(segment, name)),
  )
}

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
