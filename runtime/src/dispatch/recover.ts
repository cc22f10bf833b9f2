/** Finds runs whose worker died, and resumes them. */
import { setTimeout as delay } from 'node:timers/promises'
import { CodedError } from '../base/errors.ts'
import { isRevocation } from '../journal/questions.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import { isRetryable, settled, type Worker } from './dispatch.ts'
import { abandonedSessions, isAskedToEnd } from './lease.ts'
import type { Performer } from './perform.ts'

const LOOK_MS = 2000

export interface RecoverDeps {
  performer: Pick<Performer, 'store' | 'resume' | 'drive'>
  leases: Leases
  /** A run that is resumed, or an error of a run or of the search. */
  tell?(news: { runId: string } | { runId?: string; error: unknown }): void
}

export interface InterruptedRun {
  runId: string
  sessionId: string
  /** Its worker was asked to stop it, and died before it noticed. */
  isCancelled: boolean
}

/** The latest run of every session whose worker died, unless it has ended or waits for an approval. */
export async function interruptedRuns(store: Store, leases: Leases): Promise<InterruptedRun[]> {
  const found: InterruptedRun[] = []
  for (const { sessionId, name, holder } of await abandonedSessions(leases)) {
    const latest = (await store.listRuns({ sessionId })).find(({ parentRunId }) => parentRunId === undefined)
    if (latest === undefined || latest.stopped || (await isParked(store, latest.runId))) {
      await leases.release(name, holder)
    } else found.push({ runId: latest.runId, sessionId, isCancelled: await isAskedToEnd(leases, holder) })
  }
  return found
}

async function isParked(store: Store, runId: string): Promise<boolean> {
  const marks = await store.readOf([runId], ['run.parked', 'run.resumed', 'confirm.answered', 'confirm.edited'])
  return marks.findLast((event) => !isRevocation(event))?.type === 'run.parked'
}

/** Looks every two seconds; several runs are resumed concurrently. */
export function recover({ performer, leases, tell = () => {} }: RecoverDeps): Worker {
  const running = new Map<string, Promise<void>>()
  // Runs this process cannot resume and has reported, such as a workflow whose document contained a secret.
  const givenUp = new Set<string>()
  const over = new AbortController()

  async function resume(interrupted: InterruptedRun): Promise<void> {
    const { runId, sessionId, isCancelled } = interrupted
    try {
      const how = (signal: AbortSignal) => ({ signal: isCancelled ? AbortSignal.abort() : signal })
      await performer.drive({ runId, sessionId }, (signal) => performer.resume(runId, how(signal)))
    } catch (error) {
      const code = error instanceof CodedError ? error.code : ''
      // Another worker has it, or will resume it when this process has ended.
      if (code === 'RUN_ENDED' || code === 'SESSION_BUSY' || code === 'RUN_INTERRUPTED') return
      // The dead worker's last append may have been stored just now; then the run is still free.
      if (code === 'RUN_TAKEN') return resume(interrupted)
      if (!isRetryable(error)) givenUp.add(runId)
      tell({ runId, error })
    }
  }

  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        for (const interrupted of await interruptedRuns(performer.store, leases)) {
          const { runId } = interrupted
          if (running.has(runId) || givenUp.has(runId) || over.signal.aborted) continue
          tell({ runId })
          running.set(
            runId,
            resume(interrupted).finally(() => running.delete(runId)),
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
