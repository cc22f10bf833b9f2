import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../base/clock.ts'

/** A clock that can also wait. */
export interface Timer extends Clock {
  /** Resolves early when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemTimer: Timer = {
  now: () => systemClock.now(),
  sleep: (ms, signal) =>
    delay(Math.max(0, ms), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    }),
}
