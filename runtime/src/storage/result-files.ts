/**
 * Results that are too long to show, one file each: `<data>/results/<session>/<run>/<call>.txt`. The journal has their
 * hash, so a changed file is not read. No tool can open the folder; `result_read` reads a run's own session only.
 */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { writePrivately } from '../base/private-file.ts'
import type { FullResult } from '../protocol/message.ts'

export interface ResultPlace {
  sessionId: string
  runId: string
  callId: string
}

export interface ResultFiles {
  write(place: ResultPlace, text: string): Promise<void>
  /** Undefined when the file is gone or was changed. */
  read(place: ResultPlace, full: FullResult): Promise<string | undefined>
  /** Deletes the files of all runs but these: after runs were deleted. */
  keepOnly(runIds: readonly string[]): Promise<void>
  /** Deletes all files of a session. */
  erase(sessionId: string): Promise<void>
}

export function resultFiles(data: string): ResultFiles {
  const root = join(data, 'results')
  const fileOf = (place: ResultPlace) => join(runFolder(data, place), `${nameOf(place.callId)}.txt`)
  return {
    write: (place, text) => writePrivately(fileOf(place), text),
    async read(place, { sha256: expected }) {
      const text = await readFile(fileOf(place), 'utf8').catch(() => undefined)
      return text !== undefined && sha256(text) === expected ? text : undefined
    },
    erase: (sessionId) => rm(join(root, nameOf(sessionId)), { recursive: true, force: true }),
    async keepOnly(runIds) {
      const kept = new Set(runIds.map(nameOf))
      for (const session of await namesIn(root)) {
        const runs = await namesIn(join(root, session))
        const isEmpty = !runs.some((run) => kept.has(run))
        const gone = isEmpty ? [''] : runs.filter((run) => !kept.has(run))
        for (const run of gone) await rm(join(root, session, run), { recursive: true, force: true })
      }
    },
  }
}

/** Where the files of a run are. */
export function runFolder(data: string, { sessionId, runId }: Omit<ResultPlace, 'callId'>): string {
  return join(data, 'results', nameOf(sessionId), nameOf(runId))
}

/** Ids may be chosen by a caller: as a hash, none can lead out of the folder. */
function nameOf(id: string): string {
  return sha256(id).slice(0, 32)
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
