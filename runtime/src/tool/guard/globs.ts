/** Which files a shell's wildcards would match, looked up on the disk; rather one too many than one too few. */
import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { matchesWildcards } from '../../base/wildcards.ts'
import { isUnreadable } from './hidden.ts'

const MAX_MATCHES = 5_000
const WILD = /[*?[(]/

/** Undefined: too many to look at. `dots` also lets a wildcard match a leading dot, as bash does when told to. */
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
