/** Rules as data. Whatever they say, the route's capability keeps them to NoOp, ReleaseMemory and KeepAlive. */

import { DEFAULT_RULES, type DecisionRule } from '../../config/decision.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Intent, IntentKind, IntentType, StructuredContext } from '../../protocol/action.ts'
import type { Backend } from './backend.ts'

export function ruleBased(rules: readonly DecisionRule[] = DEFAULT_RULES): Backend {
  return {
    route: 'RuleBased',
    model: 'rules',
    async predict(context) {
      const intents = rules.filter(({ when }) => holds(when, context)).flatMap((rule) => apply(rule, context))
      if (intents.length === 0) throw new WritError('NO_PREDICTION.rules')
      return { intents, model: 'rules', rationale_tags: [] }
    },
  }
}

function holds(when: DecisionRule['when'], { packages, scenes, notifications }: StructuredContext): boolean {
  return (
    (when.packages?.some((name) => packages.includes(name)) ?? true) &&
    (when.scenes?.some((name) => scenes.includes(name)) ?? true) &&
    packages.length >= (when.packagesAtLeast ?? 0) &&
    (when.notification ?? notifications.length > 0) === notifications.length > 0
  )
}

/** None where the window holds nothing that the intent could be about. */
function apply({ name, intent, confidence, actions }: DecisionRule, context: StructuredContext): Intent[] {
  const intent_type = subject(intent, context)
  if (intent_type === undefined) return []
  const { packages } = context
  const targets = { latest: packages.at(-1) ?? null, oldest: packages[0] ?? null, nothing: null }
  return [
    {
      intent_id: name,
      intent_type,
      confidence,
      risk_level: 'Low',
      suggested_actions: actions.map(({ type, on, urgency }) => ({
        action_type: type,
        target: targets[on],
        urgency,
      })),
      rationale_tags: [name],
    },
  ]
}

function subject(kind: IntentKind, context: StructuredContext): IntentType | undefined {
  const { packages, notifications, extension_categories, scenes } = context
  const about = <T>(name: T | undefined, make: (name: T) => IntentType) => (name === undefined ? undefined : make(name))
  switch (kind) {
    case 'Idle':
      return 'Idle'
    case 'OpenApp':
      return about(packages.at(-1), (name) => ({ OpenApp: name }))
    case 'SwitchToApp':
      return about(packages.at(-1), (name) => ({ SwitchToApp: name }))
    case 'CheckNotification':
      return about(notifications.at(-1), (name) => ({ CheckNotification: name }))
    case 'HandleFile':
      return about(extension_categories.at(-1), (name) => ({ HandleFile: name }))
    case 'EnterContext':
      return about(scenes.at(-1), (name) => ({ EnterContext: name }))
  }
}
