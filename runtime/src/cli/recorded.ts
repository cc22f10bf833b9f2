/** Recorded runs, read from a journal or from a file of its events. */
import * as z from 'zod'
import { parseCompact } from '../base/compact-json.ts'
import { WritError } from '../errors/writ-error.ts'
import { type Breach, unreadableAt } from '../journal/breach.ts'
import { SEAL, type SealLine } from '../journal/export.ts'
import { foldSession, type SessionState } from '../journal/session.ts'
import { CorruptEvent, type Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { MODES } from '../protocol/profile.ts'
import type { Io } from './io.ts'
import { linesOf } from './lines.ts'

export interface RecordedRun {
  runId: string
  events: readonly StoredEvent[]
  /** The state of its session when it began. */
  session(): Promise<SessionState>
}

const eventLine = z.looseObject({
  seq: z.int().positive(),
  type: z.string(),
  sessionId: z.string(),
  turnId: z.string(),
  runId: z.string(),
  scoutId: z.string().nullable(),
  timestamp: z.number(),
  mode: z.enum(MODES),
  reason: z.string(),
  data: z.looseObject({}),
  hash: z.string(),
})

const sealLine = z.looseObject({
  n: z.int().positive(),
  runId: z.string(),
  lastSeq: z.int(),
  lastHash: z.string(),
  sealedAt: z.number(),
  hash: z.string(),
  tombstone: z.enum(['pruned', 'erased', 'forgotten']).optional(),
})

/** Lines of `writ run --json` that are not in the journal. */
const NOT_STORED = ['result', 'error', 'model.delta']

export async function runOf(store: Store, runId: string): Promise<RecordedRun | undefined> {
  const events = await store.readRun(runId)
  const [first] = events
  if (first === undefined) return undefined
  return { runId, events, session: async () => foldSession(await store.readSession(first.sessionId), runId) }
}

/** Session by session, so only one is in memory at a time; a run that cannot be read is a breach. */
export async function* runsSince(store: Store, since: number | undefined): AsyncGenerator<RecordedRun | Breach> {
  const rows = (await store.listRuns(since === undefined ? {} : { since })).reverse()
  for (const [sessionId, runs] of Map.groupBy(rows, (row) => row.sessionId)) {
    let whole: Promise<StoredEvent[]> | undefined
    for (const { runId } of runs) {
      const session = async () => {
        whole ??= store.readSession(sessionId)
        return foldSession(await whole, runId)
      }
      try {
        yield { runId, events: await store.readRun(runId), session }
      } catch (error) {
        if (!(error instanceof CorruptEvent)) throw error
        yield unreadableAt(runId, error.seq, error)
      }
    }
  }
}

type Lines = AsyncIterable<string> | Iterable<string>

/** The lines of an export: events, and the seals of their runs. */
export async function* recordsIn(
  file: string,
  io: Io,
  lines: Lines = linesOf(file, io),
): AsyncGenerator<StoredEvent | SealLine> {
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const record = parseLine(line, `${file}:${number}`)
    if (record !== undefined) yield record
  }
}

/** In the order of their first lines. */
export async function* runsInFile(file: string, io: Io, lines?: Lines): AsyncGenerator<RecordedRun> {
  const events: StoredEvent[] = []
  for await (const line of recordsIn(file, io, lines)) if (line.type !== SEAL) events.push(line)
  for (const [runId, own] of Map.groupBy(events, (event) => event.runId)) {
    const session = async () =>
      foldSession(
        events.filter((event) => event.sessionId === own[0]?.sessionId),
        runId,
      )
    yield { runId, events: own, session }
  }
}

function parseLine(line: string, where: string): StoredEvent | SealLine | undefined {
  let raw: unknown
  try {
    raw = parseCompact(line)
  } catch (cause) {
    throw new WritError('LINE_INVALID.json', { where, kind: 'event' }, { cause })
  }
  const type = (raw as { type?: string } | null)?.type ?? ''
  if (NOT_STORED.includes(type)) return undefined
  const [issue] = (type === SEAL ? sealLine : eventLine).safeParse(raw).error?.issues ?? []
  if (issue !== undefined) throw new WritError('LINE_INVALID.event', { where, path: issue.path.join('.') || '.' })
  // The parsed line itself, not a copy: the hash covers all of its keys.
  return raw as StoredEvent | SealLine
}
