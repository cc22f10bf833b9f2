import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import { ruleWords } from '../../i18n/offer-words.ts'
import type { RememberedRule } from '../contract/shapes.ts'
import { type Bound, on } from '../endpoint.ts'
import type { ServerDeps } from '../server-deps.ts'

export function ruleRoutes({ current, log }: ServerDeps): Bound[] {
  const remembered = () => current.agent.engine.remembered
  return [
    on('GET /api/rules', async ({ lang }) => {
      const rules = (await remembered()?.list()) ?? []
      return {
        rules: rules.map(({ id, workspace, rule, by, at }) => {
          const scope = workspace === undefined ? 'always' : 'workspace'
          return { ...ruleView({ id, scope, rule }, lang), by, at }
        }),
      }
    }),
    on('DELETE /api/rules/:id', async ({ params: { id }, who }) => {
      if (!(await remembered()?.revoke(id))) throw new WritError('RULE_UNKNOWN', { id })
      log('warn', 'rule.revoked', { token: who.name, rule: id })
      return { ok: true }
    }),
  ]
}

export function ruleView(rule: Omit<RememberedRule, 'text'>, lang: Lang): RememberedRule {
  return { ...rule, text: ruleWords(rule.rule, lang) }
}
