import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../base/clock.ts'

/** Time that can be waited for. */
export interface Timer extends Clock {
  /** Ends early, and without an error, when the signal says so. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemTimer: Timer = {
  now: () => systemClock.now(),
  sleep: (ms, signal) =>
    delay(Math.max(0, ms), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    }),
}
