/** An event stream that reconnects and continues after the last received event. */
import { present } from '../../../runtime/src/base/present.ts'
import { type Frame, framesOf } from '../../../runtime/src/server/client.ts'
import { tokenRejected, untilConnected } from './connection.ts'
import { tokenNow } from './token.ts'

export type Link = 'connecting' | 'open' | 'reconnecting' | 'failed'

interface Following {
  path: string
  signal: AbortSignal
  onFrame(frame: Frame): void
  onLink(link: Link): void
}

const FIRST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 8000
/** The server sends a heartbeat every 15 s; three missed ones are a dead connection. */
const SILENCE_MS = 45_000

export async function follow({ path, signal, onFrame, onLink }: Following): Promise<void> {
  let lastId: string | undefined
  let pause = FIRST_PAUSE_MS
  onLink('connecting')
  while (!signal.aborted) {
    const token = tokenNow()
    const silence = new AbortController()
    const watch = watchdog(() => silence.abort())
    try {
      const response = await fetch(path, {
        headers: headersFor(token, lastId),
        signal: AbortSignal.any([signal, silence.signal]),
      })
      if (response.status === 401) {
        tokenRejected(token)
        onLink('reconnecting')
        await untilConnected(signal)
        continue
      }
      if (isFinal(response.status)) return onLink('failed')
      if (response.ok && response.body !== null) {
        onLink('open')
        pause = FIRST_PAUSE_MS
        for await (const frame of framesOf(response.body.pipeThrough(watch.stream()))) {
          lastId = frame.id ?? lastId
          onFrame(frame)
        }
      }
    } catch {
      // Every connection error is handled the same way: continue after the last event.
    } finally {
      watch.stop()
    }
    if (signal.aborted) return
    onLink('reconnecting')
    await rest(pause, signal)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

function headersFor(token: string | undefined, lastId: string | undefined): Record<string, string> {
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  return present({ accept: 'text/event-stream', authorization, 'last-event-id': lastId })
}

/** Errors that a retry cannot fix. */
function isFinal(status: number): boolean {
  return status === 400 || status === 403 || status === 404
}

function watchdog(bark: () => void) {
  let timer = setTimeout(bark, SILENCE_MS)
  return {
    stop: () => clearTimeout(timer),
    stream: () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          clearTimeout(timer)
          timer = setTimeout(bark, SILENCE_MS)
          controller.enqueue(chunk)
        },
      }),
  }
}

/** Waits, but ends early when the network is back. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      window.removeEventListener('online', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    window.addEventListener('online', done)
  })
}
