/**
 * Placeholder files that commands of several processes need in one workspace at the same time. The first command
 * creates them, the last one removes them: removed earlier, they would be missing for the others.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../../base/hash.ts'
import { isAlive } from '../../base/process.ts'
import { WritError } from '../../errors/writ-error.ts'

export interface Share {
  /** `make` receives what others have created, and returns what exists now because of them or this command. */
  enter(make: (made: ReadonlySet<string>) => string[]): void
  /** `remove` is called for everything that was created, when no command is left. */
  leave(remove: (path: string) => void): void
}

const MADE = 'made'
const LOCK = 'lock'
/** The lock is held only for a few file operations. */
const STALE_MS = 10_000
const LOOK_MS = 5

/** Running commands of this process, per folder. */
const users = new Map<string, number>()

export function shareFor(workspace: string): Share {
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `writ-held-${uid}-${fingerprint(workspace).slice(0, 24)}`)
  return {
    enter(make) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      requireOwnFolder(folder, uid)
      locked(folder, () => {
        const made = madeIn(folder)
        writeFileSync(join(folder, String(process.pid)), '')
        writeFileSync(join(folder, MADE), JSON.stringify([...new Set([...made, ...make(new Set(made))])]))
        users.set(folder, (users.get(folder) ?? 0) + 1)
      })
    },
    leave(remove) {
      locked(folder, () => {
        const left = (users.get(folder) ?? 1) - 1
        if (left > 0) {
          users.set(folder, left)
          return
        }
        users.delete(folder)
        rmSync(join(folder, String(process.pid)), { force: true })
        if (othersIn(folder)) return
        for (const path of madeIn(folder)) remove(path)
        rmSync(join(folder, MADE), { force: true })
      })
      try {
        rmdirSync(folder)
      } catch {
        // Another process still uses it.
      }
    },
  }
}

/** Any user can create a folder of this name in the temporary folder, and the files it lists would be removed. */
function requireOwnFolder(folder: string, uid: number): void {
  const stat = lstatSync(folder)
  if (stat.isDirectory() && (process.getuid === undefined || stat.uid === uid)) return
  throw new WritError('SANDBOX_FULL.foreign', { folder })
}

function madeIn(folder: string): string[] {
  try {
    return JSON.parse(readFileSync(join(folder, MADE), 'utf8'))
  } catch {
    return []
  }
}

function othersIn(folder: string): boolean {
  const pids = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  const gone = pids.filter((pid) => !isAlive(Number(pid)))
  for (const pid of gone) rmSync(join(folder, pid), { force: true })
  return gone.length < pids.length
}

function locked(folder: string, act: () => void): void {
  const lock = join(folder, LOCK)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') mkdirSync(folder, { recursive: true, mode: 0o700 })
      else if (code !== 'EEXIST') throw error
      else if (ageOf(lock) > STALE_MS) rmSync(lock, { recursive: true, force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    }
  }
  try {
    act()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}
