/** Summaries of runs, page by page. */
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { costOf, type PriceTable } from '../journal/prices.ts'
import { type CountedRun, countedRuns } from '../journal/run-account.ts'
import type { RunFilter, RunRow, Store } from '../journal/store.ts'
import { type Totals, totalsOf } from '../journal/totals.ts'
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
  const [facts, codes, totals] = await Promise.all([
    store.readOf(ids, ['run.started', 'run.stopped']),
    store.countCodes(ids),
    totalsOf(store, ids, prices),
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
    const total = totals.get(runId) ?? { usage: NOTHING, children: 0 }
    const counted = soFar.get(runId)?.sums ?? NO_SUMS
    return summaryOf(row, byRun.get(runId) ?? [], { denials: denials.get(runId) ?? 0, prices, total, counted })
  })
}

function summaryOf(
  row: RunRow,
  events: readonly StoredEvent[],
  {
    denials,
    prices,
    total,
    counted,
  }: { denials: number; prices: PriceTable; total: Totals; counted: CountedRun['sums'] },
): RunSummary {
  const { runId, sessionId, parentRunId, startedAt, stopReason } = row
  const started = events.find((event) => event.type === 'run.started')
  const stopped = events.find((event) => event.type === 'run.stopped')
  const { task = '', model = '' } = started?.type === 'run.started' ? started.data : {}
  const end = stopped?.type === 'run.stopped' ? stopped.data : counted
  const cost = costOf(model, end.usage, prices).usd
  return {
    runId,
    sessionId,
    ...present({ parentRunId }),
    mode: started?.mode ?? 'chat',
    task,
    model,
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

/** With `words`: only runs whose task contains all of them. */
export async function pageOf(
  store: Store,
  { limit, before, ...filter }: RunFilter & { limit: number },
  { words, prices }: { words: readonly string[]; prices: PriceTable },
): Promise<RunPage> {
  const runs: RunSummary[] = []
  let last = before
  for (let searched = 0; searched < MAX_SEARCHED; ) {
    const size = words.length === 0 ? limit : PAGE
    const rows = await store.listRuns({ ...filter, limit: size, ...present({ before: last }) })
    const found = await summariesOf(store, rows, prices)
    for (const run of found) {
      last = run
      const task = run.task.toLowerCase()
      if (words.every((word) => task.includes(word))) runs.push(run)
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
