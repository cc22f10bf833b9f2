/** Stage 4: is any of the quota left? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { type GateInput, isTool, type ToolInput } from '../gate-input.ts'

/** A scout must still be able to report when its other calls are used up (S4). */
const REPORT_TOOL = 'report_findings'

export function quota(input: GateInput): Objection[] {
  if (isTool(input)) return [...toolLimit(input), ...rateLimit(input)]
  const { proposal, state, policy } = input
  const approved = state.approvedActions[proposal.intentId] ?? 0
  const cap = policy.decision.maxActionsPerBatch
  if (approved < cap) return []
  const message = gateTexts(state.lang).actionCap(cap)
  return [{ stage: 'quota', reason: 'BatchActionCapExceeded', rule: 'deny', effect: 'skip', message }]
}

function toolLimit({ proposal, state, policy }: ToolInput): Objection[] {
  const { limits, atToolLimit } = state.profile
  const limit = limits.maxToolCalls
  // A resumed call was counted when it was first allowed.
  const used = state.running?.callId === proposal.id ? state.toolCalls - 1 : state.toolCalls
  if (limit === undefined || atToolLimit === 'none' || used < limit) return []
  const texts = gateTexts(state.lang)
  if (atToolLimit === 'stop') {
    const message = texts.maxToolCalls(limit)
    return [{ stage: 'quota', reason: 'MAX_TOOL_CALLS', rule: 'deny', effect: 'stop', message }]
  }
  if (proposal.tool === REPORT_TOOL || !policy.scout.forceReportOnToolLimit) return []
  return [
    {
      stage: 'quota',
      reason: 'TOOL_CALL_LIMIT_REACHED',
      rule: 'deny',
      effect: 'recover',
      message: texts.toolCallLimit(limit),
      hint: texts.reportNow,
    },
  ]
}

function rateLimit(input: ToolInput): Objection[] {
  const { proposal, state, policy } = input
  const rate = policy.rateLimit
  if (rate === undefined || rateWaitMs(input) === 0) return []
  const message = gateTexts(state.lang).rateLimited(proposal.tool, rate.perSecond, rate.burst)
  return [{ stage: 'quota', reason: 'RATE_LIMITED', rule: 'deny', effect: 'recover', message }]
}

/** How long until the rate limit allows this call; 0: now. */
export function rateWaitMs({ proposal, state, policy, now }: ToolInput): number {
  const rate = policy.rateLimit
  if (rate === undefined) return 0
  let level = rate.burst
  let last: number | undefined
  for (const at of state.minted[proposal.tool] ?? []) {
    if (last !== undefined) level = Math.min(rate.burst, level + ((at - last) / 1000) * rate.perSecond)
    level -= 1
    last = at
  }
  if (last !== undefined) level = Math.min(rate.burst, level + ((now - last) / 1000) * rate.perSecond)
  return level >= 1 ? 0 : Math.ceil(((1 - level) / rate.perSecond) * 1000)
}
