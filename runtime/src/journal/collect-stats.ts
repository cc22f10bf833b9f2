/** The statistics of a whole store, read run by run. */
import { eventsOf, runsOf, sealsOf } from './read.ts'
import { StatsAccount } from './stats.ts'
import { isRecord, type Store } from './store.ts'

/** Statistics of the runs started since then. A skipped due time is not a run; it counts by the time of its seal. */
export async function collectStats(store: Store, { since }: { since?: number } = {}): Promise<StatsAccount> {
  const account = new StatsAccount()
  const count = async (runId: string) => {
    for await (const event of eventsOf(store, runId)) account.add(event)
  }
  for await (const { runId } of runsOf(store, { since })) await count(runId)
  for await (const seal of sealsOf(store)) {
    if (isRecord(seal) && seal.sealedAt >= (since ?? 0)) await count(seal.runId)
  }
  return account
}
