import { PRICES } from '../../journal/prices.ts'
import { eventsOf } from '../../journal/read.ts'
import { StatsAccount } from '../../journal/stats.ts'
import { sandboxStatus } from '../../tool/guard/sandbox.ts'
import { type Bound, on } from '../endpoint.ts'
import type { Setup } from '../setup.ts'
import { serverTexts } from '../texts.ts'

/** What a request that names no beginning is about: the whole journal of a busy fleet takes minutes to read. */
const WEEK_MS = 7 * 86_400_000

export function systemRoutes(setup: Setup): Bound[] {
  const { desk, hub, store, access, metrics, version, startedAt } = setup
  return [
    on('GET /healthz', () => ({ status: 'ok' })),
    on('GET /readyz', async ({ c }) => {
      if (hub.draining) return c.json({ status: 'draining' }, 503)
      // A store that cannot be asked makes this throw, and the answer 503.
      await store.listRuns({ limit: 1 })
      return { status: 'ok' }
    }),
    on('GET /metrics', () => metrics.text({ liveRuns: hub.size, startedAt, version })),
    on('GET /api/stats', async ({ query, who }) => {
      const { until = desk.agent.engine.clock.now() + 1 } = query
      const { since = Math.max(0, until - WEEK_MS) } = query
      const account = new StatsAccount()
      const rows = await store.listRuns({ ...access.scopeOf(who, 'read'), since, until })
      for (const { runId } of rows) for await (const event of eventsOf(store, runId)) account.add(event)
      return { since, until, ...account.stats({ ...PRICES, ...desk.agent.config.config.prices }) }
    }),
    on('GET /api/info', async ({ who, lang }) => {
      const { model, config, engine } = desk.agent
      const { security, scout } = config.config
      return {
        version,
        model: {
          id: model.id,
          route: model.route,
          embedded: model.id === 'rules',
          ...(model.footer === undefined ? {} : { footer: model.footer(lang) }),
        },
        lang,
        autonomy: security.autonomy,
        workspace: engine.world.workspace,
        sandbox: { setting: security.sandbox, ...(await sandboxStatus(security.sandbox)) },
        token: who.name,
        principal: who.principal,
        scopes: [...who.scopes],
        samples: serverTexts(lang).samples.map((sample) => ({ ...sample })),
        dispatchTool: scout.dispatchToolName,
      }
    }),
  ]
}
