/** Finds files that no tool may read, before a program reads everything around them. */
import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { covers } from '../../gate/stages/content.ts'
import { why } from '../../i18n/why.ts'
import type { PathFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import type { World } from '../tool.ts'
import { blockedBy, describePath, isKeyFile, isWithin, OPEN_DATA, realData, realKeyFile } from './paths.ts'

const FOLDERS_AT_A_TIME = 64
/**
 * Names in `.git` are branches and objects. Packages contain no secrets of the user, and hiding a single file in one
 * would keep `npm ci` from replacing the rest.
 */
const SKIPPED = new Set(['.git', 'node_modules'])
/** Beyond this, the call needs approval instead. */
const MAX_ENTRIES = 50_000

export interface Reach {
  /** Closed files that the call would touch. */
  paths: PathFact[]
  /** Why closed files may be among what is read; a person decides if there is no sandbox to hide them. */
  sweeps: Why[]
  /** Why the command that runs may differ from the one that is written. */
  doubts?: Why[]
}

/**
 * Tests whether a real path is blocked or one of Writ's own records. For walking down from a folder that is neither.
 */
export async function closedPathTest(world: World): Promise<(real: string) => boolean> {
  const data = await realData(world)
  const open = data === undefined ? [] : OPEN_DATA.map((name) => join(data, name))
  const isPath = (entry: string): boolean => /[/*?]/.test(entry.replace(/\/+$/, ''))
  // Called for every file: a set of names is much faster than the general rule.
  const names = new Set(world.blockedPaths.filter((entry) => !isPath(entry)).map(bareName))
  const paths = world.blockedPaths.filter(isPath)
  const keyFile = await realKeyFile(world)
  const { undo } = world
  return (real) => {
    if (isKeyFile(real, keyFile)) return true
    if (undo !== undefined && isWithin(real, undo)) return true
    if (names.has(bareName(basename(real))) || paths.some((entry) => covers(entry, { path: real, real }))) return true
    return data !== undefined && real !== data && isWithin(real, data) && !open.some((place) => isWithin(real, place))
  }
}

function bareName(name: string): string {
  return name.replace(/\/+$/, '').toLowerCase()
}

export interface Search {
  /** False: names that start with a dot are skipped. */
  dots: boolean
  /** Maximum number of entries to visit. */
  max: number
  signal?: AbortSignal
}

/**
 * Closed files and folders below a folder; a closed folder stands for its content. Links are not followed. Undefined:
 * too many files to search.
 */
export async function findClosed(folder: string, world: World, search: Search): Promise<string[] | undefined> {
  const isClosed = await closedPathTest(world)
  const found: string[] = []
  let seen = 0
  let pending = [folder]
  while (pending.length > 0) {
    search.signal?.throwIfAborted()
    const now = pending.splice(0, FOLDERS_AT_A_TIME)
    const listed = await Promise.all(now.map((path) => readdir(path, { withFileTypes: true }).catch(() => [])))
    const next: string[] = []
    listed.forEach((entries, i) => {
      seen += entries.length
      for (const entry of entries) {
        if (!search.dots && entry.name.startsWith('.')) continue
        const real = join(now[i] ?? '', entry.name)
        if (isClosed(real)) found.push(real)
        else if (entry.isDirectory() && !SKIPPED.has(entry.name)) next.push(real)
      }
    })
    if (seen > search.max || next.some(isUnreadable)) return undefined
    pending = [...pending, ...next]
  }
  return found
}

/** Node replaces the bytes of a name that is not UTF-8, so what is below it cannot be read. */
export function isUnreadable(path: string): boolean {
  return path.includes('\uFFFD')
}

export function isClosed(fact: PathFact, world: World): boolean {
  return fact.isClosed === true || blockedBy(fact, world) !== undefined
}

interface Sweep {
  path: string
  /** The program. */
  by: string
  /** Whether it reads hidden files. */
  dots: boolean
  /** Whether it passes over a closed file. */
  isLeftOut?: (file: string) => boolean
}

/** Why a program that reads everything below a folder would read closed files; undefined when it would not. */
export async function sweptFolderDoubt(
  { path, by, dots, isLeftOut = () => false }: Sweep,
  { from, world }: { from: string; world: World },
): Promise<Why | undefined> {
  const { real, insideWorkspace } = await describePath({ path, access: 'read', from }, world)
  if (!insideWorkspace) return undefined
  const closed = await findClosed(real, world, { dots, max: MAX_ENTRIES })
  if (closed === undefined) return why('sweepsMany', { base: by, path })
  const first = closed.find((file) => !isLeftOut(file))
  return first === undefined
    ? undefined
    : why('sweepsClosed', { base: by, path, file: relative(world.workspace, first) })
}
