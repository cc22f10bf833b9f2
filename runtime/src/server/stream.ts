/**
 * Journals as they grow, for those who watch. Stored events come from the store alone, each with the place to go on
 * from; text still being written comes from the run itself and is never needed again once its reply is stored.
 */
import type { Context } from 'hono'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Hub, Listening } from './hub.ts'

/** Another process may store events of the same session, and nothing here would be told. */
const POLL_MS = 1000
const HEARTBEAT_MS = 15_000
const PAGE = 200
/** How long a token may have been revoked before the streams it opened notice. */
const RECHECK_MS = 1000

export interface Followed {
  store: Pick<Store, 'readPlaced' | 'readRun'>
  hub: Hub
}

export interface Following {
  /** Goes on after this place. */
  after: number
  signal: AbortSignal
  /** Ends when it settles, with everything stored by then. Without it: when the signal says so. */
  until?: Promise<unknown>
  /** Leaves out what it does not hold for. */
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
  return follow(followed.hub, sessionId, how, {
    async read() {
      const page = await store.readPlaced(sessionId, place, PAGE)
      for (const { event } of page) seen.set(event.runId, event.seq)
      place = page.at(-1)?.place ?? place
      const frames = page
        .filter(({ event }) => only(event))
        .map((each) => frame(each.event.type, each.event, `${each.place}`))
      return { frames: frames.join(''), more: page.length === PAGE }
    },
    // Text of a step whose reply was already sent would be shown beside it.
    isFresh: ({ runId, seq, turnId }) => (seen.get(runId) ?? 0) <= seq && (turnId === undefined || only({ turnId })),
  })
}

/** One run by its own numbers; ends with the run, whose end the reader may have seen before. */
export function followRun(
  followed: Followed,
  { runId, sessionId }: { runId: string; sessionId: string },
  how: Following,
): AsyncGenerator<string> {
  let seq = how.after
  const over = Promise.withResolvers<void>()
  return follow(
    followed.hub,
    sessionId,
    { ...how, until: Promise.race([over.promise, ...(how.until === undefined ? [] : [how.until])]) },
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

/** A turn's run is over when its turn is; other runs have no turn of their own. */
function endsRun({ type, mode }: StoredEvent): boolean {
  return type === 'turn.committed' || (type === 'run.stopped' && mode !== 'chat' && mode !== 'routine')
}

interface Source {
  read(): Promise<{ frames: string; more: boolean }>
  isFresh(text: { runId: string; seq: number; turnId?: string }): boolean
}

async function* follow(hub: Hub, sessionId: string, how: Following, source: Source): AsyncGenerator<string> {
  const ear = hub.listen(sessionId)
  const left = AbortSignal.any([how.signal, hub.closing])
  const onLeft = () => ear.wake()
  left.addEventListener('abort', onLeft)
  let ended = false
  const end = () => {
    ended = true
    ear.wake()
  }
  how.until?.then(end, end)
  try {
    yield* pieces(ear, source, { isOver: () => ended || hub.closing.aborted, isLeft: () => how.signal.aborted })
  } finally {
    left.removeEventListener('abort', onLeft)
    ear.close()
  }
}

async function* pieces(
  ear: Listening,
  source: Source,
  { isOver, isLeft }: { isOver(): boolean; isLeft(): boolean },
): AsyncGenerator<string> {
  let drafts = ear.drafts
  let news: Awaited<ReturnType<Listening['next']>> = { stored: true, deltas: [] }
  let quietMs = 0
  // The first bytes tell a proxy, and a client that waits for headers, that the stream is open.
  yield ': open\n\n'
  while (!isLeft()) {
    const last = isOver()
    let out = ''
    // Nothing may have been told, so a look is also due when nothing was heard for a while.
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
    if (!isOver()) news = await ear.next(POLL_MS)
  }
}

/**
 * As the answer to a request. Whoever reads slowly holds up nobody: the next piece is made when this one is taken.
 * Whoever's token is revoked meanwhile gets no other piece.
 */
export function streamed(frames: AsyncGenerator<string>, c: Context): Response {
  const encoder = new TextEncoder()
  const isStillIn = c.get('isStillIn')
  const letGo = c.get('holdStream')()
  let checkedAt = performance.now()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await frames.next().catch((error: unknown) => {
        letGo()
        throw error
      })
      if (!next.done && performance.now() - checkedAt >= RECHECK_MS) {
        if (!(await isStillIn())) {
          letGo()
          controller.close()
          await frames.return(undefined)
          return
        }
        checkedAt = performance.now()
      }
      if (next.done) {
        letGo()
        controller.close()
      } else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      letGo()
      await frames.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects the answer before passing it on would end the live view.
      'x-accel-buffering': 'no',
    },
  })
}
