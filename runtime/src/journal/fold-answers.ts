/** What a person's answer changes: standing approvals, rules of the session, the arguments of a call. */
import { present } from '../base/present.ts'
import { ruleId } from '../config/rule-id.ts'
import type { EventOf } from '../protocol/event.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import type { RunState } from '../protocol/state.ts'
import type { Review } from '../protocol/verdict.ts'

/** `a` adds standing approvals, `n` with keys revokes them. */
export function approvalsAfter(
  approvals: readonly string[],
  { answer, keys }: EventOf<'confirm.answered'>['data'],
): string[] {
  if (answer === 'a') return [...new Set([...approvals, ...keys])]
  return approvals.filter((key) => answer !== 'n' || !keys.includes(key))
}

/** Session rules after an answer. Rules of wider scopes are read from their store, where they can be revoked. */
export function rulesAfter(
  rules: readonly LayeredRule[],
  { remembered, revoked = [] }: EventOf<'confirm.answered'>['data'],
): LayeredRule[] {
  const isOfSession = remembered?.scope === 'session' || remembered?.failed !== undefined
  const added = isOfSession
    ? remembered.rules.map((rule) => ({ ...rule, layer: 'session', from: 'remembered' }) as const)
    : []
  const known = new Set(added.map((rule) => ruleId(rule)))
  return [...rules.filter((rule) => !known.has(ruleId(rule)) && !revoked.includes(ruleId(rule))), ...added]
}

export function applyEdit(state: RunState, { data: { callId, before, after, by } }: EventOf<'confirm.edited'>): void {
  if (state.question?.callId === callId) state.question = undefined
  state.pending = state.pending.map((call) => (call.id === callId ? { ...call, args: after } : call))
  forgetReview(state, callId)
  // Its deed was that of the call before the change.
  state.deeds = state.deeds.filter((done) => done.callId !== callId)
  state.edited = { callId, by }
  state.said = [...(state.said ?? []), { text: JSON.stringify(after), except: JSON.stringify(before) }]
}

/** Until the call has its result. A call that the reviewer approved was not approved by a person. */
export function applyReview(state: RunState, { data }: EventOf<'call.reviewed'>): void {
  const { callId, argsHash, basis, decision } = data
  const review = reviewIn(data)
  forgetReview(state, callId)
  state.reviews = [...(state.reviews ?? []), { callId, argsHash, ...present({ basis }), review }]
  if (decision === 'allow') {
    state.deeds = state.deeds.map((done) => (done.callId === callId ? { ...done, asked: false } : done))
  }
}

export function reviewIn({ model, decision, reason, failed }: EventOf<'call.reviewed'>['data']): Review {
  return { model, decision, ...present({ reason, failed }) }
}

export function forgetReview(state: RunState, callId: string): void {
  const left = (state.reviews ?? []).filter((known) => known.callId !== callId)
  if (left.length > 0) state.reviews = left
  else state.reviews = undefined
}
