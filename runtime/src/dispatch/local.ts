/** Jobs done in this process. What they began is in the journal; those not begun end with the process. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Dispatcher, type Job, MAX_TRIES, type Perform, RETRY_MS, settled, type WorkOptions } from './dispatch.ts'

interface Shift extends WorkOptions {
  perform: Perform
  running: Set<Promise<void>>
}

export function localDispatcher(): Dispatcher {
  const waiting: Job[] = []
  const busy = new Set<string>()
  const shifts = new Set<Shift>()

  function next(): Job | undefined {
    const at = waiting.findIndex(({ sessionId }) => !busy.has(sessionId))
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }

  function handOut(): void {
    for (const shift of shifts) {
      while (shift.running.size < shift.atOnce) {
        const job = next()
        if (job === undefined) return
        busy.add(job.sessionId)
        const done = attempt(job, shift).finally(() => {
          busy.delete(job.sessionId)
          shift.running.delete(done)
          handOut()
        })
        shift.running.add(done)
      }
    }
  }

  async function attempt(job: Job, { perform, onGivenUp }: Shift): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await perform(job)
        return
      } catch (error) {
        if (tries === MAX_TRIES) {
          onGivenUp?.(job, error)
          return
        }
        await delay(RETRY_MS)
      }
    }
  }

  return {
    async submit(job) {
      waiting.push(job)
      handOut()
    },
    async work(perform, options) {
      const shift: Shift = { ...options, perform, running: new Set() }
      shifts.add(shift)
      handOut()
      return {
        stop(waitMs) {
          shifts.delete(shift)
          return settled(shift.running, waitMs)
        },
      }
    },
    close: async () => {
      waiting.length = 0
    },
  }
}
