/** Deleting what has grown old, without making it possible to delete anything unnoticed. */
import { messageOf } from '../base/errors.ts'
import { GENESIS } from './journal.ts'
import { eventsOf, sealsOf } from './read.ts'
import { type Breach, CorruptEvent, isKept, isRecord, type RunRow, type Seal, type Store } from './store.ts'
import { breachOfChain, breachOfRow, breachOfRun, ChainCheck } from './verify.ts'

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
  for (const old of await oldOnes(store, before)) {
    const { events, breach } = await examine(store, old)
    if (breach !== undefined) {
      pruning.kept.push(breach)
      continue
    }
    pruning.events += events
    batch.push(old.runId)
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

interface Old {
  runId: string
  seal?: Seal
  row?: RunRow | undefined
  /** What speaks against deleting it before its events were looked at. */
  breach?: Breach | undefined
}

/**
 * By the chain's own dates. A row of the list that dates a run otherwise was changed, and whoever changed it may want
 * the run gone.
 */
async function oldOnes(store: Store, before: number): Promise<Old[]> {
  const rows = new Map((await store.listRuns({ endedBefore: before })).map((row) => [row.runId, row]))
  const old = new Map<string, Old>()
  let at = { n: 1, previous: GENESIS }
  for await (const seal of sealsOf(store)) {
    const { runId, lastSeq } = seal
    const why = breachOfChain(seal, at)
    at = { n: seal.n + 1, previous: seal.hash }
    if (isKept(seal)) continue
    old.delete(runId)
    if (seal.tombstone !== undefined) rows.delete(runId)
    else if (seal.sealedAt < before) {
      const breach = why === undefined ? undefined : { runId, seq: lastSeq, why }
      old.set(runId, { runId, seal, row: rows.get(runId), breach })
    }
  }
  const misdated = [...rows.values()].filter(({ runId }) => !old.has(runId))
  const why = 'the list of runs says that it ended earlier than its seal does'
  return [...old.values(), ...misdated.map(({ runId }) => ({ runId, breach: { runId, seq: 0, why } }))]
}

async function examine(store: Store, old: Old): Promise<{ events: number; breach: Breach | undefined }> {
  const { runId } = old
  const check = new ChainCheck()
  let events = 0
  if (old.breach !== undefined) return { events, breach: old.breach }
  try {
    for await (const event of eventsOf(store, runId)) {
      events++
      check.add(event)
    }
  } catch (error) {
    if (!(error instanceof CorruptEvent)) throw error
    return { events, breach: { runId, seq: error.seq, why: messageOf(error) } }
  }
  return { events, breach: check.breach ?? vanished(runId, events) ?? breachOf(old, check) }
}

function vanished(runId: string, events: number): Breach | undefined {
  return events === 0 ? { runId, seq: 0, why: 'nothing of the run is left' } : undefined
}

function breachOf({ runId, seal, row }: Old, check: ChainCheck): Breach | undefined {
  if (seal === undefined) return { runId, seq: 0, why: 'the run has no seal' }
  const seq = seal.lastSeq
  if (row === undefined && !isRecord(seal))
    return { runId, seq, why: 'the list of runs does not say that it has ended' }
  const why = breachOfRun(seal, { check, buried: false })
  if (why !== undefined) return { runId, seq, why }
  return row === undefined ? undefined : breachOfRow(row, check)
}
