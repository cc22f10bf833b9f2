import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import { exported } from '../../journal/export.ts'
import { mediaIn } from '../../journal/media.ts'
import { firstEvent } from '../../journal/read.ts'
import type { Store } from '../../journal/store.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { timeFlag } from '../time-flag.ts'

export async function exportRuns(given: Given, io: Io): Promise<number> {
  const { export: texts } = operateTexts(io.lang)
  const { run, session, out } = given.values
  const filters = (['run', 'session', 'since'] as const).filter((flag) => given.values[flag] !== undefined)
  if (filters.length > 1) {
    throw new WritError('USAGE.exclusive', { names: filters.map((flag) => `--${flag}`), verb: 'export' })
  }
  const time = timeFlag(given, 'since')
  return withJournal(given, io, async (store) => {
    const counts = { events: 0, runs: new Set<string>(), files: 0 }
    const lines = linesOf(store, await filterOf(store, { run, session, since: time }), counts)
    if (out === undefined) for await (const line of lines) io.stdout(line)
    else await pipeline(Readable.from(lines), createWriteStream(resolve(io.cwd, out), { flags: 'wx', mode: 0o600 }))
    io.stderr(`${texts.done({ events: counts.events, runs: counts.runs.size })}\n`)
    if (counts.files > 0) io.stderr(`${texts.files({ files: counts.files })}\n`)
    return 0
  }).catch((error: unknown) => {
    if (out === undefined || codeOf(error) === undefined) throw error
    if (codeOf(error) !== 'EEXIST') throw unwritable(out, error)
    throw new WritError('FILE_EXISTS.export', { file: out })
  })
}

async function filterOf(
  store: Store,
  { run, session, since }: { run: string | undefined; session: string | undefined; since: number | undefined },
) {
  if (run !== undefined) {
    if ((await firstEvent(store, run)) === undefined) {
      throw new WritError('RUN_UNKNOWN', { run: run })
    }
    return { runId: run }
  }
  if (session === undefined) return present({ since })
  if ((await store.listRuns({ sessionId: session, limit: 1 })).length === 0) {
    throw new WritError('SESSION_UNKNOWN.stored', { id: session })
  }
  return { sessionId: session }
}

async function* linesOf(
  store: Store,
  filter: Parameters<typeof exported>[1],
  counts: { events: number; runs: Set<string>; files: number },
): AsyncGenerator<string> {
  for await (const record of exported(store, filter)) {
    if (record.type !== 'seal') {
      counts.events++
      counts.runs.add(record.runId)
      counts.files += mediaIn([record]).length
    }
    yield `${JSON.stringify(record)}\n`
  }
}
