/** A journal as JSON lines, which replay and audit read without the store. */
import type { StoredEvent } from '../protocol/event.ts'
import { breachAt } from './breach.ts'
import { breachesOfHeads, type Head } from './heads.ts'
import { GENESIS } from './journal.ts'
import { eventsOf } from './read.ts'
import { hashSeal, isKept, type RunFilter, type Seal, type Store } from './store.ts'
import { type Audit, breachOfRun, ChainCheck, emptyAudit } from './verify.ts'

export const SEAL = 'seal'

export type SealLine = Seal & { type: typeof SEAL }

/**
 * Run by run, oldest first: the stored events, then the seals. Without a filter this is the whole store including
 * tombstones; with one, the selected runs and their seals.
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

/**
 * Verifies like a store, as far as the lines reach: a seal is checked against its predecessor when both are present.
 */
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
    // Memory contents are not exported; only the order of their seals can be checked.
    if (!isKept(seal)) result.seals++
    if (!isKept(seal) && seal.tombstone !== undefined) result.tombstones++
    const follows = n === 1 || previous?.n === n - 1
    const broken =
      follows && hashSeal(n === 1 ? GENESIS : (previous?.hash ?? ''), seal) !== seal.hash
        ? ({ code: 'sealHash', seal: n } as const)
        : isKept(seal)
          ? undefined
          : breachOfRun(seal, { check: checks.get(runId), buried: buried.has(runId) })
    if (broken !== undefined) result.breaches.push(breachAt(runId, lastSeq, broken))
    previous = seal
    result.head = seal.hash
  }
  result.breaches.push(...breachesOfHeads(seals, heads))
  return result
}
