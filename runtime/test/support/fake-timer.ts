/** A clock that advances only when a test says so. */
import { setImmediate as settle } from 'node:timers/promises'
import type { Timer } from '../../src/routine/timer.ts'

export interface FakeTimer extends Timer {
  /** Advances the clock and fires each timer at its time. */
  pass(ms: number): Promise<void>
  /** Advances the clock as if the machine slept: timers due in between fire at the end. */
  oversleep(ms: number): Promise<void>
}

export function fakeTimer(start: number): FakeTimer {
  let now = start
  const sleepers = new Set<{ at: number; wake(): void }>()
  const earliest = () => [...sleepers].sort((a, b) => a.at - b.at)[0]
  const quiet = async () => {
    for (let i = 0; i < 5; i++) await settle()
  }
  async function pass(ms: number): Promise<void> {
    const end = now + ms
    await quiet()
    for (let next = earliest(); next !== undefined && next.at <= end; next = earliest()) {
      now = Math.max(now, next.at)
      next.wake()
      await quiet()
    }
    now = end
  }
  return {
    now: () => now,
    sleep(ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const sleeper = { at: now + Math.max(0, ms), wake }
      function wake() {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted) return Promise.resolve()
      sleepers.add(sleeper)
      signal.addEventListener('abort', wake)
      return promise
    },
    pass,
    async oversleep(ms) {
      await quiet()
      now += ms
      await pass(0)
    },
  }
}
