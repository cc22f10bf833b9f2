/** Summaries of runs, page by page. */
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { costOf, type PriceTable } from '../journal/prices.ts'
import { type CountedRun, countedRuns } from '../journal/run-account.ts'
import type { RunFilter, RunRow, Store } from '../journal/store.ts'
import { familiesOf, totalsOf } from '../journal/totals.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { DENIAL_REASONS } from '../protocol/verdict.ts'
import type { RunSummary } from './contract/shapes.ts'

const REFUSALS: ReadonlySet<string> = new Set(DENIAL_REASONS)
const NOTHING = { inputTokens: 0, outputTokens: 0 }
const NO_SUMS = { steps: 0, toolCalls: 0, usage: NOTHING }
/** Runs searched for words before a page is returned unfilled. */
const MAX_SEARCHED = 5000
const PAGE = 200

export async function summariesOf(store: Store, rows: readonly RunRow[], prices: PriceTable): Promise<RunSummary[]> {
  const ids = rows.map(({ runId }) => runId)
  const families = await familiesOf(store, ids)
  const [facts, codes, totals, nodes] = await Promise.all([
    store.readOf(ids, ['run.started', 'run.stopped']),
    store.countCodes([...new Set([...families.values()].flat())]),
    totalsOf(store, families, prices),
    nodesOf(store, rows),
  ])
  // Stopped runs record their totals.
  const open = rows.flatMap(({ runId, stopped }) => (stopped ? [] : [runId]))
  const soFar = new Map<string, CountedRun>()
  for await (const counted of countedRuns(store, open)) soFar.set(counted.runId, counted)
  const byRun = Map.groupBy(facts, ({ runId }) => runId)
  const denials = new Map<string, number>()
  for (const { runId, code, count } of codes) {
    if (REFUSALS.has(code.split('/')[0] ?? '')) denials.set(runId, (denials.get(runId) ?? 0) + count)
  }
  return rows.map((row) => {
    const { runId } = row
    const below = (families.get(runId) ?? []).filter((id) => id !== runId)
    const total = {
      ...(totals.get(runId) ?? { usage: NOTHING, children: 0 }),
      denials: [runId, ...below].reduce((sum, id) => sum + (denials.get(id) ?? 0), 0),
    }
    const counted = soFar.get(runId)?.sums ?? NO_SUMS
    const about = { denials: denials.get(runId) ?? 0, prices, total, node: nodes.get(runId), counted }
    return summaryOf(row, byRun.get(runId) ?? [], about)
  })
}

/** Which node of a workflow each run is an attempt at. */
async function nodesOf(store: Store, rows: readonly RunRow[]): Promise<Map<string, RunSummary['node']>> {
  const parents = new Set(rows.flatMap(({ parentRunId }) => parentRunId ?? []))
  const started = parents.size === 0 ? [] : await store.readOf([...parents], ['node.started'])
  return new Map(
    started.flatMap((event) => {
      if (event.type !== 'node.started' || event.data.runId === undefined) return []
      const { node, tool, runId } = event.data
      return [[runId, { id: node, tool }]]
    }),
  )
}

interface About extends Pick<RunSummary, 'denials' | 'total'> {
  prices: PriceTable
  node: RunSummary['node']
  counted: CountedRun['sums']
}

function summaryOf(
  row: RunRow,
  events: readonly StoredEvent[],
  { denials, prices, total, node, counted }: About,
): RunSummary {
  const { runId, sessionId, parentRunId, startedAt, stopReason } = row
  const started = events.find((event) => event.type === 'run.started')
  const stopped = events.find((event) => event.type === 'run.stopped')
  const { task = '', model = '', outside } = started?.type === 'run.started' ? started.data : {}
  const end = stopped?.type === 'run.stopped' ? stopped.data : counted
  const cost = costOf(model, end.usage, prices).usd
  return {
    runId,
    sessionId,
    ...present({ parentRunId, node }),
    mode: started?.mode ?? 'chat',
    task,
    model,
    ...present({ outside }),
    startedAt,
    ...present({ stoppedAt: stopped?.timestamp, stopReason }),
    steps: end.steps,
    toolCalls: end.toolCalls,
    denials,
    usage: end.usage,
    ...present({ cost: cost ?? undefined }),
    total,
  }
}

export interface RunPage {
  runs: RunSummary[]
  next?: string
}

/** With `words`: only runs whose task contains all of them. With `agent`: only those of this outside agent. */
export async function pageOf(
  store: Store,
  { limit, before, ...filter }: RunFilter & { limit: number },
  { words, agent, prices }: { words: readonly string[]; agent: string | undefined; prices: PriceTable },
): Promise<RunPage> {
  const runs: RunSummary[] = []
  let last = before
  for (let searched = 0; searched < MAX_SEARCHED; ) {
    const size = words.length === 0 && agent === undefined ? limit : PAGE
    const rows = await store.listRuns({ ...filter, limit: size, ...present({ before: last }) })
    const found = await summariesOf(store, rows, prices)
    for (const run of found) {
      last = run
      const task = run.task.toLowerCase()
      const isOf = agent === undefined || run.outside?.agent === agent
      if (isOf && words.every((word) => task.includes(word))) runs.push(run)
      if (runs.length === limit) return { runs, next: cursorOf(run) }
    }
    if (rows.length < size) return { runs }
    searched += rows.length
  }
  return last === undefined ? { runs } : { runs, next: cursorOf(last) }
}

function cursorOf({ startedAt, runId }: Pick<RunRow, 'startedAt' | 'runId'>): string {
  return `${startedAt}.${runId}`
}

export function parseCursor(text: string): Pick<RunRow, 'startedAt' | 'runId'> {
  const [, startedAt, runId] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(text) ?? []
  if (startedAt === undefined || runId === undefined) throw new WritError('BAD_CURSOR.page', { before: text })
  return { startedAt: Number(startedAt), runId }
}
