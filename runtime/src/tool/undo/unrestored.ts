/** Files that changed since a recording and are not part of it: ignored, closed, too large, in another repository. */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { isWithin } from '../guard/paths.ts'
import type { World } from '../tool.ts'
import type { Shadow } from './shadow.ts'
import { ownFolders, type SkipReason, type Snapshot } from './snapshot.ts'

/** Entries looked at below ignored folders. */
const MAX_ENTRIES = 20_000

export interface UnrestoredFile {
  path: string
  why: SkipReason
  /** True: too many files to tell whether it changed. */
  unsure?: true
}

export interface UnrestoredInput {
  world: World
  skipped: Snapshot['skipped']
  /** By the clock of the file system. */
  since: number
  signal?: AbortSignal | undefined
}

export async function unrestoredFiles(
  shadow: Shadow,
  { world, skipped, since, signal }: UnrestoredInput,
): Promise<UnrestoredFile[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listing = await shadow.git(args, { signal })
  const own = [...ownFolders(world)]
  const ignored = listing
    .toString('latin1')
    .split('\0')
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => path !== '' && path !== '.' && !own.some((folder) => isWithin(path, folder)))
  const budget = { left: MAX_ENTRIES }
  const all = [
    ...Object.entries(skipped).map(([path, why]) => ({ path, why })),
    ...ignored.map((path) => ({ path, why: 'ignored' as const })),
  ]
  return all.flatMap(({ path, why }) => {
    const place = Buffer.concat([Buffer.from(`${shadow.workspace}/`), Buffer.from(path, 'latin1')])
    const found = hasChanged(place, since, budget)
    return found === false ? [] : [{ path, why, ...(found === 'unsure' ? { unsure: true as const } : {}) }]
  })
}

/** Times of the inode: a program cannot set them back. */
function hasChanged(place: Buffer, since: number, budget: { left: number }): boolean | 'unsure' {
  if (budget.left-- <= 0) return 'unsure'
  const stat = statOf(place)
  if (stat === undefined || stat === 'unsure') return stat ?? false
  // A clock of the file system may stand still for milliseconds: a change right after the recording has its time.
  if (stat.ctimeMs >= since) return true
  if (!stat.isDirectory()) return false
  for (const name of namesIn(place)) {
    const found = hasChanged(Buffer.concat([place, Buffer.from('/'), name]), since, budget)
    if (found !== false) return found
  }
  return false
}

function statOf(place: Buffer): Stats | 'unsure' | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch {
    return 'unsure'
  }
}

function namesIn(place: Buffer): Buffer[] {
  try {
    return readdirSync(place, { encoding: 'buffer' })
  } catch {
    return []
  }
}
