import type { Raw } from '../../config/keys.ts'
import { configJsonSchema } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { ConfigView } from '../contract/governance.ts'
import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import type { ServerDeps } from '../server-deps.ts'

export function configRoutes({ current, liveRuns, log }: ServerDeps): Bound[] {
  const view = (): ConfigView => ({
    // Commands of MCP servers may contain secrets as arguments.
    config: current.agent.engine.redact(current.agent.config.config as unknown as Raw),
    overrides: current.overrides,
    origins: current.agent.config.sources,
    file: current.file,
    schema: configJsonSchema(),
  })
  return [
    on('GET /api/config', view),
    on('POST /api/config/check', ({ body: { agent }, lang }) => {
      const problems = current.check(agent, lang)
      return { ok: problems.length === 0, problems }
    }),
    on('PUT /api/config', async ({ body: { agent }, who, lang }) => {
      if (liveRuns.draining) throw new WritError('DRAINING')
      const problems = current.check(agent, lang)
      if (problems.length > 0) throw new Refusal('CONFIG_REFUSED', undefined, { problems })
      await current.replaceOverrides(agent)
      // Otherwise every change without live runs would leave an open agent behind.
      await current.closeUnused(() => liveRuns.size === 0)
      log('warn', 'config.changed', { token: who.name, keys: Object.keys(agent).join(',') })
      return view()
    }),
  ]
}
