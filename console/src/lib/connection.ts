/** The connection state: reachable and signed in, signed out, or unreachable. Updated by every request. */
import { useSyncExternalStore } from 'react'
import { ApiError } from '../../../runtime/src/server/client.ts'
import { tokenNow } from './token.ts'

export type Connection = 'open' | 'signed-out' | 'unreachable'

let connection: Connection = 'open'
const listeners = new Set<() => void>()

export function connectionNow(): Connection {
  return connection
}

function setConnection(next: Connection): void {
  if (connection === next) return
  connection = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connectionNow)
}

/** Fetch throws a TypeError when there was no response. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError
}

/** Sends a request and updates the connection state from its result. */
export async function trackConnection<T>(ask: () => Promise<T>): Promise<T> {
  const token = tokenNow()
  try {
    const answer = await ask()
    if (token === tokenNow()) setConnection('open')
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) tokenRejected(token)
    else if (isUnreachable(error) || (error instanceof ApiError && error.code === 'DRAINING')) {
      if (connection === 'open') setConnection('unreachable')
    }
    throw error
  }
}

/** Ignored when the token has been replaced since the request was sent. */
export function tokenRejected(token: string | undefined): void {
  if (token === tokenNow()) setConnection('signed-out')
}

export function markSignedOut(): void {
  setConnection('signed-out')
}

/** Another tab has signed in, or the server is reachable again. */
export function markConnected(): void {
  setConnection('open')
}

export function untilConnected(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (connection !== 'open' && !signal.aborted) return
      listeners.delete(look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    listeners.add(look)
    signal.addEventListener('abort', look)
    look()
  })
}
