/** How the intent guard would classify a task, without running it. */
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { isOwnLookup } from '../gate/stages/scope.ts'
import { detectIntent } from '../intent/detect-model.ts'
import type { ModelRequest } from '../model/model.ts'
import { askWithRetry } from '../model/retry.ts'
import type { TaskIntent, ToolFamily } from '../protocol/intent.ts'
import type { IntentPolicy, Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { meterFor } from './budget.ts'
import type { Engine } from './turn.ts'

/** How a task would be classified, and what that means for each tool. */
export interface Explanation {
  intent: TaskIntent
  /** Why the model's label was not used, where a model was asked. */
  fellBack?: string
  policy: IntentPolicy
  /** `soft`: only the first `softBlockAfter` calls of such families together. */
  tools: { name: string; family: ToolFamily; verdict: 'allow' | 'soft' | 'block' }[]
}

export async function explain(
  engine: Engine,
  task: string,
  { tools, signal, owner }: { tools: readonly ToolDescription[]; signal: AbortSignal; owner: Principal },
): Promise<Explanation> {
  const { policy, detector, lang } = engine
  const kind = policy.intentGuard.enabled ? detector.kind : 'heuristic'
  const ask = (prompt: { system: string; user: string; signal: AbortSignal }) => answer(engine, owner, prompt)
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

/** Not a run, and so not in a journal; only a money budget counts it. */
async function answer(
  { model, budget, clock, newId, lang, maxOutputTokens = 0 }: Engine,
  owner: Principal,
  { system, user, signal }: { system: string; user: string; signal: AbortSignal },
): Promise<string> {
  const run = {
    runId: newId('run'),
    usage: { inputTokens: 0, outputTokens: 0 },
    metered: false,
    approved: [],
    warned: [],
  }
  const now = () => clock.now()
  const meter = meterFor({ budget, owner, model, maxOutputTokens, lang, now, run, warn: () => {} })
  const request: ModelRequest = {
    purpose: 'detect',
    system,
    messages: [{ role: 'user', content: user }],
    stream: false,
    temperature: 0.1,
  }
  return (await drain(askWithRetry(model, request, { signal, meter, maxAttempts: 1 }))).text
}
