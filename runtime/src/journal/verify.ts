/** Verifies that no event was changed, removed or inserted after it was written. */
import { present } from '../base/present.ts'
import type { BreachFault } from '../i18n/breach.ts'
import type { Event, EventType, StoredEvent } from '../protocol/event.ts'
import { type Breach, breachAt, unreadableAt } from './breach.ts'
import { breachesOfHeads, type Head } from './heads.ts'
import { GENESIS, hashEvent } from './journal.ts'
import { eventsOf } from './read.ts'
import {
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
  /** Deleted runs. */
  tombstones: number
  /** Memories, routines and tokens. */
  kept: number
  /** External heads the chain was compared with. */
  heads: number
  /** The hash of the newest seal. Stored elsewhere, it proves that nothing was cut off at the end. */
  head: string
  breaches: Breach[]
}

/** Verifies a run's chain event by event and returns the first event that does not follow. */
export class ChainCheck {
  last: StoredEvent | undefined
  breach: Breach | undefined
  hasStarted = false
  /** All its events belong to a scout. */
  isScout = true
  /** Set at the event that ends the run: its seal covers this event, or a later one stored together with it. */
  readonly sealable = new Map<number, string>()
  /** What the row in the list of runs must contain. */
  readonly row: Partial<RunRow> = {}
  /** Events that cannot occur after the end of a run. */
  readonly #strayed: { seq: number; type: string }[] = []
  readonly #afterEnd = new Set<string>()

  add(stored: StoredEvent): void {
    const { hash, ...event } = stored
    const { runId, seq } = event
    const expected = (this.last?.seq ?? 0) + 1
    if (this.breach === undefined && seq !== expected) {
      this.breach = breachAt(runId, seq, { code: 'eventOrder', expected, found: seq })
    } else if (this.breach === undefined && hashEvent(this.last?.hash ?? GENESIS, event as Event) !== hash) {
      this.breach = breachAt(runId, seq, { code: 'eventHash' })
    }
    if (this.sealable.size > 0 && !this.#mayFollow(event as Event)) this.#strayed.push({ seq, type: event.type })
    if (this.sealable.size > 0 || endsRecord(event)) this.sealable.set(seq, hash)
    if (event.type === 'run.started') this.hasStarted = true
    this.#summarise(event as Event)
    if (event.scoutId === null) this.isScout = false
    this.last = stored
  }

  /** The first event after a seal that cannot have been written there. */
  strayedAfter(lastSeq: number): { seq: number; type: string } | undefined {
    return this.#strayed.find(({ seq }) => seq > lastSeq)
  }

  #summarise({ type, data, runId, sessionId, timestamp }: Event): void {
    const { row } = this
    if (type === 'run.started' && row.runId === undefined) {
      const parent = present({ parentRunId: data.parentRunId })
      Object.assign(row, { runId, sessionId, startedAt: timestamp, stopped: false, ...parent })
    }
    if (type === 'run.stopped') {
      Object.assign(row, { stopped: true, stoppedAt: timestamp, stopReason: data.stop.reason })
    }
  }

  #mayFollow({ type, data }: Event): boolean {
    if (type === 'confirm.answered') return data.callId === '' && data.answer === 'n'
    if (type === 'workspace.restored') return true
    if (type.startsWith('SCOUT_') || type === 'scout.state') return true
    if (!ONCE_AFTER_END.has(type) || this.#afterEnd.has(type)) return false
    this.#afterEnd.add(type)
    return true
  }
}

/** Events of a turn after its run has ended. Revoked approvals, undos and scouts may follow as well. */
const ONCE_AFTER_END: ReadonlySet<EventType> = new Set([
  'workspace.recorded',
  'turn.committed',
  'memory.stored',
  'memory.failed',
  'routine.finished',
  'error.internal',
])

/** Lists and retention use the row of a run: a row that disagrees with the events was changed. */
export function breachOfRow(row: RunRow, check: ChainCheck): Breach | undefined {
  const { last, row: expected } = check
  if (last === undefined) return undefined
  const { runId, sessionId } = row
  if (last.sessionId !== sessionId) return breachAt(runId, 1, { code: 'runOtherSession' })
  const fields = ROW_FIELDS.filter((field) => row[field] !== expected[field])
  return fields.length === 0 ? undefined : breachAt(runId, last.seq, { code: 'runRowDiffers', fields })
}

