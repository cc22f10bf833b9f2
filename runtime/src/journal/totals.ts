/** Total cost of runs with their child runs: scouts, workflow nodes, agents in nodes. */
import type { StoredEvent } from '../protocol/event.ts'
import { addUsage, type Usage } from '../protocol/message.ts'
import { costOf, type PriceTable, sumOf } from './prices.ts'
import { countedRuns } from './run-account.ts'
import type { Store } from './store.ts'

/** What a run and the runs it started used. */
export interface Totals {
  usage: Usage
  /** US dollars; absent when a price is unknown. */
  cost?: number
  /** Number of child runs included. */
  children: number
}

type Reading = Pick<Store, 'listRuns' | 'readAccounts' | 'readOf' | 'readRun'>

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 }

/** Each run with all runs below it. A requested run may be below another. */
export async function familiesOf(
  store: Pick<Store, 'listRuns'>,
  runIds: readonly string[],
): Promise<Map<string, string[]>> {
  const families = new Map(runIds.map((runId) => [runId, [runId]]))
  /** The requested runs each child run counts for. */
  let rootsOf = new Map(runIds.map((runId) => [runId, [runId]]))
  while (rootsOf.size > 0) {
    const below = new Map<string, string[]>()
    for (const { runId, parentRunId = '' } of await store.listRuns({ parentRunId: [...rootsOf.keys()] })) {
      const roots = rootsOf.get(parentRunId) ?? []
      for (const root of roots) families.get(root)?.push(runId)
      below.set(runId, roots)
    }
    rootsOf = below
  }
  return families
}

export async function totalsOf(
  store: Reading,
  families: ReadonlyMap<string, readonly string[]>,
  prices: PriceTable,
): Promise<Map<string, Totals>> {
  const spending = await readSpending(store, [...new Set([...families.values()].flat())])
  return new Map(
    [...families].map(([runId, family]) => [
      runId,
      sum(
        family.flatMap((id) => spending.get(id) ?? []),
        prices,
      ),
    ]),
  )
}

export async function totalOf(store: Reading, runId: string, prices: PriceTable): Promise<Totals> {
  return sum([...(await readSpending(store, await familyOf(store, runId))).values()], prices)
}

/** Of a run that is known, and the runs below it. */
export async function totalWith(
  store: Reading,
  { own, below }: { own: Spending; below: readonly string[] },
  prices: PriceTable,
): Promise<Totals> {
  return sum([own, ...(await readSpending(store, below)).values()], prices)
}

/** A run, and all runs below it. */
export async function familyOf(store: Pick<Store, 'listRuns'>, runId: string): Promise<readonly string[]> {
  return (await familiesOf(store, [runId])).get(runId) ?? [runId]
}

interface Spending {
  model: string
  usage: Usage
}

async function readSpending(store: Reading, runIds: readonly string[]): Promise<Map<string, Spending>> {
  const facts = Map.groupBy(await store.readOf(runIds, ['run.started', 'run.stopped']), ({ runId }) => runId)
  const isOpen = (runId: string) => facts.get(runId)?.some(({ type }) => type === 'run.stopped') !== true
  // The end of a run has its total.
  const soFar = new Map<string, Usage>()
  for await (const { runId, sums } of countedRuns(store, runIds.filter(isOpen))) soFar.set(runId, sums.usage)
  return new Map(runIds.map((id) => [id, spendingIn(facts.get(id) ?? [], soFar.get(id) ?? NOTHING)]))
}

function spendingIn(events: readonly StoredEvent[], soFar: Usage): Spending {
  let model = ''
  let usage = soFar
  for (const event of events) {
    if (event.type === 'run.started') model = event.data.model
    if (event.type === 'run.stopped') usage = event.data.usage
  }
  return { model, usage }
}

function sum(spending: readonly Spending[], prices: PriceTable): Totals {
  const { usd, unpriced } = sumOf(spending.map(({ model, usage }) => costOf(model, usage, prices)))
  return {
    usage: added(spending.map(({ usage }) => usage)),
    ...(usd === null || unpriced.length > 0 ? {} : { cost: usd }),
    children: Math.max(0, spending.length - 1),
  }
}

function added(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, NOTHING)
}
