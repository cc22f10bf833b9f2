import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WritError } from '../../base/errors.ts'
import { exported } from '../../journal/export.ts'
import type { Store } from '../../journal/store.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { operateTexts } from '../operate-texts.ts'
import { cliTexts } from '../texts.ts'
import { timeFlag } from '../time-flag.ts'

export async function exportRuns(given: Given, io: Io): Promise<number> {
  const { export: texts } = operateTexts(io.lang)
  const { run, session, since, out } = given.values
  if ([run, session, since].filter((value) => value !== undefined).length > 1) {
    throw new WritError('USAGE', texts.oneOf, { hint: cliTexts(io.lang).usage.verbHelp({ verb: 'export' }) })
  }
  const time = timeFlag(given, 'since', io)
  return withJournal(given, io, async (store) => {
    const counts = { events: 0, runs: new Set<string>() }
    const lines = linesOf(store, await filterOf(store, { run, session, since: time }, io), counts)
    if (out === undefined) for await (const line of lines) io.stdout(line)
    else await pipeline(Readable.from(lines), createWriteStream(resolve(io.cwd, out), { flags: 'wx', mode: 0o600 }))
    io.stderr(`${texts.done({ events: counts.events, runs: counts.runs.size })}\n`)
    return 0
  }).catch((error: unknown) => {
    if (out === undefined || codeOf(error) === undefined) throw error
    if (codeOf(error) !== 'EEXIST') throw unwritable(out, error, io)
    throw new WritError('FILE_EXISTS', texts.exists({ file: out }), { hint: texts.existsHint })
  })
}

async function filterOf(
  store: Store,
  { run, session, since }: { run: string | undefined; session: string | undefined; since: number | undefined },
  io: Io,
) {
  const { trace } = cliTexts(io.lang)
  const { prune } = operateTexts(io.lang)
  if (run !== undefined) {
    if ((await store.readRun(run, 0, 1)).length === 0) {
      throw new WritError('RUN_UNKNOWN', trace.unknown({ id: run }), { hint: trace.unknownHint })
    }
    return { runId: run }
  }
  if (session === undefined) return since === undefined ? {} : { since }
  if ((await store.listRuns({ sessionId: session, limit: 1 })).length === 0) {
    throw new WritError('SESSION_UNKNOWN', prune.noSession({ id: session }), { hint: trace.unknownHint })
  }
  return { sessionId: session }
}

async function* linesOf(
  store: Store,
  filter: Parameters<typeof exported>[1],
  counts: { events: number; runs: Set<string> },
): AsyncGenerator<string> {
  for await (const record of exported(store, filter)) {
    if (record.type !== 'seal') {
      counts.events++
      counts.runs.add(record.runId)
    }
    yield `${JSON.stringify(record)}\n`
  }
}
