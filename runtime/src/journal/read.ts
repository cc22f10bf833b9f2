/** Reads a store page by page, so that memory use is bounded. */
import type { StoredEvent } from '../protocol/event.ts'
import type { RunFilter, RunRow, Seal, Store } from './store.ts'

const PAGE = 1000

/** Undefined when there is no such run. */
export async function firstEvent(store: Pick<Store, 'readRun'>, runId: string): Promise<StoredEvent | undefined> {
  const [first] = await store.readRun(runId, 0, 1)
  return first
}

export async function* eventsOf(store: Pick<Store, 'readRun'>, runId: string): AsyncGenerator<StoredEvent> {
  yield* paged(({ seq }) => store.readRun(runId, seq, PAGE), { seq: 0 })
}

/** Newest first. */
export async function* runsOf(store: Pick<Store, 'listRuns'>, filter: RunFilter = {}): AsyncGenerator<RunRow> {
  const first = await store.listRuns({ ...filter, limit: PAGE })
  yield* first
  const last = first.at(-1)
  if (first.length < PAGE || last === undefined) return
  yield* paged((before) => store.listRuns({ ...filter, before, limit: PAGE }), last)
}

export async function* sealsOf(store: Pick<Store, 'readSeals'>): AsyncGenerator<Seal> {
  yield* paged(({ n }) => store.readSeals(n, PAGE), { n: 0 })
}

async function* paged<Item extends From, From>(
  next: (from: From) => Promise<Item[]>,
  start: From,
): AsyncGenerator<Item> {
  let from = start
  for (;;) {
    const page = await next(from)
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return
    from = last
  }
}
