/** Rules as data. Whatever they say, the route's capability keeps them to NoOp, ReleaseMemory and KeepAlive. */
import { WritError } from '../../base/errors.ts'
import type { ActionType, Intent, IntentType, StructuredContext } from '../../protocol/action.ts'
import type { Backend } from './backend.ts'

export interface Rule {
  /** Short, and unique: it becomes the intent's id and its tag. */
  name: string
  /** All that are given must hold. */
  when: {
    /** One of these programs was seen. */
    packages?: readonly string[]
    /** One of these scenes was entered. */
    scenes?: readonly string[]
    /** At least this many programs were seen. */
    packagesAtLeast?: number
    notification?: true
  }
  intent: IntentType
  confidence: number
  /** `latest` and `oldest`: the program seen last, or first, in this window. */
  actions: readonly { type: ActionType; on: 'latest' | 'oldest' | 'nothing' }[]
}

/** What the user works with now stays; what was left first, when many are open, may give memory back. */
export const DEFAULT_RULES: readonly Rule[] = [
  {
    name: 'keep_latest',
    when: { packagesAtLeast: 1 },
    intent: 'Idle',
    confidence: 0.6,
    actions: [{ type: 'KeepAlive', on: 'latest' }],
  },
  {
    name: 'release_oldest',
    when: { packagesAtLeast: 8 },
    intent: 'Idle',
    confidence: 0.5,
    actions: [{ type: 'ReleaseMemory', on: 'oldest' }],
  },
]

export function ruleBased(rules: readonly Rule[] = DEFAULT_RULES): Backend {
  return {
    route: 'RuleBased',
    async predict(context) {
      const intents = rules.filter(({ when }) => holds(when, context)).map((rule) => apply(rule, context))
      if (intents.length === 0) throw new WritError('NO_PREDICTION', 'no rule speaks for this window')
      return { intents, model: 'rules', rationale_tags: [] }
    },
  }
}

function holds(when: Rule['when'], { packages, scenes, notifications }: StructuredContext): boolean {
  return (
    (when.packages?.some((name) => packages.includes(name)) ?? true) &&
    (when.scenes?.some((name) => scenes.includes(name)) ?? true) &&
    packages.length >= (when.packagesAtLeast ?? 0) &&
    (when.notification === undefined || notifications.length > 0)
  )
}

function apply({ name, intent, confidence, actions }: Rule, { packages }: StructuredContext): Intent {
  const targets = { latest: packages.at(-1) ?? null, oldest: packages[0] ?? null, nothing: null }
  return {
    intent_id: name,
    intent_type: intent,
    confidence,
    risk_level: 'Low',
    suggested_actions: actions.map(({ type, on }) => ({
      action_type: type,
      target: targets[on],
      urgency: 'Immediate',
    })),
    rationale_tags: [name.slice(0, 64)],
  }
}
