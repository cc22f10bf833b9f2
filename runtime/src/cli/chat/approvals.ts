/** `/approvals`: what is allowed without asking, and how it is revoked. */
import { standingRightsOf } from '../../agent/approvals.ts'
import { revokeUnderLease } from '../../assembly/session-lease.ts'
import { ruleId } from '../../config/rule-id.ts'
import { ruleWords } from '../../i18n/offer-words.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { leasesOn } from '../../storage/leases.ts'
import { questionTexts } from '../question-texts.ts'
import { ruleLines } from '../rule-lines.ts'
import { cliTexts } from '../texts.ts'
import type { ChatDeps } from './chat-deps.ts'

export async function manageApprovals(deps: ChatDeps, [verb, ...words]: readonly string[]): Promise<void> {
  const { io } = deps
  const { chat } = cliTexts(io.lang)
  const what = words.join(' ')
  if (verb === undefined) await listRights(deps)
  else if (verb !== 'revoke' || what === '') io.stderr(`${chat.approvalsUsage}\n`)
  else if (await revoke(deps, { rule: what })) io.stdout(`${questionTexts(io.lang).forgotten({ id: what })}\n`)
  else if (await revoke(deps, { key: what })) io.stdout(`${chat.revoked({ key: what })}\n`)
  else io.stdout(`${chat.notApproved({ key: oneLine(what) })}\n`)
}

async function revoke({ agent, sessionId }: ChatDeps, what: { key: string } | { rule: string }): Promise<boolean> {
  const { engine, db } = agent
  if ('rule' in what && (await engine.remembered?.revoke(what.rule))) return true
  const { signal } = new AbortController()
  return sessionId !== undefined && (await revokeUnderLease(engine, leasesOn(db), { sessionId, signal, ...what }))
}

async function listRights({ agent, sessionId, io }: ChatDeps): Promise<void> {
  const { chat } = cliTexts(io.lang)
  const texts = questionTexts(io.lang)
  const { approvals, rules } =
    sessionId === undefined ? { approvals: [], rules: [] } : await standingRightsOf(agent.store, sessionId)
  const stored = (await agent.engine.remembered?.list()) ?? []
  const ofSession = rules.map((rule) => `  ${ruleId(rule)}  ${oneLine(ruleWords(rule, io.lang))}`)
  const lines = [
    ...(approvals.length === 0 ? [chat.noApprovals] : [chat.approved, ...approvals.map((key) => `  ${key}`)]),
    ...(rules.length === 0 ? [] : [texts.sessionRules, ...ofSession]),
    ...(stored.length === 0 ? [] : [texts.storedRules, ...ruleLines(stored, io.lang)]),
  ]
  io.stdout(`${lines.join('\n')}\n`)
}
