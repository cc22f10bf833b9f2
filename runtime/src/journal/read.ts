/** Reads a store page by page, so that memory use is bounded. */
import type { StoredEvent } from '../protocol/event.ts'
import type { RunFilter, RunRow, Seal, Store } from './store.ts'

const PAGE = 1000

/** Undefined when there is no such run. */
export async function firstEvent(store: Pick<Store, 'readRun'>, runId: string): Promise<StoredEvent | undefined> {
  const [first] = await store.readRun(runId, 0, 1)
  return first
}

export async function* eventsOf(
  store: Pick<Store, 'readRun'>,
  runId: string,
  afterSeq = 0,
): AsyncGenerator<StoredEvent> {
  yield* paged(({ seq }) => store.readRun(runId, seq, PAGE), { seq: afterSeq })
}

/** Newest first. */
export async function* runsOf(store: Pick<Store, 'listRuns'>, filter: RunFilter = {}): AsyncGenerator<RunRow> {
  for await (const page of runPagesOf(store, filter)) yield* page
}

/** Newest first. */
export async function* runPagesOf(
  store: Pick<Store, 'listRuns'>,
  filter: RunFilter = {},
): AsyncGenerator<readonly RunRow[]> {
  const first = await store.listRuns({ ...filter, limit: PAGE })
  yield first
  const last = first.at(-1)
  if (first.length < PAGE || last === undefined) return
  yield* pages((before) => store.listRuns({ ...filter, before, limit: PAGE }), last)
}

export async function* sealsOf(store: Pick<Store, 'readSeals'>): AsyncGenerator<Seal> {
  yield* paged(({ n }) => store.readSeals(n, PAGE), { n: 0 })
}

async function* paged<Item extends From, From>(
  next: (from: From) => Promise<Item[]>,
  start: From,
): AsyncGenerator<Item> {
  for await (const page of pages(next, start)) yield* page
}

async function* pages<Item extends From, From>(
  next: (from: From) => Promise<Item[]>,
  start: From,
): AsyncGenerator<readonly Item[]> {
  let from = start
  for (;;) {
    const page = await next(from)
    yield page
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return
    from = last
  }
}
