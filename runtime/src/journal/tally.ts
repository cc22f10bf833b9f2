/** Counts of decisions, shared by the statistics and the replay. */
import type { Event, EventOf } from '../protocol/event.ts'
import type { DenialReason } from '../protocol/verdict.ts'

/** What the gate decided about a call. */
export type GateDecision = EventOf<'gate.decided'>['data']['decision']
/** How many calls were decided each way. */
export type Tally = Record<GateDecision, number>
export type ReasonCounts = Partial<Record<DenialReason, number>>

/**
 * Distinguishes the first decision about a call from those after a question or a restart. `open`: the calls that were
 * decided so far and have no result; a provider may reuse their ids afterwards.
 */
export function isFirstDecision(event: Event, open: Set<string>): boolean {
  if (event.type === 'tool.result' && !event.data.retried) open.delete(event.data.callId)
  // A changed call is another proposal.
  if (event.type === 'confirm.edited') open.delete(event.data.callId)
  if (event.type !== 'gate.decided' || open.has(event.data.callId)) return false
  open.add(event.data.callId)
  return true
}

export type PackedCounts<Name extends string> = [name: Name, count: number][]

/** Counts per name, printed in the order of the enum. */
export class Counts<Name extends string> {
  readonly #counts = new Map<Name, number>()

  add(name: Name, by = 1): void {
    this.#counts.set(name, this.of(name) + by)
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0
  }

  packed(): PackedCounts<Name> {
    return [...this.#counts]
  }

  merge(packed: PackedCounts<Name>): void {
    for (const [name, count] of packed) this.add(name, count)
  }

  inOrder(names: readonly Name[]): Partial<Record<Name, number>> {
    return pick(this.#counts, names)
  }
}

export function newTally(): Tally {
  return { allow: 0, ask: 0, deny: 0 }
}

export function tallyOf<Name>(tallies: Map<Name, Tally>, name: Name): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = newTally()
    tallies.set(name, tally)
  }
  return tally
}

export function pick<Name extends string, Value>(from: ReadonlyMap<Name, Value>, names: readonly Name[]) {
  const found = names.flatMap((name) => {
    const value = from.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found) as Record<Name, Value>
}
