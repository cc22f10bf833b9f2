import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import type { Setup } from '../setup.ts'
import { openQuestions, questionOf, resume } from '../turns.ts'

export function approvalRoutes(setup: Setup): Bound[] {
  const { access, hub, store, texts } = setup
  return [
    on('GET /api/approvals', async ({ who }) => ({ open: await openQuestions(setup, access.ownerFilter(who)) })),
    on('POST /api/approvals/:runId', async ({ params: { runId }, body: { callId, answer }, who, c }) => {
      const first = await access.run(runId, who)
      const question = await questionOf(store, runId)
      // Looked at last: nothing may come between this and the start, or two answers would be taken.
      if (question?.callId !== callId || hub.isLive(runId))
        throw new Refusal(409, 'QUESTION_CLOSED', { message: texts.noQuestion })
      await resume(setup, first, { callId, answer, by: who.name }).started
      c.set('runId', runId)
      return { runId }
    }),
  ]
}
