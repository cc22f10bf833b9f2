/** What model calls have cost, per run and UTC day. It outlives the runs: deleting a run gives no money back. */
import type { Spent } from '../protocol/budget.ts'
import type { Principal } from '../protocol/principal.ts'

export interface SpendingEntry {
  owner: Principal
  runId: string
  /** The run that a person or a schedule started; the run itself when it is not a child. */
  rootRunId: string
  /** UTC. */
  day: string
  /** US dollars. */
  usd: number
}

export interface Spending {
  /**
   * Adds the amount if `admits` agrees, given what was spent before, all open reservations included. Reservations of
   * one owner are made one after the other, in every process that uses the same store.
   */
  reserve(entry: SpendingEntry, admits: (spent: Spent) => boolean): Promise<{ spent: Spent; admitted: boolean }>
  /** Adds an amount, which may be negative: the difference between a reservation and the real cost. */
  correct(entry: SpendingEntry): Promise<void>
  /** Ended runs that are not counted: they ran without a budget. `since`: only those that ended later. */
  uncounted(owner: Principal, since: number): Promise<string[]>
  /** Counts runs of one owner, at most a hundred days of work at once. A run that is counted already stays as it is. */
  count(entries: readonly SpendingEntry[]): Promise<void>
}