const ROW_FIELDS = ['parentRunId', 'startedAt', 'stopped', 'stoppedAt', 'stopReason'] as const

/** The first event of a run that does not follow from those before it. */
export function firstBreach(events: Iterable<StoredEvent>): Breach | undefined {
  const check = new ChainCheck()
  for (const event of events) check.add(event)
  return check.breach
}

/** `heads`: external heads. Without one, a store that was rewritten as a whole verifies. */
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
      result.breaches.push(unreadableAt(runId, error instanceof CorruptEvent ? error.seq : 0, error))
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
    if (broken !== undefined) result.breaches.push(breachAt(runId, lastSeq, broken))
    if (isKept(seal)) continue
    result.seals++
    if (seal.tombstone !== undefined) result.tombstones++
    sealed.add(runId)
    // Sealed without a run: a skipped due time, or a run that is gone.
    if (!seen.has(runId)) await examine(runId)
    if (broken !== undefined || unread.has(runId)) continue
    const wrong = breachOfRun(seal, { check: checks.get(runId), buried: buried.has(runId) })
    if (wrong !== undefined) result.breaches.push(breachAt(runId, lastSeq, wrong))
  }
  for (const runId of await store.readRunIds()) {
    if (seen.has(runId)) continue
    await examine(runId)
    // A scout that was still queued when its process died has events but no run.
    if (checks.get(runId)?.isScout === true) continue
    result.breaches.push(breachAt(runId, 1, { code: 'eventsWithoutRun' }))
  }
  const listed = new Set(rows.map(({ runId }) => runId))
  for (const [runId, { last, hasStarted }] of checks) {
    if (last === undefined || !hasStarted || listed.has(runId)) continue
    result.breaches.push(breachAt(runId, last.seq, { code: 'runNotListed' }))
  }
  for (const row of rows) {
    const { runId, stopped } = row
    const check = checks.get(runId)
    const wrong = check === undefined ? undefined : breachOfRow(row, check)
    if (wrong !== undefined) result.breaches.push(wrong)
    // Either may have been changed to hide the other.
    if ((stopped || (check?.sealable.size ?? 0) > 0) && !sealed.has(runId)) {
      result.breaches.push(breachAt(runId, check?.last?.seq ?? 0, { code: 'runUnsealed' }))
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

/** Compares each entry with its newest seal, and each seal with the stored entries. */
function breachesOfKept(seals: readonly Seal[], rows: readonly KeptRow[]): Breach[] {
  const newest = newestKept(seals)
  const breaches: Breach[] = []
  const there = new Set<string>()
  for (const { key, hash } of rows) {
    there.add(key)
    const seal = newest.get(key)
    if (seal === undefined) breaches.push(breachAt(key, 0, { code: 'entryUnsealed' }))
    else if (seal.tombstone !== undefined) breaches.push(breachAt(key, 0, { code: 'entryReappeared' }))
    else if (seal.lastHash !== hash) breaches.push(breachAt(key, 0, { code: 'entryChanged' }))
  }
  for (const [key, { tombstone }] of newest) {
    if (tombstone === undefined && !there.has(key)) breaches.push(breachAt(key, 0, { code: 'entryGone' }))
  }
  return breaches
}

export function breachOfChain(seal: Seal, at: { n: number; previous: string }): BreachFault | undefined {
  if (seal.n !== at.n) return { code: 'sealOrder', expected: at.n, found: seal.n }
  if (hashSeal(at.previous, seal) !== seal.hash) return { code: 'sealHash', seal: seal.n }
  return undefined
}

/** Compares a seal with what is left of its run. */
export function breachOfRun(
  { lastSeq, lastHash }: Pick<Seal, 'lastSeq' | 'lastHash'>,
  { check, buried }: { check: ChainCheck | undefined; buried: boolean },
): BreachFault | undefined {
  const end = check?.last
  if (buried) return end === undefined ? undefined : { code: 'runReappeared' }
  if (end === undefined) return { code: 'runGone', event: lastSeq }
  if (end.seq < lastSeq) return { code: 'runShortened', event: lastSeq, end: end.seq }
  if (check?.sealable.get(lastSeq) !== lastHash) return { code: 'eventNotSealed', event: lastSeq }
  const strayed = check.strayedAfter(lastSeq)
  if (strayed !== undefined) return { code: 'eventAdded', event: strayed.seq, type: strayed.type }
  return undefined
}
