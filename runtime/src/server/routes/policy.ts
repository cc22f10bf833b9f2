import { TOOL_FAMILIES } from '../../protocol/intent.ts'
import { type Bound, on } from '../endpoint.ts'
import type { ServerDeps } from '../server-deps.ts'

const GUARD = 'agent.execution.intentGuard'

export function policyRoutes({ current }: ServerDeps): Bound[] {
  return [
    on('POST /api/policy/explain', ({ body: { task }, signal, lang, who }) =>
      current.agent.explain(task, { signal, lang, principal: who.principal }),
    ),
    on('GET /api/policy', () => {
      const { config, sources } = current.agent.config
      const { enabled, softBlockAfter, blockBudget, intents } = config.execution.intentGuard
      const origins = Object.fromEntries(Object.entries(sources).filter(([path]) => path.startsWith(`${GUARD}.`)))
      return { intents, origins, families: [...TOOL_FAMILIES], guard: { enabled, softBlockAfter, blockBudget } }
    }),
    on('GET /api/tools', () => {
      const { tools, chatTools, config } = current.agent
      const { disabled } = config.config.tools
      return {
        tools: tools.map(({ name, description, family, risk, trust, readOnly, schema }) => ({
          name,
          description,
          family,
          risk,
          trust,
          readOnly,
          schema,
          disabled: disabled.includes(name),
          inChat: chatTools.some((own) => own.name === name),
        })),
      }
    }),
  ]
}
