/** What the shell does when the server stops answering, lets nobody in, or does both again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Door, doorNow, reopen, useDoor } from '../lib/door.ts'
import { forgetDrafts } from '../lib/draft.ts'
import { infoQuery } from '../lib/queries.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 8000

export function useDoorkeeper(): Door {
  const door = useDoor()
  const client = useQueryClient()
  const before = useRef(door)
  useEffect(() => {
    const wasShut = before.current !== 'open'
    before.current = door
    if (door === 'open' && wasShut) void client.invalidateQueries()
    if (door !== 'unreachable') return
    const leaving = new AbortController()
    void knock(leaving.signal)
    return () => leaving.abort()
  }, [door, client])
  usePrincipal()
  return door
}

async function knock(signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const isReady = await fetch('/readyz', { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && doorNow() === 'unreachable') return reopen()
  }
}

/** Whoever signs in as another principal must not find the page, or the drafts, of the one before. */
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
