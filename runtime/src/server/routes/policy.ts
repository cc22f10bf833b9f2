import { TOOL_FAMILIES } from '../../protocol/intent.ts'
import { type Bound, on } from '../endpoint.ts'
import { rulesInForce, testRules } from '../rule-draft.ts'
import type { ServerDeps } from '../server-deps.ts'
import { shadowDifferences } from '../shadow-differences.ts'

const GUARD = 'agent.execution.intentGuard'

/** Reading more of the journal takes as long as its runs are many. */
const WEEK_MS = 7 * 86_400_000

export function policyRoutes({ current, store, access }: ServerDeps): Bound[] {
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
    on('GET /api/policy/rules', () => ({ rules: rulesInForce(current) })),
    on('POST /api/policy/test', ({ body, lang }) => testRules(current, body, lang)),
    on('GET /api/policy/shadow', ({ query, who }) => {
      const since = query.since ?? current.agent.engine.clock.now() - WEEK_MS
      return shadowDifferences(store, { ...access.scopeOf(who, 'read'), since })
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
