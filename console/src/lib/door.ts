/** Whether the server answers and lets this page in. Whichever page asks, its answer tells all of them. */
import { useSyncExternalStore } from 'react'
import { ApiError } from '../../../runtime/src/server/client.ts'
import { tokenNow } from './token.ts'

export type Door = 'open' | 'signed-out' | 'unreachable'

let door: Door = 'open'
const listeners = new Set<() => void>()

export function doorNow(): Door {
  return door
}

function setDoor(next: Door): void {
  if (door === next) return
  door = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDoor(): Door {
  return useSyncExternalStore(subscribe, doorNow)
}

/** Fetch says so when there was no answer at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError
}

/** Asks, and remembers what the answer says about the door. */
export async function heard<T>(ask: () => Promise<T>): Promise<T> {
  const token = tokenNow()
  try {
    const answer = await ask()
    if (token === tokenNow()) setDoor('open')
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) refusedWith(token)
    else if (isUnreachable(error) || (error instanceof ApiError && error.code === 'DRAINING')) {
      if (door === 'open') setDoor('unreachable')
    }
    throw error
  }
}

/** A token the server does not take. An answer to one that has been replaced since says nothing. */
export function refusedWith(token: string | undefined): void {
  if (token === tokenNow()) setDoor('signed-out')
}

/** Another tab has signed in, or the server answers again. */
export function reopen(): void {
  setDoor('open')
}

export function untilOpen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (door !== 'open' && !signal.aborted) return
      listeners.delete(look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    listeners.add(look)
    signal.addEventListener('abort', look)
    look()
  })
}
