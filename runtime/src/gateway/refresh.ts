/** Lists the tools again after a change: several changes are one, and a server that announces one at every listing waits. */
import { setTimeout as delay } from 'node:timers/promises'

const PAUSE_MS = 200

export interface Refresh {
  soon(): void
  /** From now on; a change that came before is not lost. */
  open(): void
}

export function refreshing(refresh: () => Promise<void>, signal: AbortSignal): Refresh {
  let running: Promise<void> | undefined
  let isStale = false
  let isOpen = false

  async function whileStale(): Promise<void> {
    while (isStale && !signal.aborted) {
      isStale = false
      await refresh().catch(() => {})
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  function soon(): void {
    isStale = true
    if (isOpen) running ??= whileStale().finally(() => (running = undefined))
  }

  return {
    soon,
    open() {
      isOpen = true
      if (isStale) soon()
    },
  }
}
