import { openDecision } from '../../decision/engine.ts'
import { thisMachine } from '../../decision/machine.ts'
import { parseBatch, parseContext } from '../../decision/wire.ts'
import type { PastDecision } from '../contract/work.ts'
import { type Bound, on } from '../endpoint.ts'
import type { Setup } from '../setup.ts'

export function decisionRoutes({ desk, store, access }: Setup): Bound[] {
  return [
    on('POST /api/decisions', async ({ body, who, signal, lang }) => {
      const batch = parseBatch(JSON.stringify(body.batch), { origin: 'batch', lang })
      const context = parseContext(JSON.stringify(body.context), { origin: 'context', lang, windowId: batch.window_id })
      const { engine } = desk.agent
      const machine = thisMachine(engine.world.env, engine.world.workspace)
      const result = { route: body.route, intent_batch: batch, rationale_tags: [], latency_us: 0, error: null }
      const sessionId = engine.newId('ses')
      await access.claim(sessionId, who)
      const run = await openDecision({ ...engine, machine }, { result, context, signal, sessionId })
      await run.close()
      return run.decision
    }),
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
