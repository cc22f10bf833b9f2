/** What scouts have to do with a turn of the main session: advice before it, and an honest word after it. */
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
    /** S4 §6: whatever the model says of it, the reader is told that something is missing (S4-109). */
    async leftOpen({ minted, sessionId, turnId, lang: spoken }) {
      if (minted[gate.dispatchToolName] === undefined) return []
      const sent = scoutStates((await store.readSession(sessionId)).filter((event) => event.turnId === turnId))
      return leftOpenBy(sent, spoken)
    },
    async recovered(call, { runId, sessionId, profile, lang: spoken }) {
      if (call.tool !== gate.dispatchToolName) return undefined
      const found = recoverExploration(call, await store.readSession(sessionId), { runId, lang: spoken })
      return found && explorationText(found, profile.observationMaxLen)
    },
  }
}

/** A lookup that ended without a usable answer is told apart from one that did not get to its end. */
function leftOpenBy(sent: readonly ScoutHistory[], lang: Lang): string[] {
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
