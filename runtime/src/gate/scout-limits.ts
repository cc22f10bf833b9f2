/** When scouts may not be started (S4 §4, §9). */
import { present } from '../base/present.ts'
import { gateTexts } from '../i18n/gate.ts'
import type { ScoutFact } from '../protocol/facts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { RunState } from '../protocol/state.ts'
import type { DenialReason, Objection } from '../protocol/verdict.ts'
import type { ToolInput } from './gate-input.ts'
import { optsOut } from './opt-out.ts'

export function scoutObjections({ proposal, facts, state, policy }: ToolInput): Objection[] {
  const { scout } = policy
  if (proposal.tool !== scout.dispatchToolName) return []
  const texts = gateTexts(state.lang)
  const objections: Objection[] = []
  const object = (reason: DenialReason, message: string, hint?: string) => {
    objections.push({ stage: 'scope', reason, rule: 'deny', effect: 'recover', message, ...present({ hint }) })
  }
  if (!scout.enabled) object('SCOUT_DISABLED', texts.scoutsDisabled)
  // One level deep: a scout, a node or a decision cannot start scouts.
  if (state.profile.mode !== 'chat' && state.profile.mode !== 'routine') {
    object('SCOUT_ENTRY_FORBIDDEN', texts.scoutEntryForbidden(state.profile.mode))
  }
  if (optsOut(state.task)) object('SCOUT_USER_OPT_OUT', texts.scoutOptOut, texts.answerDirectly)
  const tokens = tokensSpent(state, facts.scouts)
  if (scout.sessionTokenBudget > 0 && tokens >= scout.sessionTokenBudget) {
    object('SCOUT_BUDGET_EXHAUSTED', texts.scoutBudget(tokens, scout.sessionTokenBudget), texts.answerDirectly)
  }
  const left = cooldownLeft(state.earlier, scout.cooldownTurns)
  if (left > 0) object('SCOUT_COOLDOWN', texts.scoutCooldown(left), texts.answerDirectly)
  if (facts.scouts !== undefined && overflows(facts.scouts, scout)) {
    object('SCOUT_QUEUE_FULL', texts.scoutQueueFull(facts.scouts), texts.fewerTasks)
  }
  return objections
}

/** Turns, including this one, in which no scouts may be started. Only scouts of earlier turns count. */
export function cooldownLeft(earlier: RunState['earlier'], cooldownTurns: number): number {
  if (earlier?.scoutTurn === undefined) return 0
  const since = earlier.turns + 1 - earlier.scoutTurn
  return since <= 0 ? 0 : Math.max(0, cooldownTurns - since + 1)
}

function tokensSpent({ earlier, usage }: RunState, scouts: ScoutFact | undefined): number {
  return (earlier?.tokens ?? 0) + usage.inputTokens + usage.outputTokens + (scouts?.tokens ?? 0)
}

function overflows(busy: ScoutFact, { maxConcurrentScouts, overflow, maxQueue }: Policy['scout']): boolean {
  const places = Math.max(0, Math.min(maxConcurrentScouts - busy.running, busy.free))
  const waiting = busy.waiting + busy.asked - places
  return waiting > (overflow === 'reject' ? 0 : maxQueue)
}
