/** Finds the runs that were cut off when their worker died, and goes on with them. */
import { setTimeout as delay } from 'node:timers/promises'
import { WritError } from '../base/errors.ts'
import { isRevocation } from '../journal/questions.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import { mayPass, settled, type Worker } from './dispatch.ts'
import { abandonedSessions, isAskedToEnd } from './lease.ts'
import type { Performer } from './perform.ts'

const LOOK_MS = 2000

export interface RecoverDeps {
  performer: Pick<Performer, 'store' | 'resume' | 'drive'>
  leases: Leases
  /** A run that is gone on with, or why it or the looking failed. */
  tell?(news: { runId: string } | { runId?: string; error: unknown }): void
}

export interface CutOff {
  runId: string
  sessionId: string
  /** Its worker had been asked to end it, and died before it heard of that. */
  unwanted: boolean
}

/** The latest run of every session whose worker is gone, unless it has ended or waits for an answer. */
export async function cutOffRuns(store: Store, leases: Leases): Promise<CutOff[]> {
  const found: CutOff[] = []
  for (const { sessionId, name, holder } of await abandonedSessions(leases)) {
    const latest = (await store.listRuns({ sessionId })).find(({ parentRunId }) => parentRunId === undefined)
    if (latest === undefined || latest.stopped || (await isParked(store, latest.runId))) {
      await leases.release(name, holder)
    } else found.push({ runId: latest.runId, sessionId, unwanted: await isAskedToEnd(leases, holder) })
  }
  return found
}

async function isParked(store: Store, runId: string): Promise<boolean> {
  const marks = await store.readOf([runId], ['run.parked', 'run.resumed', 'confirm.answered'])
  return marks.findLast((event) => !isRevocation(event))?.type === 'run.parked'
}

/** Looks every two seconds; several runs are gone on with beside each other. */
export function recover({ performer, leases, tell = () => {} }: RecoverDeps): Worker {
  const running = new Map<string, Promise<void>>()
  // Runs that this process cannot go on with, and has said so: a workflow whose document held a secret, for one.
  const givenUp = new Set<string>()
  const over = new AbortController()

  async function goOn(cutOff: CutOff): Promise<void> {
    const { runId, sessionId, unwanted } = cutOff
    try {
      const how = (signal: AbortSignal) => ({ signal: unwanted ? AbortSignal.abort() : signal })
      await performer.drive({ runId, sessionId }, (signal) => performer.resume(runId, how(signal)))
    } catch (error) {
      const code = error instanceof WritError ? error.code : ''
      // Another worker was faster, or will go on with it when this process has ended.
      if (code === 'RUN_ENDED' || code === 'SESSION_BUSY' || code === 'RUN_INTERRUPTED') return
      // Or the dead one's last append was stored only now: then nobody has the run.
      if (code === 'RUN_TAKEN') return goOn(cutOff)
      if (!mayPass(error)) givenUp.add(runId)
      tell({ runId, error })
    }
  }

  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        for (const cutOff of await cutOffRuns(performer.store, leases)) {
          const { runId } = cutOff
          if (running.has(runId) || givenUp.has(runId) || over.signal.aborted) continue
          tell({ runId })
          running.set(
            runId,
            goOn(cutOff).finally(() => running.delete(runId)),
          )
        }
      } catch (error) {
        tell({ error })
      }
      await delay(LOOK_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  }

  const looking = look()
  return {
    async stop(waitMs) {
      over.abort()
      await looking
      await settled(running.values(), waitMs)
    },
  }
}
