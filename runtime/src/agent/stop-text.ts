/** What the user reads when a run ends: the answer, or why there is none. */
import { messages as texts } from '../i18n/locale.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { RunContext } from './context.ts'
import { limitSetting } from './limit-setting.ts'
import { MAX_REPEATS } from './next.ts'

export function stopText(ctx: RunContext, reason: StopReason, text: string): string {
  const { state } = ctx
  const say = texts(state.lang).stop
  const { limits } = state.profile
  switch (reason) {
    case 'final':
    case 'reported':
    case 'clarification':
    case 'tool_policy_blocked':
    case 'intent_execution_failed':
      return text
    case 'max_steps':
      return withDraft(ctx, say.maxSteps({ steps: limits.maxSteps }))
    case 'max_tool_calls':
      return withDraft(ctx, say.maxToolCalls({ limit: limits.maxToolCalls ?? state.toolCalls }))
    case 'repeated_call':
      return withDraft(ctx, say.repeatedCall({ tool: state.repeat?.tool ?? lastTool(ctx), times: MAX_REPEATS }))
    case 'token_budget': {
      const used = state.usage.inputTokens + state.usage.outputTokens
      return withDraft(ctx, say.tokenBudget({ used, budget: limits.tokens?.budget ?? 0 }))
    }
    case 'money_budget':
      return withDraft(ctx, text)
    case 'timeout':
      return withDraft(ctx, say.timeout({ ms: limits.runMs ?? 0, setting: limitSetting(state.profile, 'run') }))
    case 'provider_error':
      return say.providerError({ model: ctx.model.id, message: text })
    case 'parse_error':
      return say.parseError({ error: state.lastError })
    case 'tool_error':
      return say.toolError({ tool: lastTool(ctx), error: state.lastError })
    case 'protected_changed':
      return say.protectedChanged({ error: text })
    case 'invalid_input':
      return say.invalidInput({ error: text })
    case 'invalid_result':
      return say.invalidResult({ error: text })
    case 'aborted':
      return say.aborted
    case 'interrupted':
      return say.interrupted
    case 'internal_error':
      return say.internalError({ where: 'run' })
    default:
      return reason satisfies never
  }
}

/** A draft is marked as a draft, never shown as the answer. */
function withDraft({ state }: RunContext, sentence: string): string {
  return state.draft === '' ? sentence : `${sentence}\n\n${texts(state.lang).stop.draft({ text: state.draft })}`
}

function lastTool({ state }: RunContext): string {
  const last = state.messages.findLast((message) => message.role === 'tool')
  return last?.role === 'tool' ? last.tool : ''
}
