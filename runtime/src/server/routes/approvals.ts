import { assertFits } from '../../agent/approval.ts'
import { present } from '../../base/present.ts'
import type { ApprovalAnswer } from '../../dispatch/dispatch.ts'
import { WritError } from '../../errors/writ-error.ts'
import { placesOfQuestion, questionOf } from '../../journal/questions.ts'
import { type Bound, on } from '../endpoint.ts'
import { turnEnd } from '../run-results.ts'
import type { ServerDeps } from '../server-deps.ts'
import { openQuestions } from '../turns.ts'

export function approvalRoutes(deps: ServerDeps): Bound[] {
  const { access, liveRuns, jobs, store } = deps
  return [
    on('GET /api/approvals', async ({ who }) => {
      const act = who.scopes.has('approve:all') ? 'approve' : 'read'
      return { open: await openQuestions(deps, access.scopeOf(who, act)) }
    }),
    on('POST /api/approvals/:runId', async ({ params: { runId }, body: { callId, ...body }, who, c }) => {
      const reply = present(body) as Omit<ApprovalAnswer, 'callId' | 'by' | 'asked'>
      // An edit is a new instruction: it belongs to the owner of the session, like a message.
      const { sessionId } = await access.run(runId, who, reply.edit === undefined ? 'approve' : 'change')
      if (reply.remember !== undefined && reply.remember.scope !== 'session' && !who.scopes.has('admin'))
        throw new WritError('SCOPE_MISSING.remember')
      const closed = new WritError('QUESTION_CLOSED.http')
      const question = await questionOf(store, runId)
      if (question?.callId !== callId || liveRuns.isLive(runId)) throw closed
      assertFits(reply, question)
      const { latest } = await placesOfQuestion(store, runId, callId)
      const answer = { ...reply, callId, by: who.name, ...present({ asked: latest }) }
      const work = await jobs.submit({ kind: 'resume', sessionId, runId, answer }, turnEnd)
      // Another client answered first, perhaps on another server.
      if (work === undefined) throw closed
      await work.started
      c.set('runId', runId)
      return { runId }
    }),
  ]
}
