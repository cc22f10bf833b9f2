/** Proves that nothing was changed, dropped or put in between since it was written. */
import { messageOf } from '../base/errors.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'
import { GENESIS, hashEvent } from './journal.ts'
import { CorruptEvent, hashSeal, type Seal, type Store } from './store.ts'

export interface Breach {
  runId: string
  seq: number
  why: string
}

export interface Audit {
  runs: number
  events: number
  seals: number
  breaches: Breach[]
}

/** The first row of a run that does not follow from the ones before it. */
export function firstBreach(events: readonly StoredEvent[]): Breach | undefined {
  let previous = GENESIS
  for (const [i, { hash, ...event }] of events.entries()) {
    const { runId, seq } = event
    if (seq !== i + 1) return { runId, seq, why: `expected event ${i + 1}, found ${seq}` }
    if (hashEvent(previous, event as Event) !== hash) return { runId, seq, why: 'the event does not match its hash' }
    previous = hash
  }
  return undefined
}

export async function audit(store: Store): Promise<Audit> {
  const result: Audit = { runs: 0, events: 0, seals: 0, breaches: [] }
  const ends = new Map<string, StoredEvent>()
  const seen = new Set<string>()
  const examine = async (runId: string) => {
    seen.add(runId)
    try {
      const events = await store.readRun(runId)
      result.events += events.length
      const breach = firstBreach(events)
      if (breach !== undefined) result.breaches.push(breach)
      const end = events.at(-1)
      if (end !== undefined) ends.set(runId, end)
    } catch (error) {
      result.breaches.push({ runId, seq: error instanceof CorruptEvent ? error.seq : 0, why: messageOf(error) })
    }
  }
  for (const { runId } of await store.listRuns()) {
    result.runs++
    await examine(runId)
  }
  let previous = GENESIS
  const sealed = new Set<string>()
  for (const [i, seal] of (await store.readSeals()).entries()) {
    result.seals++
    sealed.add(seal.runId)
    // Sealed and no run: a due time that a routine left out. Of what was pruned, nothing is found.
    if (!seen.has(seal.runId)) await examine(seal.runId)
    const broken = breachOfSeal(seal, { n: i + 1, previous, end: ends.get(seal.runId) })
    if (broken !== undefined) result.breaches.push({ runId: seal.runId, seq: seal.lastSeq, why: broken })
    previous = seal.hash
  }
  for (const [runId, end] of ends) {
    if (end.type === 'turn.committed' && !sealed.has(runId)) {
      result.breaches.push({ runId, seq: end.seq, why: 'the run has ended and its seal is missing' })
    }
  }
  return result
}

function breachOfSeal(
  seal: Seal,
  at: { n: number; previous: string; end: StoredEvent | undefined },
): string | undefined {
  if (seal.n !== at.n) return `expected seal ${at.n}, found ${seal.n}`
  if (hashSeal(at.previous, seal) !== seal.hash) return `seal ${seal.n} does not match its hash`
  if (at.end !== undefined && at.end.seq < seal.lastSeq)
    return `the run was sealed at event ${seal.lastSeq} and ends at ${at.end.seq}`
  if (at.end?.seq === seal.lastSeq && at.end.hash !== seal.lastHash)
    return `event ${seal.lastSeq} is not the one that was sealed`
  return undefined
}
