import { present } from '../../base/present.ts'
import { addRuns } from '../../journal/collect-stats.ts'
import { PRICES } from '../../journal/prices.ts'
import { StatsAccount } from '../../journal/stats.ts'
import { sandboxStatus } from '../../tool/guard/sandbox.ts'
import { type Bound, on } from '../endpoint.ts'
import type { ServerDeps } from '../server-deps.ts'
import { serverTexts } from '../texts.ts'

/** Default time range: reading the whole journal of a busy server takes minutes. */
const WEEK_MS = 7 * 86_400_000

export function systemRoutes(deps: ServerDeps): Bound[] {
  const { current, liveRuns, store, access, metrics, version, startedAt } = deps
  return [
    on('GET /healthz', () => ({ status: 'ok' })),
    on('GET /readyz', async ({ c }) => {
      if (liveRuns.draining) return c.json({ status: 'draining' }, 503)
      // Throws, and so answers 503, when the store is unavailable.
      await store.listRuns({ limit: 1 })
      return { status: 'ok' }
    }),
    on('GET /metrics', () => metrics.text({ liveRuns: liveRuns.size, startedAt, version })),
    on('GET /api/stats', async ({ query, who }) => {
      const { until = current.agent.engine.clock.now() + 1 } = query
      const { since = Math.max(0, until - WEEK_MS) } = query
      const account = new StatsAccount()
      await addRuns(account, store, { ...access.scopeOf(who, 'read'), since, until })
      return { since, until, ...account.stats({ ...PRICES, ...current.agent.config.config.prices }) }
    }),
    on('GET /api/info', async ({ who, lang }) => {
      const { model, config, engine } = current.agent
      const { security, scout } = config.config
      return {
        version,
        model: {
          id: model.id,
          route: model.route,
          embedded: model.id === 'rules',
          ...present({ footer: model.footer?.(lang) }),
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
