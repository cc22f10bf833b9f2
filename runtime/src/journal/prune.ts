/** Deleting what has grown old, without making it possible to delete anything unnoticed. */
import { messageOf } from '../base/errors.ts'
import { eventsOf, sealsOf } from './read.ts'
import { type Breach, CorruptEvent, isRecord, type Store } from './store.ts'
import { ChainCheck } from './verify.ts'

const DAY_MS = 86_400_000
/** Runs examined before they are deleted together. */
const BATCH = 50

export interface Pruning {
  /** Runs and records deleted, or to be deleted. */
  runs: number
  events: number
  /** Not deleted: what does not verify is evidence. */
  kept: Breach[]
}

export interface PruneOptions {
  before: number
  now: number
  /** Only looks. */
  dryRun?: true
}

/** Runs that ended before a time, and due times that were left out before it. Open runs stay, whatever their age. */
export async function prune(store: Store, { before, now, dryRun }: PruneOptions): Promise<Pruning> {
  const pruning: Pruning = { runs: 0, events: 0, kept: [] }
  let batch: string[] = []
  const buryBatch = async () => {
    pruning.runs += dryRun ? batch.length : await store.bury(batch, { at: now, why: 'pruned' })
    batch = []
  }
  for (const runId of await oldOnes(store, before)) {
    const { events, breach } = await examine(store, runId)
    if (breach !== undefined) {
      pruning.kept.push(breach)
      continue
    }
    pruning.events += events
    batch.push(runId)
    if (batch.length === BATCH) await buryBatch()
  }
  await buryBatch()
  return pruning
}

/** What the configuration asks for; nothing when it asks for nothing. */
export async function applyRetention(
  store: Store,
  { days }: { days?: number | undefined },
  now: number,
): Promise<Pruning | undefined> {
  return days === undefined ? undefined : prune(store, { before: now - days * DAY_MS, now })
}

async function oldOnes(store: Store, before: number): Promise<string[]> {
  const ended = (await store.listRuns({ endedBefore: before })).map(({ runId }) => runId)
  const records = new Set<string>()
  for await (const seal of sealsOf(store)) {
    if (isRecord(seal) && seal.sealedAt < before) records.add(seal.runId)
    if (seal.tombstone !== undefined) records.delete(seal.runId)
  }
  return [...ended, ...records]
}

async function examine(store: Store, runId: string): Promise<{ events: number; breach: Breach | undefined }> {
  const check = new ChainCheck()
  let events = 0
  try {
    for await (const event of eventsOf(store, runId)) {
      events++
      check.add(event)
    }
  } catch (error) {
    if (!(error instanceof CorruptEvent)) throw error
    return { events, breach: { runId, seq: error.seq, why: messageOf(error) } }
  }
  return { events, breach: check.breach ?? vanished(runId, events) }
}

function vanished(runId: string, events: number): Breach | undefined {
  return events === 0 ? { runId, seq: 0, why: 'nothing of the run is left' } : undefined
}
