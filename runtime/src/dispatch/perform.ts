/** Performs a job: its run starts once, and is resumed when the job comes back after its worker died. */
import { CodedError } from '../base/errors.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { isRevocation, questionOf, waitingQuestions } from '../journal/questions.ts'
import { firstEvent } from '../journal/read.ts'
import type { Store } from '../journal/store.ts'
import type { Event } from '../protocol/event.ts'
import type { ApprovalAnswer, Job, Perform } from './dispatch.ts'

export type RunStream = AsyncGenerator<Event, unknown>

export interface ResumeOptions {
  signal: AbortSignal
  answer?: ApprovalAnswer
}

/** The part of an agent that jobs need. Each of its runs holds the session's lease while it works. */
export interface Performer {
  store: Store
  begin(job: Extract<Job, { kind: 'turn' | 'workflow' }>, signal: AbortSignal): RunStream
  resume(runId: string, how: ResumeOptions): RunStream
  runRoutine(name: string): Promise<unknown>
  /** Consumes a run until it ends or waits for an approval. */
  drive(at: { sessionId: string; runId: string }, open: (signal: AbortSignal) => RunStream): Promise<unknown>
}

export function performing(performer: Performer): Perform {
  return async (job) => {
    try {
      await perform(performer, job)
    } catch (error) {
      // Another worker has finished it. After RUN_TAKEN that is not certain, so it is retried.
      if (error instanceof CodedError && error.code === 'RUN_ENDED' && job.kind !== 'resume') return
      throw error
    }
  }
}

async function perform(performer: Performer, job: Job): Promise<void> {
  const { store } = performer
  switch (job.kind) {
    case 'turn':
    case 'workflow':
      if ((await firstEvent(store, job.runId)) !== undefined)
        await performer.drive(job, (signal) => performer.resume(job.runId, { signal }))
      else {
        await requireNoQuestion(store, job)
        await performer.drive(job, (signal) => performer.begin(job, signal))
      }
      return
    case 'resume': {
      const { runId, answer } = job
      await requireOpenQuestion(store, job)
      await performer.drive(job, (signal) => performer.resume(runId, { signal, ...present({ answer }) }))
      return
    }
    case 'routine':
      await performer.runRoutine(job.name)
      return
    default:
      job satisfies never
  }
}

/** An earlier turn may wait for an approval; a new message would leave it unanswered. */
async function requireNoQuestion(store: Store, { sessionId }: Job): Promise<void> {
  if ((await waitingQuestions(store, { sessionId })).length === 0) return
  throw new WritError('SESSION_WAITING', { session: sessionId })
}

async function requireOpenQuestion(store: Store, { runId, answer }: Extract<Job, { kind: 'resume' }>): Promise<void> {
  if (answer === undefined || (await questionOf(store, runId))?.callId === answer.callId) return
  // A worker died after resuming the run with this answer: it is given again when the run asks again.
  const marks = await store.readOf([runId], ['confirm.asked', 'confirm.answered', 'run.stopped'])
  const last = marks.findLast((event) => !isRevocation(event))
  if (last?.type === 'confirm.asked' && last.data.question.callId === answer.callId) return
  throw new WritError('QUESTION_CLOSED', { call: answer.callId })
}
