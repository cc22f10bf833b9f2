/** Scouts around a turn of the main session: advice before it, notices about missing answers after it. */
import type { Scouting } from '../agent/turn.ts'
import type { Lang } from '../i18n/locale.ts'
import { messages } from '../i18n/locale.ts'
import { type ScoutHistory, scoutStates } from '../journal/scout-states.ts'
import type { Store } from '../journal/store.ts'
import type { Policy } from '../protocol/policy.ts'
import type { BudgetProfile } from '../protocol/scout.ts'
import { explorationText } from './aggregate.ts'
import { recoverExploration } from './recovery.ts'
import { scoutAdvice } from './trigger-policy.ts'

export function scoutingFor(deps: {
  store: Pick<Store, 'readSession'>
  policy: Policy
  maxProfile: BudgetProfile
  lang: Lang
}): Scouting {
  const { store, policy, maxProfile, lang } = deps
  const gate = policy.scout
  return {
    advise(task, session) {
      const advice = scoutAdvice({ task, session, gate, maxProfile, lang })
      return advice.reason === 'no_signal' ? undefined : advice
    },
    /** S4 §6: whatever the model says, the reader is notified that an answer is missing (S4-109). */
    async unanswered({ minted, sessionId, turnId, lang: spoken }) {
      if (minted[gate.dispatchToolName] === undefined) return []
      const sent = scoutStates((await store.readSession(sessionId)).filter((event) => event.turnId === turnId))
      return noticesFor(sent, spoken)
    },
    async recovered(call, { runId, sessionId, profile, lang: spoken }) {
      if (call.tool !== gate.dispatchToolName) return undefined
      const found = recoverExploration(call, await store.readSession(sessionId), { runId, lang: spoken })
      return found && explorationText(found, profile.observationMaxLen)
    },
  }
}

/** Scouts without a usable answer and scouts that did not finish get different notices. */
function noticesFor(sent: readonly ScoutHistory[], lang: Lang): string[] {
  const { notice } = messages(lang)
  const asked = sent.length
  const open = sent.filter(({ status }) => status !== 'success')
  const having = (code: string) => open.filter((scout) => scout.code === code).length
  const ungrounded = having('UNGROUNDED')
  const nothing = having('NOTHING_FOUND')
  const failed = open.length - ungrounded - nothing
  const withheld = [...new Set(sent.flatMap((scout) => scout.withheld ?? []))]
  return [
    ...(failed === 0 ? [] : [notice.uncertain({ failed, asked })]),
    ...(ungrounded === 0 ? [] : [notice.ungrounded({ count: ungrounded, asked })]),
    ...(nothing === 0 ? [] : [notice.nothingFound({ count: nothing, asked })]),
    ...(withheld.length === 0 ? [] : [notice.docsWithheld({ docs: withheld })]),
  ]
}
