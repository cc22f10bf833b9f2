/**
 * Observes this computer, and only what it was told to: programs from the process table, files under named folders.
 * Nothing is watched by default, and what the system does not show is an error, never an empty answer.
 */
import { type FSWatcher, watch } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Observed } from './context.ts'
import { codeOf } from './executors/page-cache.ts'
import { listProcesses, type Machine } from './machine.ts'

/** Older events are dropped: a window never needs more, and a busy folder never fills the memory. */
const MAX_EVENTS = 10_000

export interface Watched {
  /** Programs of this user that run, or start while it collects. */
  processes: boolean
  folders: readonly string[]
}

export interface Collector {
  /** What was observed so far, oldest first. Looks at the process table once more. */
  events(): Promise<Observed[]>
  close(): void
}

export async function openCollector(
  watched: Watched,
  { machine, clock }: { machine: Machine; clock: Clock },
): Promise<Collector> {
  const unavailable = (why: string, cause?: unknown) => new WritError('COLLECTOR_UNAVAILABLE', { why }, { cause })
  if (watched.processes && machine.proc === undefined) throw new WritError('COLLECTOR_UNAVAILABLE.linux')
  const seen: Observed[] = []
  const running = new Set<string>()
  const observe = (event: Observed) => {
    if (seen.push(event) > MAX_EVENTS) seen.shift()
  }

  async function look(): Promise<void> {
    const at_ms = clock.now()
    const found = await listProcesses(machine).catch((error: unknown) => {
      throw unavailable(codeOf(error), error)
    })
    const now = new Set(found.map(({ pid, start }) => `${pid}@${start}`))
    for (const { pid, start, exe } of found) {
      if (pid === process.pid || running.has(`${pid}@${start}`)) continue
      observe({ at_ms, kind: 'app_opened', package: basename(exe) })
    }
    running.clear()
    for (const key of now) running.add(key)
  }

  const watchers: FSWatcher[] = []
  const close = () => {
    for (const watcher of watchers.splice(0)) watcher.close()
  }
  try {
    for (const folder of watched.folders) {
      const info = await lstat(folder)
      if (!info.isDirectory()) throw new WritError('COLLECTOR_UNAVAILABLE.folder', { path: folder })
      const watcher = watch(folder, { recursive: true }, (_event, name) => {
        if (name !== null) void noteFile(join(folder, name))
      })
      // A folder that is taken away while it is watched has nothing more to say.
      watcher.on('error', () => watcher.close())
      watchers.push(watcher)
    }
    if (watched.processes) await look()
  } catch (error) {
    close()
    throw error instanceof WritError ? error : unavailable(codeOf(error), error)
  }

  async function noteFile(path: string): Promise<void> {
    const at_ms = clock.now()
    const file = await lstat(path).catch(() => undefined)
    if (file?.isFile() === true) observe({ at_ms, kind: 'file_seen', path })
  }

  return {
    async events() {
      if (watched.processes) await look()
      return seen.toSorted((a, b) => a.at_ms - b.at_ms)
    },
    close,
  }
}
