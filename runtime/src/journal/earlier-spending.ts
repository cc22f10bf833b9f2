/** Counts runs that had no money budget, from their journals. */
import type { Spending, SpendingEntry } from '../ports/spending.ts'
import { utcDay } from '../protocol/budget.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Principal } from '../protocol/principal.ts'
import { costOf, type PriceTable } from './prices.ts'
import type { Store } from './store.ts'

const RUNS_AT_ONCE = 50

export interface EarlierDeps {
  spending: Spending
  store: Pick<Store, 'readOf'>
  prices: PriceTable
}

/** `since`: runs that ended before then do not matter. */
export async function countEarlier(deps: EarlierDeps, owner: Principal, since: number): Promise<void> {
  const { spending, store, prices } = deps
  const runIds = await spending.uncounted(owner, since)
  for (let at = 0; at < runIds.length; at += RUNS_AT_ONCE) {
    const some = runIds.slice(at, at + RUNS_AT_ONCE)
    const events = Map.groupBy(
      await store.readOf(some, ['run.started', 'model.requested', 'model.replied']),
      ({ runId }) => runId,
    )
    await spending.count(some.flatMap((runId) => entriesOf(events.get(runId) ?? [], { owner, runId, prices })))
  }
}

/** One entry for each day; a run without calls gets one too, so that it is not read again. */
function entriesOf(
  events: readonly StoredEvent[],
  { owner, runId, prices }: { owner: Principal; runId: string; prices: PriceTable },
): SpendingEntry[] {
  const days = new Map<string, number>()
  let rootRunId = runId
  let model = ''
  for (const { type, data, timestamp } of events) {
    if (type === 'run.started') {
      model = data.model
      rootRunId = data.parentRunId ?? runId
    } else if (type === 'model.requested') model = data.model
    else if (type === 'model.replied') {
      const day = utcDay(timestamp)
      days.set(day, (days.get(day) ?? 0) + (costOf(model, data.usage, prices).usd ?? 0))
    }
  }
  if (days.size === 0) days.set(utcDay(events[0]?.timestamp ?? 0), 0)
  return [...days].map(([day, usd]) => ({ owner, runId, rootRunId, day, usd }))
}
