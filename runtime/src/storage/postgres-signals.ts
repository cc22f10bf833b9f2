import type { Client } from 'pg'
import type { Signals } from './announcer.ts'

const CHANNEL = 'writ_stored'
const AGAIN_MS = 1000

/** `open` gives a connection of its own: one that listens cannot go back to the pool. */
export function postgresSignals(
  open: () => Client,
  send: (channel: string, text: string) => Promise<unknown>,
): Signals {
  const ears = new Set<(text: string) => void>()
  let client: Client | undefined
  let again: NodeJS.Timeout | undefined

  function connect(): void {
    again = undefined
    const own = open()
    client = own
    const lost = () => {
      if (client !== own) return
      client = undefined
      own.end().catch(() => {})
      // What was said meanwhile is not heard; whoever follows a run looks for himself from time to time.
      if (ears.size > 0) again = setTimeout(connect, AGAIN_MS).unref()
    }
    own.on('error', lost)
    own.on('end', lost)
    own.on('notification', ({ payload = '' }) => {
      for (const ear of ears) ear(payload)
    })
    own
      .connect()
      .then(() => own.query(`listen ${CHANNEL}`))
      .catch(lost)
  }

  return {
    async send(text) {
      await send(CHANNEL, text)
    },
    listen(on) {
      ears.add(on)
      if (client === undefined && again === undefined) connect()
      return () => {
        ears.delete(on)
        if (ears.size > 0) return
        clearTimeout(again)
        again = undefined
        const idle = client
        client = undefined
        idle?.end().catch(() => {})
      }
    },
  }
}
