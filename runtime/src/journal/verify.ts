/** Proves that nothing was changed, dropped or put in between since it was written. */
import { messageOf } from '../base/errors.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'
import { GENESIS, hashEvent } from './journal.ts'
import { eventsOf } from './read.ts'
import { CorruptEvent, endsRecord, hashSeal, type Seal, type Store } from './store.ts'

export interface Breach {
  runId: string
  seq: number
  why: string
}

export interface Audit {
  runs: number
  events: number
  seals: number
  /** Runs that were deleted on purpose. */
  tombstones: number
  /** The newest seal's hash. Kept elsewhere, it proves that nothing was cut off at the end. */
  head: string
  breaches: Breach[]
}

/** Where a run's chain stands. Takes its events in order and names the first that does not follow. */
export class ChainCheck {
  last: StoredEvent | undefined
  breach: Breach | undefined
  /** From the event that ends the run: a seal lies there, or on one that was stored together with it. */
  readonly sealable = new Map<number, string>()

  add(stored: StoredEvent): void {
    const { hash, ...event } = stored
    const { runId, seq } = event
    const expected = (this.last?.seq ?? 0) + 1
    if (this.breach === undefined && seq !== expected) {
      this.breach = { runId, seq, why: `expected event ${expected}, found ${seq}` }
    } else if (this.breach === undefined && hashEvent(this.last?.hash ?? GENESIS, event as Event) !== hash) {
      this.breach = { runId, seq, why: 'the event does not match its hash' }
    }
    if (this.sealable.size > 0 || endsRecord(event)) this.sealable.set(seq, hash)
    this.last = stored
  }
}

/** The first row of a run that does not follow from the ones before it. */
export function firstBreach(events: Iterable<StoredEvent>): Breach | undefined {
  const check = new ChainCheck()
  for (const event of events) check.add(event)
  return check.breach
}

export async function audit(store: Store): Promise<Audit> {
  const result: Audit = { runs: 0, events: 0, seals: 0, tombstones: 0, head: GENESIS, breaches: [] }
  const checks = new Map<string, ChainCheck>()
  const seen = new Set<string>()
  const unread = new Set<string>()
  const examine = async (runId: string) => {
    seen.add(runId)
    const check = new ChainCheck()
    try {
      for await (const event of eventsOf(store, runId)) {
        result.events++
        check.add(event)
      }
      if (check.breach !== undefined) result.breaches.push(check.breach)
      checks.set(runId, check)
    } catch (error) {
      unread.add(runId)
      result.breaches.push({ runId, seq: error instanceof CorruptEvent ? error.seq : 0, why: messageOf(error) })
    }
  }
  const rows = await store.listRuns()
  for (const { runId } of rows) {
    result.runs++
    await examine(runId)
  }
  const seals = await store.readSeals()
  const buried = new Set(seals.flatMap(({ runId, tombstone }) => (tombstone === undefined ? [] : [runId])))
  const sealed = new Set<string>()
  for (const [i, seal] of seals.entries()) {
    const { runId, lastSeq } = seal
    result.seals++
    if (seal.tombstone !== undefined) result.tombstones++
    sealed.add(runId)
    // Sealed and no run: a due time that a routine left out, or a run that is gone.
    if (!seen.has(runId)) await examine(runId)
    const broken =
      breachOfChain(seal, { n: i + 1, previous: result.head }) ??
      (unread.has(runId) ? undefined : breachOfRun(seal, { check: checks.get(runId), buried: buried.has(runId) }))
    if (broken !== undefined) result.breaches.push({ runId, seq: lastSeq, why: broken })
    result.head = seal.hash
  }
  for (const { runId, stopped } of rows) {
    const check = checks.get(runId)
    // Either may have been changed to hide the other.
    if ((stopped || (check?.sealable.size ?? 0) > 0) && !sealed.has(runId)) {
      result.breaches.push({ runId, seq: check?.last?.seq ?? 0, why: 'the run has ended and its seal is missing' })
    }
  }
  return result
}

function breachOfChain(seal: Seal, at: { n: number; previous: string }): string | undefined {
  if (seal.n !== at.n) return `expected seal ${at.n}, found ${seal.n}`
  if (hashSeal(at.previous, seal) !== seal.hash) return `seal ${seal.n} does not match its hash`
  return undefined
}

/** What a seal says of its run, held against what is left of it. */
export function breachOfRun(
  { lastSeq, lastHash }: Pick<Seal, 'lastSeq' | 'lastHash'>,
  { check, buried }: { check: ChainCheck | undefined; buried: boolean },
): string | undefined {
  const end = check?.last
  if (buried) return end === undefined ? undefined : 'the run was deleted, and is there again'
  if (end === undefined)
    return `the run was sealed at event ${lastSeq} and is gone; no tombstone says that it was deleted`
  if (end.seq < lastSeq) return `the run was sealed at event ${lastSeq} and ends at ${end.seq}`
  if (check?.sealable.get(lastSeq) !== lastHash) return `event ${lastSeq} is not the one that was sealed`
  return undefined
}
