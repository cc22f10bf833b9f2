/** What a job comes to: a run that is begun once, and gone on with by whoever has the job after a worker died. */
import { WritError } from '../base/errors.ts'
import { drain } from '../base/wait.ts'
import type { Store } from '../journal/store.ts'
import type { Event } from '../protocol/event.ts'
import type { Job, Perform } from './dispatch.ts'

type Watched = AsyncGenerator<Event, unknown>

/** An agent, as far as jobs are concerned. Each of these holds the session's lease while it works. */
export interface Performer {
  store: Store
  stream(task: string, own: { sessionId: string; runId: string }): Watched
  resume(runId: string): Watched
  runWorkflow(job: Extract<Job, { kind: 'workflow' }>): Watched
  runRoutine(name: string): Promise<unknown>
}

export function performing(performer: Performer): Perform {
  return async (job) => {
    try {
      await begin(performer, job)
    } catch (error) {
      // Somebody else goes on with it, or has brought it to its end.
      if (error instanceof WritError && /^RUN_(TAKEN|ENDED)$/.test(error.code)) return
      throw error
    }
  }
}

async function begin(performer: Performer, job: Job): Promise<void> {
  switch (job.kind) {
    case 'turn':
      if (await isBegun(performer.store, job.runId)) await drain(performer.resume(job.runId))
      else await drain(performer.stream(job.task, job))
      return
    case 'workflow':
      if (await isBegun(performer.store, job.runId)) await drain(performer.resume(job.runId))
      else await drain(performer.runWorkflow(job))
      return
    case 'resume':
      await drain(performer.resume(job.runId))
      return
    case 'routine':
      await performer.runRoutine(job.name)
      return
    default:
      job satisfies never
  }
}

async function isBegun(store: Store, runId: string): Promise<boolean> {
  return (await store.readRun(runId, 0, 1)).length > 0
}
