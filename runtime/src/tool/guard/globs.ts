/** Expands shell wildcards on disk. When in doubt it matches more, not less. */
import { isAbsolute, join } from 'node:path'
import { matchesWildcards } from '../../base/wildcards.ts'
import { isUnreadable } from './closed-files.ts'
import { namesIn } from './repository-locks.ts'

const MAX_MATCHES = 5_000
const WILD = /[*?[(]/

export function isWild(text: string): boolean {
  return WILD.test(text)
}

/** Undefined: too many matches. `dots`: wildcards also match a leading dot (bash's dotglob). */
export function expandGlob(text: string, from: string, dots: boolean): string[] | undefined {
  let found = [isAbsolute(text) ? '/' : '']
  for (const segment of text.split('/').filter((part) => part !== '')) {
    if (WILD.test(segment)) {
      found = found.flatMap((path) => namesLike(segment, join(from, path), dots).map((name) => join(path, name)))
      if (found.some(isUnreadable)) return undefined
    } else found = found.map((path) => join(path, segment))
    if (found.length > MAX_MATCHES) return undefined
  }
  return found
}

function namesLike(segment: string, folder: string, dots: boolean): string[] {
  const isListed = segment.includes('(')
  const startsWithDot = dots || isListed || segment.startsWith('.')
  return namesIn(folder).filter(
    (name) =>
      (startsWithDot || !name.startsWith('.')) && (isListed || isUnreadable(name) || matchesWildcards(segment, name)),
  )
}
