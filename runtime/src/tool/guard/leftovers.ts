/**
 * The fence holds what is there, and cannot hold a name that is not there yet without showing it to every `ls`. So
 * what a fenced command makes at a protected place is moved aside when it ends, before anyone takes it for the agent's
 * rules. It is moved and not removed: a person may have made it meanwhile. A note in the temporary folder lets the
 * next process do the same when this one is killed in between.
 */
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../../base/hash.ts'
import { isObject } from '../../base/json.ts'
import type { World } from '../tool.ts'
import { isWithin } from './paths.ts'

export interface Refused {
  path: string
  /** Where it is now. */
  aside: string
}

interface Note {
  pid: number
  at: number
  empty: string[]
}

/** No command runs longer; what was made later was made by somebody else. */
const COMMAND_MS = 130_000

interface Empty {
  path: string
  /** A link that leads to nothing is there, and must go on doing so. */
  dangling: boolean
}

const running = new Map<string, { count: number; empty: Empty[] }>()

/** Call before a fenced command; the answer is called when it has ended, and says what had to be moved. */
export function watchEmptyPlaces({ workspace, protectedPaths }: World): () => Refused[] {
  const note = noteFor(workspace)
  const now = running.get(note)
  if (now === undefined) sweepLeftovers(workspace)
  const places = protectedPaths.filter((path) => isWithin(path, workspace) && !existsSync(path))
  const empty = now?.empty ?? places.map((path) => ({ path, dangling: isThere(path) }))
  running.set(note, { count: (now?.count ?? 0) + 1, empty })
  const names = empty.filter(({ dangling }) => !dangling).map(({ path }) => path)
  writeFileSync(note, JSON.stringify({ pid: process.pid, at: Date.now(), empty: names } satisfies Note), {
    mode: 0o600,
  })
  return () => {
    const count = (running.get(note)?.count ?? 1) - 1
    if (count > 0) running.set(note, { count, empty })
    else {
      running.delete(note)
      rmSync(note, { force: true })
    }
    const made = empty.filter(({ path, dangling }) => (dangling ? existsSync(path) : isThere(path)))
    return made.map(({ path }) => moveAside(path))
  }
}

/** Moves aside what a command of an earlier process left at protected places of this workspace. */
export function sweepLeftovers(workspace: string): Refused[] {
  const note = noteFor(workspace)
  const found = readNote(note)
  if (found === undefined || (found.pid !== process.pid && isAlive(found.pid))) return []
  rmSync(note, { force: true })
  return found.empty
    .filter((path) => isThere(path) && lstatSync(path).birthtimeMs <= found.at + COMMAND_MS)
    .map(moveAside)
}

function noteFor(workspace: string): string {
  return join(tmpdir(), `writ-fence-${process.getuid?.() ?? 0}-${fingerprint(workspace).slice(0, 24)}.json`)
}

function readNote(note: string): Note | undefined {
  try {
    // Anyone may write to the temporary folder; only a note of our own says what may be moved.
    const { uid } = lstatSync(note)
    if (process.getuid !== undefined && uid !== process.getuid()) return undefined
    const value: unknown = JSON.parse(readFileSync(note, 'utf8'))
    if (!isObject(value) || typeof value.pid !== 'number' || typeof value.at !== 'number') return undefined
    const empty = Array.isArray(value.empty) ? value.empty.filter((path) => typeof path === 'string') : []
    return { pid: value.pid, at: value.at, empty }
  } catch {
    return undefined
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function moveAside(path: string): Refused {
  let aside = `${path}.refused`
  for (let n = 2; isThere(aside); n++) aside = `${path}.refused-${n}`
  renameSync(path, aside)
  return { path, aside }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
