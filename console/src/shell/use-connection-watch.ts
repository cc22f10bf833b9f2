/** Reacts to changes of the connection: polls an unreachable server, reloads data after a reconnect or sign-in. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Connection, connectionNow, markConnected, useConnection } from '../lib/connection.ts'
import { forgetDrafts } from '../lib/draft.ts'
import { infoQuery } from '../lib/queries.ts'
import { onSignOut } from '../lib/tabs.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 8000

export function useConnectionWatch(): Connection {
  const connection = useConnection()
  const client = useQueryClient()
  const before = useRef(connection)
  useEffect(() => {
    const wasShut = before.current !== 'open'
    before.current = connection
    if (connection === 'open' && wasShut) void client.invalidateQueries()
    if (connection !== 'unreachable') return
    const leaving = new AbortController()
    void pollUntilReady(leaving.signal)
    return () => leaving.abort()
  }, [connection, client])
  usePrincipal()
  useEffect(() => onSignOut(() => client.clear()), [client])
  return connection
}

async function pollUntilReady(signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const isReady = await fetch('/readyz', { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && connectionNow() === 'unreachable') return markConnected()
  }
}

/** After a sign-in as another principal, the page and the drafts of the previous one must not stay visible. */
function usePrincipal(): void {
  const principal = useQuery(infoQuery).data?.principal
  const first = useRef(principal)
  useEffect(() => {
    if (first.current !== undefined && principal !== undefined && principal !== first.current) {
      forgetDrafts()
      location.assign('/')
    }
    first.current = principal ?? first.current
  }, [principal])
}
