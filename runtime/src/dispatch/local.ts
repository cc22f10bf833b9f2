/** Jobs done in this process. What they began is in the journal; those not begun end with the process. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Dispatcher,
  type Fate,
  failedBy,
  type Job,
  MAX_TRIES,
  mayPass,
  nameOf,
  type Perform,
  RETRY_MS,
  settled,
  type WorkOptions,
} from './dispatch.ts'

interface Shift extends WorkOptions {
  perform: Perform
  running: Set<Promise<void>>
}

interface Kept {
  job: Job
  fate?: Fate
}

export function localDispatcher(): Dispatcher {
  const waiting: Kept[] = []
  const names = new Set<string>()
  const busy = new Set<string>()
  const shifts = new Set<Shift>()

  function next(): Kept | undefined {
    const at = waiting.findIndex(({ job }) => !busy.has(job.sessionId))
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }

  function handOut(): void {
    for (const shift of shifts) {
      while (shift.running.size < shift.atOnce) {
        const kept = next()
        if (kept === undefined) return
        const { sessionId } = kept.job
        busy.add(sessionId)
        const done = attempt(kept.job, shift).then((fate) => {
          kept.fate = fate
          busy.delete(sessionId)
          names.delete(nameOf(kept.job) ?? '')
          shift.onOver?.(kept.job)
          shift.running.delete(done)
          handOut()
        })
        shift.running.add(done)
      }
    }
  }

  async function attempt(job: Job, shift: Shift): Promise<Fate> {
    const { perform, onGivenUp } = shift
    for (let tries = 1; ; tries++) {
      try {
        await perform(job)
        return {}
      } catch (error) {
        // A process that is about to end tries nothing again.
        if (!mayPass(error) || !shifts.has(shift)) return { error: failedBy(error) }
        if (tries === MAX_TRIES) {
          onGivenUp?.(job, error)
          return { error: failedBy(error) }
        }
        await delay(RETRY_MS)
      }
    }
  }

  return {
    async submit(job) {
      const name = nameOf(job)
      if (name !== undefined && names.has(name)) return undefined
      if (name !== undefined) names.add(name)
      const kept: Kept = { job }
      waiting.push(kept)
      handOut()
      return { fate: async () => kept.fate }
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
