/** How the intent guard would classify a task, without running it. */
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { isOwnLookup } from '../gate/stages/scope.ts'
import { detectIntent } from '../intent/detect-model.ts'
import type { Model } from '../model/model.ts'
import type { TaskIntent, ToolFamily } from '../protocol/intent.ts'
import type { IntentPolicy, Policy } from '../protocol/policy.ts'
import type { ToolDescription } from '../tool/tool.ts'
import type { Engine } from './turn.ts'

export interface Explanation {
  intent: TaskIntent
  /** Why the model's label was not used, where a model was asked. */
  fellBack?: string
  policy: IntentPolicy
  /** `soft`: only the first `softBlockAfter` calls of such families together. */
  tools: { name: string; family: ToolFamily; verdict: 'allow' | 'soft' | 'block' }[]
}

export async function explain(
  { model, policy, detector, lang }: Engine,
  task: string,
  { tools, signal }: { tools: readonly ToolDescription[]; signal: AbortSignal },
): Promise<Explanation> {
  const kind = policy.intentGuard.enabled ? detector.kind : 'heuristic'
  const ask = (prompt: { system: string; user: string; signal: AbortSignal }) => answer(model, prompt)
  const { intent, fellBack } = await detectIntent({
    task,
    detector: kind,
    timeoutMs: detector.timeoutMs,
    signal,
    lang,
    ask,
  })
  return {
    intent,
    ...present({ fellBack }),
    policy: policy.intentGuard.intents[intent.label],
    tools: tools.map((tool) => ({
      name: tool.name,
      family: tool.family,
      verdict: isOwnLookup(tool.name, tool) ? 'allow' : verdictFor(policy, intent, tool.family),
    })),
  }
}

function verdictFor({ intentGuard }: Policy, { label }: TaskIntent, family: ToolFamily): 'allow' | 'soft' | 'block' {
  const rules = intentGuard.intents[label]
  if (!intentGuard.enabled || !rules.enabled || rules.allowedFamilies.includes(family)) return 'allow'
  return rules.softAllowedFamilies.includes(family) && rules.softBlockAfter > 0 ? 'soft' : 'block'
}

async function answer(model: Model, { system, user, signal }: { system: string; user: string; signal: AbortSignal }) {
  const request = { purpose: 'detect', system, messages: [{ role: 'user', content: user }], stream: false } as const
  return (await drain(model.ask({ ...request, temperature: 0.1 }, signal))).text
}
