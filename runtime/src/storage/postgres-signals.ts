import type { Client } from 'pg'
import type { Signals } from './announcer.ts'

const CHANNEL = 'writ_stored'
const RETRY_MS = 1000

/** `open` returns a separate connection: a listening one cannot return to the pool. */
export function postgresSignals(
  open: () => Client,
  send: (channel: string, text: string) => Promise<unknown>,
): Signals {
  const listeners = new Set<(text: string) => void>()
  let client: Client | undefined
  let retryTimer: NodeJS.Timeout | undefined

  function connect(): void {
    retryTimer = undefined
    const connection = open()
    client = connection
    const onLost = () => {
      if (client !== connection) return
      client = undefined
      connection.end().catch(() => {})
      // Notifications in between are onLost; followers of a run also poll.
      if (listeners.size > 0) retryTimer = setTimeout(connect, RETRY_MS).unref()
    }
    connection.on('error', onLost)
    connection.on('end', onLost)
    connection.on('notification', ({ payload = '' }) => {
      for (const listener of listeners) listener(payload)
    })
    connection
      .connect()
      .then(() => connection.query(`listen ${CHANNEL}`))
      .catch(onLost)
  }

  return {
    async send(text) {
      await send(CHANNEL, text)
    },
    listen(on) {
      listeners.add(on)
      if (client === undefined && retryTimer === undefined) connect()
      return () => {
        listeners.delete(on)
        if (listeners.size > 0) return
        clearTimeout(retryTimer)
        retryTimer = undefined
        const idle = client
        client = undefined
        idle?.end().catch(() => {})
      }
    },
  }
}
