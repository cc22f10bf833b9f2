/** Stage 1: is there still a run to act for? */
import { gateTexts } from '../../i18n/gate.ts'
import type { Objection } from '../../protocol/verdict.ts'
import type { GateInput } from '../gate-input.ts'

export function live({ state, now, aborted }: GateInput): Objection[] {
  const { runMs, tokens } = state.profile.limits
  const spent = state.usage.inputTokens + state.usage.outputTokens
  const over =
    state.stop !== undefined
      ? 'ended'
      : aborted
        ? 'cancelled'
        : runMs !== undefined && now - state.startedAt >= runMs
          ? 'deadline'
          : tokens?.mode === 'hard' && tokens.budget > 0 && spent >= tokens.budget
            ? 'budget'
            : undefined
  if (over === undefined) return []
  return [
    { stage: 'live', reason: 'RUN_OVER', rule: 'deny', effect: 'stop', message: gateTexts(state.lang).runOver(over) },
  ]
}
