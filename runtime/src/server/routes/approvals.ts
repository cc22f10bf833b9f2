import { assertFits } from '../../agent/approval.ts'
import { present } from '../../base/present.ts'
import type { ApprovalAnswer } from '../../dispatch/dispatch.ts'
import { WritError } from '../../errors/writ-error.ts'
import { askedIn, type WaitingQuestion } from '../../journal/questions.ts'
import { type Bound, on } from '../endpoint.ts'
import { turnEnd } from '../run-results.ts'
import type { ServerDeps } from '../server-deps.ts'
import { openQuestions } from '../turns.ts'

const PARKING_POLL_MS = 1000

export function approvalRoutes(deps: ServerDeps): Bound[] {
  const { access, jobs } = deps
  return [
    on('GET /api/approvals', async ({ who }) => {
      const act = who.scopes.has('approve:all') ? 'approve' : 'read'
      return { open: await openQuestions(deps, access.scopeOf(who, act)) }
    }),
    on('POST /api/approvals/:runId', async ({ params: { runId }, body: { callId, asked: shown, ...body }, who, c }) => {
      const reply = present(body) as Omit<ApprovalAnswer, 'callId' | 'by' | 'asked'>
      // An edit is a new instruction: it belongs to the owner of the session, like a message.
      const { sessionId } = await access.run(runId, who, reply.edit === undefined ? 'approve' : 'change')
      if (reply.remember !== undefined && reply.remember.scope !== 'session' && !who.scopes.has('admin'))
        throw new WritError('SCOPE_MISSING.remember')
      const { question, asked } = await openQuestion(deps, { runId, sessionId, callId })
      // The person saw another question, and has not approved this one.
      if (shown !== undefined && shown !== asked) throw new WritError('QUESTION_CLOSED.http')
      assertFits(reply, question)
      const answer = { ...reply, callId, by: who.name, asked }
      const work = await jobs.submit({ kind: 'resume', sessionId, runId, answer }, turnEnd)
      // Another client answered first, perhaps on another server.
      if (work === undefined) throw new WritError('QUESTION_CLOSED.http')
      await work.started
      c.set('runId', runId)
      return { runId }
    }),
  ]
}

/** A question is stored before its run is parked: an answer that comes in between waits for that. */
async function openQuestion(
  { liveRuns, store }: ServerDeps,
  { runId, sessionId, callId }: { runId: string; sessionId: string; callId: string },
): Promise<WaitingQuestion> {
  const subscription = liveRuns.subscribe(sessionId)
  try {
    for (;;) {
      // Read first: a run that is parked after this line is not live any more the next time.
      const isParking = liveRuns.isLive(runId)
      const [waiting] = await askedIn(store, [runId])
      if (waiting?.question.callId !== callId) throw new WritError('QUESTION_CLOSED.http')
      if (!isParking) return waiting
      await subscription.next(PARKING_POLL_MS)
    }
  } finally {
    subscription.close()
  }
}
