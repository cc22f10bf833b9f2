/** Proves that nothing was changed, dropped or put in between since it was written. */
import { messageOf } from '../base/errors.ts'
import type { Event, EventType, StoredEvent } from '../protocol/event.ts'
import { breachesOfHeads, type Head } from './heads.ts'
import { GENESIS, hashEvent } from './journal.ts'
import { eventsOf } from './read.ts'
import {
  type Breach,
  CorruptEvent,
  endsRecord,
  hashSeal,
  isKept,
  type KeptRow,
  type RunRow,
  type Seal,
  type Store,
} from './store.ts'

export interface Audit {
  runs: number
  events: number
  seals: number
  /** Runs that were deleted on purpose. */
  tombstones: number
  /** Memories, routines and tokens. */
  kept: number
  /** Heads from elsewhere that the chain was held against. */
  heads: number
  /** The newest seal's hash. Kept elsewhere, it proves that nothing was cut off at the end. */
  head: string
  breaches: Breach[]
}

/** Where a run's chain stands. Takes its events in order and names the first that does not follow. */
export class ChainCheck {
  last: StoredEvent | undefined
  breach: Breach | undefined
  hasStarted = false
  /** All of its events are a scout's. */
  isScout = true
  /** From the event that ends the run: a seal lies there, or on one that was stored together with it. */
  readonly sealable = new Map<number, string>()
  /** What the list of runs has to say of it. */
  readonly row: Partial<RunRow> = {}
  /** Events after its end that no run has there. */
  readonly #strayed: { seq: number; type: string }[] = []
  readonly #afterEnd = new Set<string>()

  add(stored: StoredEvent): void {
    const { hash, ...event } = stored
    const { runId, seq } = event
    const expected = (this.last?.seq ?? 0) + 1
    if (this.breach === undefined && seq !== expected) {
      this.breach = { runId, seq, why: `expected event ${expected}, found ${seq}` }
    } else if (this.breach === undefined && hashEvent(this.last?.hash ?? GENESIS, event as Event) !== hash) {
      this.breach = { runId, seq, why: 'the event does not match its hash' }
    }
    if (this.sealable.size > 0 && !this.#mayFollow(event as Event)) this.#strayed.push({ seq, type: event.type })
    if (this.sealable.size > 0 || endsRecord(event)) this.sealable.set(seq, hash)
    if (event.type === 'run.started') this.hasStarted = true
    this.#summarise(event as Event)
    if (event.scoutId === null) this.isScout = false
    this.last = stored
  }

  /** The first event behind a seal that cannot have been written there. */
  strayedAfter(lastSeq: number): { seq: number; type: string } | undefined {
    return this.#strayed.find(({ seq }) => seq > lastSeq)
  }

  #summarise({ type, data, runId, sessionId, timestamp }: Event): void {
    const { row } = this
    if (type === 'run.started' && row.runId === undefined) {
      const parent = data.parentRunId === undefined ? {} : { parentRunId: data.parentRunId }
      Object.assign(row, { runId, sessionId, startedAt: timestamp, stopped: false, ...parent })
    }
    if (type === 'run.stopped') {
      Object.assign(row, { stopped: true, stoppedAt: timestamp, stopReason: data.stop.reason })
    }
  }

  #mayFollow({ type, data }: Event): boolean {
    if (type === 'confirm.answered') return data.callId === '' && data.answer === 'n'
    if (type.startsWith('SCOUT_') || type === 'scout.state') return true
    if (!ONCE_AFTER_END.has(type) || this.#afterEnd.has(type)) return false
    this.#afterEnd.add(type)
    return true
  }
}

/** What a turn still writes down when its run has ended; an approval that is taken back and scouts come beside. */
const ONCE_AFTER_END: ReadonlySet<EventType> = new Set([
  'turn.committed',
  'memory.stored',
  'memory.failed',
  'routine.finished',
  'error.internal',
])

/** Lists and retention go by the row of a run: where it says something else than the events, it was changed. */
export function breachOfRow(row: RunRow, check: ChainCheck): Breach | undefined {
  const { last, row: told } = check
  if (last === undefined) return undefined
  const { runId, sessionId } = row
  if (last.sessionId !== sessionId) return { runId, seq: 1, why: 'the run is listed under another session' }
  const wrong = ROW_FIELDS.filter((field) => row[field] !== told[field])
  if (wrong.length === 0) return undefined
  return { runId, seq: last.seq, why: `the list of runs says something else than the events: ${wrong.join(', ')}` }
}

const ROW_FIELDS = ['parentRunId', 'startedAt', 'stopped', 'stoppedAt', 'stopReason'] as const

