/**
 * Server-sent events of sessions and runs. Stored events come from the store, each with the id to continue from. Text
 * that a model is still writing comes from the live run, and is superseded once the reply is stored.
 */
import type { Context } from 'hono'
import { endsRun } from '../journal/journal.ts'
import type { Store } from '../journal/store.ts'
import type { LiveRuns, Subscription } from './live-runs.ts'

/** Another process may store events of the same session without notifying this one. */
const POLL_MS = 1000
const HEARTBEAT_MS = 15_000
const PAGE = 200
/** How often open streams check that their token is still valid. */
const RECHECK_MS = 1000

export interface Followed {
  store: Pick<Store, 'readPlaced' | 'readRun'>
  liveRuns: LiveRuns
}

export interface Following {
  /** Starts after this position. */
  after: number
  signal: AbortSignal
  /** Ends when it settles, after everything stored by then. Without it: when the signal aborts. */
  until?: Promise<unknown> | undefined
  /** Filter of the events. */
  only?: (event: { turnId: string }) => boolean
}

export function frame(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

export function followSession(followed: Followed, sessionId: string, how: Following): AsyncGenerator<string> {
  const { store } = followed
  const seen = new Map<string, number>()
  const only = how.only ?? (() => true)
  let place = how.after
  return follow(followed.liveRuns, sessionId, how, {
    async read() {
      const page = await store.readPlaced(sessionId, place, PAGE)
      for (const { event } of page) seen.set(event.runId, event.seq)
      place = page.at(-1)?.place ?? place
      const frames = page
        .filter(({ event }) => only(event))
        .map((each) => frame(each.event.type, each.event, `${each.place}`))
      return { frames: frames.join(''), more: page.length === PAGE }
    },
    // Text of a step whose reply was already sent would be shown twice.
    isFresh: ({ runId, seq, turnId }) => (seen.get(runId) ?? 0) <= seq && (turnId === undefined || only({ turnId })),
  })
}

/** Events of one run, by sequence number. Ends with the run. */
export function followRun(
  followed: Followed,
  { runId, sessionId }: { runId: string; sessionId: string },
  how: Following,
): AsyncGenerator<string> {
  let seq = how.after
  const over = Promise.withResolvers<void>()
  return follow(
    followed.liveRuns,
    sessionId,
    { ...how, until: Promise.race([over.promise, how.until ?? over.promise]) },
    {
      async read() {
        const page = await followed.store.readRun(runId, seq, PAGE)
        seq = page.at(-1)?.seq ?? seq
        if (page.some(endsRun)) over.resolve()
        const frames = page.map((event) => frame(event.type, event, `${event.seq}`))
        return { frames: frames.join(''), more: page.length === PAGE }
      },
      isFresh: (text) => text.runId === runId && seq <= text.seq,
    },
  )
}

interface Source {
  read(): Promise<{ frames: string; more: boolean }>
  isFresh(text: { runId: string; seq: number; turnId?: string }): boolean
}

async function* follow(liveRuns: LiveRuns, sessionId: string, how: Following, source: Source): AsyncGenerator<string> {
  const subscription = liveRuns.subscribe(sessionId)
  const ending = AbortSignal.any([how.signal, liveRuns.closing])
  const onEnding = () => subscription.wake()
  ending.addEventListener('abort', onEnding)
  let ended = false
  const end = () => {
    ended = true
    subscription.wake()
  }
  how.until?.then(end, end)
  try {
    yield* pieces(subscription, source, {
      isOver: () => ended || liveRuns.closing.aborted,
      isAbandoned: () => how.signal.aborted,
    })
  } finally {
    ending.removeEventListener('abort', onEnding)
    subscription.close()
  }
}

async function* pieces(
  subscription: Subscription,
  source: Source,
  { isOver, isAbandoned }: { isOver(): boolean; isAbandoned(): boolean },
): AsyncGenerator<string> {
  let drafts = subscription.drafts
  let news: Awaited<ReturnType<Subscription['next']>> = { stored: true, deltas: [] }
  let quietMs = 0
  while (!isAbandoned()) {
    const last = isOver()
    let out = ''
    // Also without a notification: another process may have stored events.
    if (news.stored || last || news.deltas.length === 0) {
      for (let more = true; more; ) {
        const page = await source.read()
        more = page.more
        if (more) yield page.frames
        else out = page.frames
      }
    }
    for (const { runId, seq, text } of drafts) {
      if (source.isFresh({ runId, seq })) out += frame('model.snapshot', { runId, seq, text })
    }
    drafts = []
    for (const delta of news.deltas) if (source.isFresh(delta)) out += frame('model.delta', delta)
    quietMs = out === '' ? quietMs + POLL_MS : 0
    if (quietMs >= HEARTBEAT_MS) {
      out = ': still here\n\n'
      quietMs = 0
    }
    if (out !== '') yield out
    if (last) return
    if (!isOver()) news = await subscription.next(POLL_MS)
  }
}

/**
 * A streaming response. The next frame is only created when the client has taken the last one, so slow readers use no
 * memory. The stream ends when the token is revoked.
 */
export function streamed(frames: AsyncGenerator<string>, c: Context): Response {
  const encoder = new TextEncoder()
  const isTokenValid = c.get('isTokenValid')
  const releaseStream = c.get('reserveStream')()
  let checkedAt = performance.now()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Shows proxies and clients that the stream is open, whatever the first event waits for.
      controller.enqueue(encoder.encode(': open\n\n'))
    },
    async pull(controller) {
      const next = await frames.next().catch((error: unknown) => {
        releaseStream()
        throw error
      })
      if (!next.done && performance.now() - checkedAt >= RECHECK_MS) {
        if (!(await isTokenValid())) {
          releaseStream()
          controller.close()
          await frames.return(undefined)
          return
        }
        checkedAt = performance.now()
      }
      if (next.done) {
        releaseStream()
        controller.close()
      } else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      releaseStream()
      await frames.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Keeps proxies from buffering the stream.
      'x-accel-buffering': 'no',
    },
  })
}
