/** The newest calls of a run, read backwards from its end: a long run opens as fast as a short one. */
import { WritError } from '../errors/writ-error.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { isAside } from '../protocol/message.ts'
import type { Trace, TraceEntry } from '../protocol/trace.ts'
import { type CountedRun, countedRuns } from './run-account.ts'
import type { Store } from './store.ts'
import { type Standing, traceOf } from './trace.ts'

const PAGE = 500

type Reading = Pick<Store, 'readAccounts' | 'readBefore' | 'readOf' | 'readRun'>

export interface Calls {
  entries: TraceEntry[]
  /** The number of the event with the result of each entry; calls without a result come last and have none. */
  results: number[]
  /** To read the calls before these; absent when there are none. */
  before?: string
}

export interface TraceWindow extends Omit<Calls, 'entries'> {
  /** Complete but for the earlier calls, and what was cut from the prompt before them. */
  trace: Trace
}

/** At least the last `atLeast` calls: those of one reply stay together. */
export async function readNewestTrace(
  store: Reading,
  runId: string,
  { standing, atLeast }: { standing: Standing | undefined; atLeast: number },
): Promise<TraceWindow> {
  const counted = await countOf(store, runId)
  // Only a listed run is counted. Any other is short.
  const all = counted === undefined ? Number.POSITIVE_INFINITY : callsIn(counted)
  const wanted = counted === undefined ? all : Math.min(atLeast, all)
  const { events, isAll } = await readBack(store, runId, { before: Number.MAX_SAFE_INTEGER, atLeast: wanted })
  const results = resultsIn(events)
  if (isAll || counted === undefined) return { trace: traceOf(events, standing), results }
  const started = await store.readOf([runId], ['run.started'])
  const { draft } = counted.sums
  // The last text for the reader is shown when a run has no answer.
  const written = draft === undefined ? [] : await store.readRun(runId, draft - 1, 1)
  const trace = traceOf([...started, ...written.filter(({ seq }) => seq < (events[0]?.seq ?? 0)), ...events], standing)
  const earlier = all - results.length
  const waiting = trace.trace.slice(results.length)
  return {
    trace: { ...trace, trace: renumbered(trace.trace, earlier), used_tools: usedIn(counted, waiting) },
    results,
    ...(earlier > 0 ? { before: cursorOf(events, earlier) } : {}),
  }
}

/** `before`: as in the answer with the calls after these. */
export async function readEarlierCalls(
  store: Reading,
  runId: string,
  { before, atLeast }: { before: string; atLeast: number },
): Promise<Calls> {
  const at = parseCursor(before)
  const { events, isAll } = await readBack(store, runId, { before: at.seq, atLeast })
  const results = resultsIn(events)
  const earlier = Math.max(0, at.calls - results.length)
  const entries = renumbered(traceOf(events).trace, earlier)
  return { entries, results, ...(isAll || earlier === 0 ? {} : { before: cursorOf(events, earlier) }) }
}

/** From the start of a step: its calls are described by events before their results. */
async function readBack(
  store: Reading,
  runId: string,
  { before, atLeast }: { before: number; atLeast: number },
): Promise<{ events: StoredEvent[]; isAll: boolean }> {
  const pages: StoredEvent[][] = []
  let left = atLeast
  for (let from = before; ; ) {
    const page = await store.readBefore(runId, from, PAGE)
    const cut = page.findLastIndex((event) => {
      if (isResult(event)) left--
      return left <= 0 && event.type === 'model.replied' && !isAside(event.data.purpose)
    })
    const isFirst = page.length < PAGE || page[0]?.seq === 1
    if (atLeast === 0) return { events: page, isAll: isFirst }
    pages.unshift(cut === -1 ? page : page.slice(cut))
    if (cut !== -1 || isFirst) return { events: pages.flat(), isAll: cut === -1 }
    from = page[0]?.seq ?? 0
  }
}

function isResult(event: StoredEvent): boolean {
  return event.type === 'tool.result' && event.data.observation.code !== 'SKIPPED'
}

function resultsIn(events: readonly StoredEvent[]): number[] {
  return events.filter(isResult).map(({ seq }) => seq)
}

async function countOf(store: Reading, runId: string): Promise<CountedRun | undefined> {
  for await (const counted of countedRuns(store, [runId])) return counted
  return undefined
}

function callsIn({ stats }: CountedRun): number {
  return stats.counts.tools.reduce((sum, [, [ran], { denied }]) => sum + ran + denied, 0)
}

/** `waiting`: calls that are running or were cut off; they are not counted before their result. */
function usedIn({ stats }: CountedRun, waiting: readonly TraceEntry[]): Trace['used_tools'] {
  const used: Trace['used_tools'] = Object.create(null)
  for (const [tool, [count, total_ms]] of stats.counts.tools) if (count > 0) used[tool] = { count, total_ms }
  for (const { action } of waiting) {
    const { count, total_ms } = used[action.tool] ?? { count: 0, total_ms: 0 }
    used[action.tool] = { count: count + 1, total_ms }
  }
  return used
}

function renumbered(entries: readonly TraceEntry[], earlier: number): TraceEntry[] {
  return entries.map((entry) => ({ ...entry, step: entry.step + earlier }))
}

function cursorOf(events: readonly StoredEvent[], earlier: number): string {
  return `${events[0]?.seq}.${earlier}`
}

function parseCursor(text: string): { seq: number; calls: number } {
  const [, seq, calls] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (seq === undefined) throw new WritError('BAD_CURSOR.page', { before: text })
  return { seq: Number(seq), calls: Number(calls) }
}