/** The first row of a run that does not follow from the ones before it. */
export function firstBreach(events: Iterable<StoredEvent>): Breach | undefined {
  const check = new ChainCheck()
  for (const event of events) check.add(event)
  return check.breach
}

/** `heads`: what was kept outside the store. Without one, a store that was rewritten as a whole verifies. */
export async function audit(store: Store, heads: readonly Head[] = []): Promise<Audit> {
  const result = emptyAudit()
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
  result.breaches.push(...breachesOfKept(seals, await store.readKept()), ...breachesOfHeads(seals, heads))
  result.heads = heads.length
  result.kept = keptIn(seals)
  const buried = new Set(seals.flatMap(({ runId, tombstone }) => (tombstone === undefined ? [] : [runId])))
  const sealed = new Set<string>()
  for (const [i, seal] of seals.entries()) {
    const { runId, lastSeq } = seal
    const broken = breachOfChain(seal, { n: i + 1, previous: result.head })
    result.head = seal.hash
    if (broken !== undefined) result.breaches.push({ runId, seq: lastSeq, why: broken })
    if (isKept(seal)) continue
    result.seals++
    if (seal.tombstone !== undefined) result.tombstones++
    sealed.add(runId)
    // Sealed and no run: a due time that a routine left out, or a run that is gone.
    if (!seen.has(runId)) await examine(runId)
    if (broken !== undefined || unread.has(runId)) continue
    const wrong = breachOfRun(seal, { check: checks.get(runId), buried: buried.has(runId) })
    if (wrong !== undefined) result.breaches.push({ runId, seq: lastSeq, why: wrong })
  }
  for (const runId of await store.readRunIds()) {
    if (seen.has(runId)) continue
    await examine(runId)
    // A scout that was still waiting when its process died has events and no run.
    if (checks.get(runId)?.isScout === true) continue
    result.breaches.push({ runId, seq: 1, why: 'the events belong to no run of this store' })
  }
  const listed = new Set(rows.map(({ runId }) => runId))
  for (const [runId, { last, hasStarted }] of checks) {
    if (last === undefined || !hasStarted || listed.has(runId)) continue
    result.breaches.push({ runId, seq: last.seq, why: 'the run is not in the list of runs' })
  }
  for (const row of rows) {
    const { runId, stopped } = row
    const check = checks.get(runId)
    const wrong = check === undefined ? undefined : breachOfRow(row, check)
    if (wrong !== undefined) result.breaches.push(wrong)
    // Either may have been changed to hide the other.
    if ((stopped || (check?.sealable.size ?? 0) > 0) && !sealed.has(runId)) {
      result.breaches.push({ runId, seq: check?.last?.seq ?? 0, why: 'the run has ended and its seal is missing' })
    }
  }
  return result
}

export function emptyAudit(): Audit {
  return { runs: 0, events: 0, seals: 0, tombstones: 0, kept: 0, heads: 0, head: GENESIS, breaches: [] }
}

/** The newest seal of each entry. */
function newestKept(seals: readonly Seal[]): Map<string, Seal> {
  return new Map(seals.filter(isKept).map((seal) => [seal.runId, seal]))
}

function keptIn(seals: readonly Seal[]): number {
  return [...newestKept(seals).values()].filter(({ tombstone }) => tombstone === undefined).length
}

/** Each entry held against its newest seal, and each seal against what is left. */
function breachesOfKept(seals: readonly Seal[], rows: readonly KeptRow[]): Breach[] {
  const newest = newestKept(seals)
  const breaches: Breach[] = []
  const there = new Set<string>()
  for (const { key, hash } of rows) {
    there.add(key)
    const seal = newest.get(key)
    const why =
      seal === undefined
        ? 'the entry was not written by Writ: no seal knows it'
        : seal.tombstone !== undefined
          ? 'the entry was deleted, and is there again'
          : seal.lastHash === hash
            ? undefined
            : 'the entry is not the one that was sealed'
    if (why !== undefined) breaches.push({ runId: key, seq: 0, why })
  }
  for (const [key, { tombstone }] of newest) {
    if (tombstone === undefined && !there.has(key))
      breaches.push({ runId: key, seq: 0, why: 'the entry is gone; no tombstone says that it was deleted' })
  }
  return breaches
}

export function breachOfChain(seal: Seal, at: { n: number; previous: string }): string | undefined {
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
  const strayed = check.strayedAfter(lastSeq)
  if (strayed !== undefined) return `event ${strayed.seq} (${strayed.type}) was added after the run was sealed`
  return undefined
}
