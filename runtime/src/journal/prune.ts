/** Retention: old runs are deleted with tombstones, so that no deletion goes unnoticed. */
import { type Breach, breachAt, unreadableAt } from './breach.ts'
import { GENESIS } from './journal.ts'
import { eventsOf, sealsOf } from './read.ts'
import { CorruptEvent, isKept, isRecord, type RunRow, type Seal, type Store } from './store.ts'
import { breachOfChain, breachOfRow, breachOfRun, ChainCheck } from './verify.ts'

const DAY_MS = 86_400_000
/** Runs per batch. */
const BATCH = 50

export interface Pruning {
  /** Runs and records deleted, or to be deleted. */
  runs: number
  events: number
  /** Not deleted: a run that does not verify is evidence. */
  kept: Breach[]
}

export interface PruneOptions {
  before: number
  now: number
  /** Dry run. */
  dryRun?: true
}

/** Runs that ended, and due times that were skipped, before a time. Open runs are kept. */
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

/** Applies agent.retention; does nothing when it is not set. */
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
  /** Reasons to keep it that are known before its events are read. */
  breach?: Breach | undefined
}

/** Dates come from the chain. A row of the run list with another date was changed, perhaps to get the run deleted. */
async function oldOnes(store: Store, before: number): Promise<Old[]> {
  const rows = new Map((await store.listRuns({ endedBefore: before })).map((row) => [row.runId, row]))
  const old = new Map<string, Old>()
  let at = { n: 1, previous: GENESIS }
  for await (const seal of sealsOf(store)) {
    const { runId, lastSeq } = seal
    const fault = breachOfChain(seal, at)
    at = { n: seal.n + 1, previous: seal.hash }
    if (isKept(seal)) continue
    old.delete(runId)
    if (seal.tombstone !== undefined) rows.delete(runId)
    else if (seal.sealedAt < before) {
      const breach = fault === undefined ? undefined : breachAt(runId, lastSeq, fault)
      old.set(runId, { runId, seal, row: rows.get(runId), breach })
    }
  }
  const misdated = [...rows.values()].filter(({ runId }) => !old.has(runId))
  return [
    ...old.values(),
    ...misdated.map(({ runId }) => ({ runId, breach: breachAt(runId, 0, { code: 'runMisdated' }) })),
  ]
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
    return { events, breach: unreadableAt(runId, error.seq, error) }
  }
  return { events, breach: check.breach ?? vanished(runId, events) ?? breachOf(old, check) }
}

function vanished(runId: string, events: number): Breach | undefined {
  return events === 0 ? breachAt(runId, 0, { code: 'runEmpty' }) : undefined
}

function breachOf({ runId, seal, row }: Old, check: ChainCheck): Breach | undefined {
  if (seal === undefined) return breachAt(runId, 0, { code: 'sealMissing' })
  const seq = seal.lastSeq
  if (row === undefined && !isRecord(seal)) return breachAt(runId, seq, { code: 'runEndNotListed' })
  const fault = breachOfRun(seal, { check, buried: false })
  if (fault !== undefined) return breachAt(runId, seq, fault)
  return row === undefined ? undefined : breachOfRow(row, check)
}
