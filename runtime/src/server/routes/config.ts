import type { Raw } from '../../config/keys.ts'
import { configJsonSchema } from '../../config/schema.ts'
import type { ConfigView } from '../contract/governance.ts'
import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import type { Setup } from '../setup.ts'

export function configRoutes({ desk, hub, log }: Setup): Bound[] {
  const view = (): ConfigView => ({
    // A secret has no place in it, but an argument of a server's command may hold one all the same.
    config: desk.agent.engine.redact(desk.agent.config.config as unknown as Raw),
    overrides: desk.overrides,
    origins: desk.agent.config.sources,
    file: desk.file,
    schema: configJsonSchema(),
  })
  return [
    on('GET /api/config', view),
    on('POST /api/config/check', ({ body: { agent }, lang }) => {
      const problems = desk.check(agent, lang)
      return { ok: problems.length === 0, problems }
    }),
    on('PUT /api/config', async ({ body: { agent }, who, lang }) => {
      if (hub.draining) throw new Refusal(503, 'DRAINING', { message: (t) => t.draining, hint: (t) => t.drainingHint })
      const problems = desk.check(agent, lang)
      if (problems.length > 0)
        throw new Refusal(422, 'CONFIG_REFUSED', {
          message: (t) => t.configRefused,
          hint: (t) => t.configHint,
          problems,
        })
      await desk.hold(agent)
      // Else settings that change while nothing runs would leave one open agent each behind.
      await desk.tidy(() => hub.size === 0)
      log('warn', 'config.changed', { token: who.name, keys: Object.keys(agent).join(',') })
      return view()
    }),
  ]
}
