/** Files no tool may read, found before something reads all there is around them. */
import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { covers } from '../../gate/stages/content.ts'
import type { PathFact } from '../../protocol/facts.ts'
import type { World } from '../tool.ts'
import { blockedBy, describePath, isWithin, OPEN_DATA, realData } from './paths.ts'

/** Folders read at a time. */
const ABREAST = 64
/**
 * Names in git's own folder are those of branches and objects. What a package brings along is no secret of anyone's,
 * and a fence around a single file in there would keep `npm ci` from replacing the rest.
 */
const PASSED_OVER = new Set(['.git', 'node_modules'])
/** Entries looked at before a question is asked instead. */
const MAX_LOOK = 50_000

export interface Reach {
  /** Files that no call may touch so. */
  paths: PathFact[]
  /** Why closed files may be among what is read; for a person to decide where no fence holds them shut. */
  sweeps: string[]
  /** Why what runs is not what is written. */
  doubts?: string[]
}

/** Whether a real path is blocked or one of Writ's own records; for those who come down from a folder that is not. */
export async function closedPlaces(world: World): Promise<(real: string) => boolean> {
  const data = await realData(world)
  const open = data === undefined ? [] : OPEN_DATA.map((name) => join(data, name))
  const isPath = (entry: string): boolean => /[/*?]/.test(entry.replace(/\/+$/, ''))
  // Asked once for every file there is: a set of names is much quicker than the rule it stands for.
  const names = new Set(world.blockedPaths.filter((entry) => !isPath(entry)).map(bareName))
  const paths = world.blockedPaths.filter(isPath)
  return (real) => {
    if (names.has(bareName(basename(real))) || paths.some((entry) => covers(entry, { path: real, real }))) return true
    return data !== undefined && real !== data && isWithin(real, data) && !open.some((place) => isWithin(real, place))
  }
}

function bareName(name: string): string {
  return name.replace(/\/+$/, '').toLowerCase()
}

export interface Search {
  /** False: names that start with a dot are passed over. */
  dots: boolean
  /** How many entries are looked at before it gives up. */
  max: number
  signal?: AbortSignal
}

/**
 * What is closed at or below the folder; a closed folder stands for all in it. Links are not followed.
 * Undefined: there is too much to look through.
 */
export async function findClosed(folder: string, world: World, search: Search): Promise<string[] | undefined> {
  const isClosed = await closedPlaces(world)
  const found: string[] = []
  let seen = 0
  let pending = [folder]
  while (pending.length > 0) {
    search.signal?.throwIfAborted()
    const now = pending.splice(0, ABREAST)
    const listed = await Promise.all(now.map((path) => readdir(path, { withFileTypes: true }).catch(() => [])))
    const next: string[] = []
    listed.forEach((entries, i) => {
      seen += entries.length
      for (const entry of entries) {
        if (!search.dots && entry.name.startsWith('.')) continue
        const real = join(now[i] ?? '', entry.name)
        if (isClosed(real)) found.push(real)
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(real)
      }
    })
    if (seen > search.max || next.some(isUnreadable)) return undefined
    pending = [...pending, ...next]
  }
  return found
}

/** A name that is not UTF-8 comes without its bytes: what lies below it cannot be looked at. */
export function isUnreadable(path: string): boolean {
  return path.includes('\uFFFD')
}

export function isClosed(fact: PathFact, world: World): boolean {
  return fact.isClosed === true || blockedBy(fact, world) !== undefined
}

/** Why a program that reads all below a folder would read what is closed; undefined when it would not. */
export async function sweptFolder(
  { path, by, dots }: { path: string; by: string; dots: boolean },
  { from, world }: { from: string; world: World },
): Promise<string | undefined> {
  const { real, insideWorkspace } = await describePath({ path, access: 'read', from }, world)
  if (!insideWorkspace) return undefined
  const closed = await findClosed(real, world, { dots, max: MAX_LOOK })
  if (closed === undefined) return `${by} reads all below ${path}, which is too much to look through`
  const [first] = closed
  return first === undefined
    ? undefined
    : `${by} reads all below ${path}, and ${relative(world.workspace, first)} there is closed to it`
}
