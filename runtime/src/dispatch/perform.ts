/** What a job comes to: a run that is begun once, and gone on with by whoever has the job after a worker died. */
import { WritError } from '../base/errors.ts'
import { isRevocation, questionOf, waitingQuestions } from '../journal/questions.ts'
import type { Store } from '../journal/store.ts'
import type { Event } from '../protocol/event.ts'
import type { Answered, Job, Perform } from './dispatch.ts'

export type Watched = AsyncGenerator<Event, unknown>

export interface GoingOn {
  signal: AbortSignal
  answer?: Answered
}

/** An agent, as far as jobs are concerned. Each of its runs holds the session's lease while it works. */
export interface Performer {
  store: Store
  begin(job: Extract<Job, { kind: 'turn' | 'workflow' }>, signal: AbortSignal): Watched
  resume(runId: string, how: GoingOn): Watched
  runRoutine(name: string): Promise<unknown>
  /** Sees a run through to its end, or to a question. */
  drive(at: { sessionId: string; runId: string }, open: (signal: AbortSignal) => Watched): Promise<unknown>
}

export function performing(performer: Performer): Perform {
  return async (job) => {
    try {
      await perform(performer, job)
    } catch (error) {
      // Somebody else has brought it to its end. Of one that was taken this is not certain: it is tried again.
      if (error instanceof WritError && error.code === 'RUN_ENDED' && job.kind !== 'resume') return
      throw error
    }
  }
}

async function perform(performer: Performer, job: Job): Promise<void> {
  const { store } = performer
  switch (job.kind) {
    case 'turn':
    case 'workflow':
      if (await isBegun(store, job.runId))
        await performer.drive(job, (signal) => performer.resume(job.runId, { signal }))
      else {
        await demandNoQuestion(store, job)
        await performer.drive(job, (signal) => performer.begin(job, signal))
      }
      return
    case 'resume': {
      const { runId, answer } = job
      await demandOpen(store, job)
      const said = answer === undefined ? {} : { answer }
      await performer.drive(job, (signal) => performer.resume(runId, { signal, ...said }))
      return
    }
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

/** The turn before it may have left one open; the next message would leave it behind unanswered. */
async function demandNoQuestion(store: Store, { sessionId }: Job): Promise<void> {
  if ((await waitingQuestions(store, { sessionId })).length === 0) return
  throw new WritError('SESSION_WAITING', `session ${sessionId} waits for the answer to a question`, {
    hint: 'Answer it first, or cancel its run.',
  })
}

async function demandOpen(store: Store, { runId, answer }: Extract<Job, { kind: 'resume' }>): Promise<void> {
  if (answer === undefined || (await questionOf(store, runId))?.callId === answer.callId) return
  // Taken up with this very answer by a worker that died: it is given again when the run asks again.
  const marks = await store.readOf([runId], ['confirm.asked', 'confirm.answered', 'run.stopped'])
  const last = marks.findLast((event) => !isRevocation(event))
  if (last?.type === 'confirm.asked' && last.data.question.callId === answer.callId) return
  throw new WritError('QUESTION_CLOSED', `the question of call ${answer.callId} is not open any more`, {
    hint: 'Somebody else has answered it, or its run has ended.',
  })
}
