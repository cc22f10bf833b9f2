/** A journal as lines of JSON, which replay and audit can read without the store. */
import type { StoredEvent } from '../protocol/event.ts'
import { breachesOfHeads, type Head } from './heads.ts'
import { GENESIS } from './journal.ts'
import { eventsOf } from './read.ts'
import { hashSeal, isKept, type RunFilter, type Seal, type Store } from './store.ts'
import { type Audit, breachOfRun, ChainCheck, emptyAudit } from './verify.ts'

export const SEAL = 'seal'

export type SealLine = Seal & { type: typeof SEAL }

/**
 * Run by run, the oldest first, each event as it is stored, then the seals. Without a filter that is the whole store,
 * tombstones included; with one, the chosen runs and their seals.
 */
export async function* exported(
  store: Store,
  filter: { runId: string } | Pick<RunFilter, 'since' | 'sessionId'>,
): AsyncGenerator<StoredEvent | SealLine> {
  const rows = 'runId' in filter ? [filter] : (await store.listRuns(filter)).reverse()
  const seals = await store.readSeals()
  const whole = Object.keys(filter).length === 0
  const runIds = new Set([...rows.map(({ runId }) => runId), ...(whole ? seals.map(({ runId }) => runId) : [])])
  for (const runId of runIds) yield* eventsOf(store, runId)
  for (const seal of seals) if (runIds.has(seal.runId)) yield { type: SEAL, ...seal }
}

/** The same proof as of a store, as far as the lines reach: seals are chained where neighbours are both there. */
export async function auditExport(
  lines: AsyncIterable<StoredEvent | SealLine>,
  heads: readonly Head[] = [],
): Promise<Audit> {
  const result = { ...emptyAudit(), heads: heads.length }
  const checks = new Map<string, ChainCheck>()
  const seals: Seal[] = []
  for await (const line of lines) {
    if (line.type === SEAL) {
      const { type: _, ...seal } = line
      seals.push(seal)
      continue
    }
    result.events++
    const check = checks.get(line.runId) ?? new ChainCheck()
    checks.set(line.runId, check)
    check.add(line)
    if (line.type === 'run.started') result.runs++
  }
  for (const { breach } of checks.values()) if (breach !== undefined) result.breaches.push(breach)
  const buried = new Set(seals.flatMap(({ runId, tombstone }) => (tombstone === undefined ? [] : [runId])))
  let previous: Seal | undefined
  for (const seal of seals) {
    const { n, runId, lastSeq } = seal
    // What a memory says is not exported; that its seal is in its place is all there is to see.
    if (!isKept(seal)) result.seals++
    if (!isKept(seal) && seal.tombstone !== undefined) result.tombstones++
    const follows = n === 1 || previous?.n === n - 1
    const broken =
      follows && hashSeal(n === 1 ? GENESIS : (previous?.hash ?? ''), seal) !== seal.hash
        ? `seal ${n} does not match its hash`
        : isKept(seal)
          ? undefined
          : breachOfRun(seal, { check: checks.get(runId), buried: buried.has(runId) })
    if (broken !== undefined) result.breaches.push({ runId, seq: lastSeq, why: broken })
    previous = seal
    result.head = seal.hash
  }
  result.breaches.push(...breachesOfHeads(seals, heads))
  return result
}
