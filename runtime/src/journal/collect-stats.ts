/** The statistics of a whole store, read run by run. */
import { eventsOf, runPagesOf, sealsOf } from './read.ts'
import { countedRuns } from './run-account.ts'
import { StatsAccount } from './stats.ts'
import { isRecord, type RunFilter, type Store } from './store.ts'

/** Statistics of the runs started since then. A skipped due time is not a run; it counts by the time of its seal. */
export async function collectStats(store: Store, { since }: { since?: number } = {}): Promise<StatsAccount> {
  const account = new StatsAccount()
  await addRuns(account, store, { since })
  for await (const seal of sealsOf(store)) {
    if (!isRecord(seal) || seal.sealedAt < (since ?? 0)) continue
    for await (const event of eventsOf(store, seal.runId)) account.add(event)
  }
  return account
}

/** The cost follows the number of runs, not of their events. */
export async function addRuns(account: StatsAccount, store: Store, filter: RunFilter): Promise<void> {
  for await (const rows of runPagesOf(store, filter)) {
    const runIds = rows.map(({ runId }) => runId)
    for await (const { stats } of countedRuns(store, runIds)) account.merge(stats)
  }
}
