import { type ObservedContext, routeCapabilities } from '../../assembly/decisions.ts'
import type { IntentBatch } from '../../protocol/action.ts'
import type { PastDecision } from '../contract/work.ts'
import { type Bound, on } from '../endpoint.ts'
import type { ServerDeps } from '../server-deps.ts'

export function decisionRoutes({ current, store, access }: ServerDeps): Bound[] {
  return [
    on('POST /api/decisions', ({ body, who, signal, lang }) => {
      // `decide` validates them.
      const batch = body.batch as unknown as IntentBatch | undefined
      const context = body.context as unknown as ObservedContext
      const { route, execute } = body
      return current.agent.decisions.decide({ batch, context, route, execute, signal, lang, principal: who.principal })
    }),
    on('GET /api/decisions/routes', async () => ({ routes: routeCapabilities() })),
    on('GET /api/decisions', async ({ query: { limit }, who }) => {
      const rows = await store.listRuns({ mode: 'decision', limit, ...access.scopeOf(who, 'read') })
      const ids = rows.map(({ runId }) => runId)
      const facts = Map.groupBy(await store.readOf(ids, ['batch.received', 'batch.decided']), ({ runId }) => runId)
      const decisions = ids.flatMap((runId): PastDecision[] => {
        const [received, decided] = facts.get(runId) ?? []
        if (received?.type !== 'batch.received' || decided?.type !== 'batch.decided') return []
        const { windowId, route, intents } = received.data
        const { authorized, denied, denialCounts } = decided.data
        const counts = denialCounts as Record<string, number>
        return [
          { runId, windowId, route, decidedAt: decided.timestamp, intents, authorized, denied, denialCounts: counts },
        ]
      })
      return { decisions }
    }),
  ]
}
