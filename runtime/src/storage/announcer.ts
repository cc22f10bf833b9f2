/** Notifies other processes of stored events. Optional: readers also poll. */
import { randomIds } from '../base/id.ts'
import type { StoredEvent } from '../protocol/event.ts'

/** Messages between processes that share a database. */
export interface Signals {
  send(text: string): Promise<void>
  /** The connection is kept until the last listener is removed. */
  listen(on: (text: string) => void): () => void
}

/** Notifications are batched: one per step would serialize all commits. */
const GATHER_MS = 20
/** A notification is limited to 8,000 bytes. */
const MAX_RUNS = 60

type Stretch = [runId: string, firstSeq: number, lastSeq: number]

export interface Announcer {
  stored(events: readonly StoredEvent[]): void
  /** Receives notifications of other processes. */
  onOthers(listener: (stretch: { runId: string; afterSeq: number; count: number }) => void): () => void
  close(): Promise<void>
}

export function announcerOn(signals: Signals): Announcer {
  const self = randomIds('store')
  const waiting = new Map<string, Stretch>()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const stretches = [...waiting.values()]
    waiting.clear()
    for (let i = 0; i < stretches.length; i += MAX_RUNS) {
      const text = JSON.stringify([self, stretches.slice(i, i + MAX_RUNS)])
      await signals.send(text).catch(() => {})
    }
  }

  return {
    stored(events) {
      for (const { runId, seq } of events) {
        const [, first = seq] = waiting.get(runId) ?? []
        waiting.set(runId, [runId, first, seq])
      }
      timer ??= setTimeout(() => {
        // One after another: two connections could exchange their order.
        sending = sending.then(send)
      }, GATHER_MS).unref()
    },
    onOthers: (listener) =>
      signals.listen((text) => {
        const [from, stretches] = JSON.parse(text) as [string, Stretch[]]
        if (from === self) return
        for (const [runId, first, last] of stretches) listener({ runId, afterSeq: first - 1, count: last - first + 1 })
      }),
    async close() {
      await sending
      await send()
    },
  }
}
