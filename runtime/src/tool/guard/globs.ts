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
  const pattern = isListed ? '.*' : wildcards(segment)
  const expression = new RegExp(`^${pattern}$`, 'is')
  const names = await readdir(folder).catch(() => [])
  const startsWithDot = dots || isListed || segment.startsWith('.')
  return names.filter((name) => (startsWithDot || !name.startsWith('.')) && expression.test(name))
}

/** The source of an expression that matches no less than the wildcards do. */
export function wildcards(pattern: string): string {
  return pattern.replace(/\[[^\]]+\]|[*?]|[^*?[]+|\[/g, (part) => {
    if (part === '*') return '.*'
    // What a set in brackets holds is not worked out: any character will do.
    return part === '?' || (part.length > 1 && part.startsWith('[')) ? '.' : RegExp.escape(part)
  })
}
