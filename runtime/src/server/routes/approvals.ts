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
    on('POST /api/approvals/:runId', async ({ params: { runId }, body: { callId, answer }, who, c }) => {
      const { sessionId } = await access.run(runId, who, 'approve')
      const closed = new WritError('QUESTION_CLOSED.http')
      const question = await questionOf(store, runId)
      if (question?.callId !== callId || liveRuns.isLive(runId)) throw closed
      const { latest } = await placesOfQuestion(store, runId, callId)
      const answered = { callId, answer, by: who.name, ...(latest !== undefined && { asked: latest }) }
      const work = await jobs.submit({ kind: 'resume', sessionId, runId, answer: answered }, turnEnd)
      // Another client answered first, perhaps on another server.
      if (work === undefined) throw closed
      await work.started
      c.set('runId', runId)
      return { runId }
    }),
  ]
}
