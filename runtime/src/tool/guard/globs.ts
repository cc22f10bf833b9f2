/** Expands shell wildcards on disk. When in doubt it matches more, not less. */
import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { matchesWildcards } from '../../base/wildcards.ts'
import { isUnreadable } from './closed-files.ts'

const MAX_MATCHES = 5_000
const WILD = /[*?[(]/

/** Undefined: too many matches. `dots`: wildcards also match a leading dot (bash's dotglob). */
export async function expandGlob(text: string, from: string, dots: boolean): Promise<string[] | undefined> {
  let found = [isAbsolute(text) ? '/' : '']
  for (const segment of text.split('/').filter((part) => part !== '')) {
    if (WILD.test(segment)) {
      const listed = await Promise.all(found.map((path) => namesLike(segment, join(from, path), dots)))
      found = found.flatMap((path, i) => (listed[i] ?? []).map((name) => join(path, name)))
      if (found.some(isUnreadable)) return undefined
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
    (name) =>
      (startsWithDot || !name.startsWith('.')) && (isListed || isUnreadable(name) || matchesWildcards(segment, name)),
  )
}
