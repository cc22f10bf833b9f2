/**
 * Part of stage 6: did anybody but a stranger ask for this? A call that changes something is held against where its
 * targets were seen, what the user's words ask for, and how often. Nothing is asked while only the user has spoken,
 * about plain reads, or about targets the user has named. A memory in the prompt speaks only of what it names.
 */
import { gateTexts } from '../../i18n/gate.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { isForReading, together } from '../asks.ts'
import type { ToolMatter } from '../matter.ts'
import { oneTooMany, unasked } from '../provenance/deed.ts'
import { disclosureDoubt } from '../provenance/disclosure.ts'
import { carried } from '../provenance/page.ts'
import type { Doubt, Reading } from '../provenance/reading.ts'
import { unsure } from '../provenance/target.ts'
import { isVouchedFor, mentions, rememberedStrangers, strangersIn, userWords } from '../sightings.ts'

const RECENT_WORDS = 3

export function provenance(matter: ToolMatter): Objection[] {
  const { state, policy } = matter
  const { security } = policy
  if (security.provenance === 'off') return []
  const doubt = suggestionDoubt(matter) ?? disclosureDoubt(matter)
  if (doubt === undefined) return []

  const texts = gateTexts(state.lang)
  const { rule, stranger, target } = doubt
  const message = texts.provenance({
    rule,
    target: target?.value,
    tool: matter.proposal.tool,
    from: stranger === undefined ? undefined : `${stranger.tool} (${stranger.callId})`,
  })
  return [
    {
      stage: 'scope',
      reason: 'TargetNotInContext',
      rule: security.provenance,
      effect: 'recover',
      message,
      hint: texts.provenanceHint,
    },
  ]
}

/** Did anybody but a stranger suggest it? */
function suggestionDoubt(matter: ToolMatter): Doubt | undefined {
  const { facts, state, policy } = matter
  const { security } = policy
  const targets = targetsOf(matter)
  if (facts.readOnly ? targets.length === 0 : targets.length === 0 && facts.deed === undefined) return undefined
  const heard = strangersIn(state, security)
  const strangers = [...rememberedStrangers(state), ...heard]
  if (strangers.length === 0) return undefined
  const unknown = targets.filter((target) => !isVouchedFor(target, state, security))
  // A memory that nobody asked for stands in most prompts; were it a text that was read, every session would be asked.
  const foreign =
    heard.length > 0 ? unknown : unknown.filter((target) => strangers.some(({ read }) => mentions(read, target)))
  const said = userWords(state).slice(-RECENT_WORDS)
  const asked = together(said.map(({ asks }) => asks))
  const onlyReads = asked.size === 0 && said.every(({ text }) => isForReading(text))
  // Who is named may be acted on, but not where the user only wants to know something.
  if (foreign.length === 0 && (heard.length === 0 || (targets.length > 0 && !onlyReads))) return undefined
  const doubt = firstDoubt({ matter, strangers, asked, onlyReads, foreign })
  const [target] = foreign
  return doubt === undefined || target === undefined ? doubt : { target, ...doubt }
}

/** A path inside the workspace is the content stage's matter, wherever its name came from. */
function targetsOf({ facts }: ToolMatter): TargetFact[] {
  const { targets = [], paths } = facts
  return paths === undefined ? targets : targets.filter(({ kind }) => kind !== 'path')
}

function firstDoubt(reading: Reading): Doubt | undefined {
  const { matter, foreign } = reading
  if (matter.facts.readOnly)
    return foreign.map((target) => carried(reading, target)).find((doubt) => doubt !== undefined)
  return (
    foreign.map((target) => unsure(reading, target)).find((doubt) => doubt !== undefined) ??
    unasked(reading) ??
    oneTooMany(reading)
  )
}
