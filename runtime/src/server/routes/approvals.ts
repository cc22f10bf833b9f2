import { placesOfQuestion, questionOf } from '../../journal/questions.ts'
import { type Bound, on } from '../endpoint.ts'
import { turnEnd } from '../ends.ts'
import { Refusal } from '../failure.ts'
import type { Setup } from '../setup.ts'
import { openQuestions } from '../turns.ts'

export function approvalRoutes(setup: Setup): Bound[] {
  const { access, hub, jobs, store } = setup
  return [
    on('GET /api/approvals', async ({ who }) => {
      const act = who.scopes.has('approve:all') ? 'approve' : 'read'
      return { open: await openQuestions(setup, access.scopeOf(who, act)) }
    }),
    on('POST /api/approvals/:runId', async ({ params: { runId }, body: { callId, answer }, who, c }) => {
      const { sessionId } = await access.run(runId, who, 'approve')
      const closed = new Refusal(409, 'QUESTION_CLOSED', {
        message: (t) => t.noQuestion,
        hint: (t) => t.noQuestionHint,
      })
      const question = await questionOf(store, runId)
      if (question?.callId !== callId || hub.isLive(runId)) throw closed
      const { latest } = await placesOfQuestion(store, runId, callId)
      const said = { callId, answer, by: who.name, ...(latest !== undefined && { asked: latest }) }
      const work = await jobs.submit({ kind: 'resume', sessionId, runId, answer: said }, turnEnd)
      // Somebody else, perhaps at another server, was faster.
      if (work === undefined) throw closed
      await work.started
      c.set('runId', runId)
      return { runId }
    }),
  ]
}
