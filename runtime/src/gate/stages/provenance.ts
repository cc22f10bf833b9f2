/**
 * Part of stage 6: did anything but an untrusted text ask for this call? A call that changes something is checked for
 * who named its targets, what the user requested, and how often. There is no question while the run has read only the
 * user's messages, about plain reads, or about targets the user named. A memory in the prompt counts only for the
 * targets it names.
 */
import { gateTexts } from '../../i18n/gate.ts'
import { asksForInformation } from '../../language/questions.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { Objection } from '../../protocol/verdict.ts'
import type { ToolInput } from '../gate-input.ts'
import { allSaid, saidText, userTexts } from '../message-texts.ts'
import { countDoubt, deedDoubt } from '../provenance/deed.ts'
import { disclosureDoubt } from '../provenance/disclosure.ts'
import type { Doubt, Evidence } from '../provenance/evidence.ts'
import { exfiltrationDoubt } from '../provenance/exfiltration.ts'
import { targetDoubt } from '../provenance/target.ts'
import { combineRequests, requestsFor } from '../requested-deeds.ts'
import { mentions } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import { untrustedMemories, untrustedTextsIn } from '../untrusted-texts.ts'

const RECENT_MESSAGES = 3

export function provenance(input: ToolInput): Objection[] {
  const { state, policy } = input
  const { security } = policy
  if (security.provenance === 'off') return []
  const doubt = suggestionDoubt(input) ?? disclosureDoubt(input)
  if (doubt === undefined) return []

  const texts = gateTexts(state.lang)
  const { rule, source, target } = doubt
  const message = texts.provenance({
    rule,
    target: target?.value,
    tool: input.proposal.tool,
    from: source === undefined ? undefined : `${source.tool} (${source.callId})`,
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

/** Could an untrusted text have suggested the call? */
function suggestionDoubt(input: ToolInput): Doubt | undefined {
  const { facts, state, policy } = input
  const { security } = policy
  const targets = targetsOf(input)
  if (facts.readOnly ? targets.length === 0 : targets.length === 0 && facts.deed === undefined) return undefined
  const texts = untrustedTextsIn(state, security)
  const untrusted = [...untrustedMemories(state), ...texts]
  if (untrusted.length === 0) return undefined
  const unknown = targets.filter((target) => !isTrustedTarget(target, state, security))
  // Memories are in most prompts: if each counted as a text that was read, every session would raise questions.
  const unknownTargets =
    texts.length > 0 ? unknown : unknown.filter((target) => untrusted.some(({ read }) => mentions(read, target)))
  const { requested, onlyReads } = userRequests(input)
  // A named target may be acted on, but not where the user only asks for information.
  if (unknownTargets.length === 0 && (texts.length === 0 || (targets.length > 0 && !onlyReads))) return undefined
  const doubt = firstDoubt({ input, untrusted, requested, onlyReads, unknownTargets })
  return doubt === undefined ? undefined : { ...doubt, target: doubt.target ?? unknownTargets[0] }
}

/** From the user's last messages, and from the deeds that a workflow's author requested as data. */
function userRequests({ state }: ToolInput): Pick<Evidence, 'requested' | 'onlyReads'> {
  const texts = userTexts(state).slice(-RECENT_MESSAGES)
  const deeds: readonly Deed[] | undefined = state.given.deeds
  const requested = combineRequests([
    ...texts.map(({ requests }) => requests),
    ...allSaid(state).flatMap((said) => (said.except === undefined ? [saidText(said).requests] : [])),
    ...(deeds === undefined ? [] : [requestsFor(deeds)]),
  ])
  const asksOnlyToRead = deeds?.includes('read') === true || texts.every(({ text }) => asksForInformation(text))
  return { requested, onlyReads: requested.size === 0 && asksOnlyToRead }
}

/** The content stage checks paths inside the workspace, whatever named them. */
function targetsOf({ facts }: ToolInput): TargetFact[] {
  const { targets = [], paths } = facts
  return paths === undefined ? targets : targets.filter(({ kind }) => kind !== 'path')
}

function firstDoubt(evidence: Evidence): Doubt | undefined {
  const { input, unknownTargets } = evidence
  if (input.facts.readOnly)
    return unknownTargets.map((target) => exfiltrationDoubt(evidence, target)).find((doubt) => doubt !== undefined)
  return (
    unknownTargets.map((target) => targetDoubt(evidence, target)).find((doubt) => doubt !== undefined) ??
    deedDoubt(evidence) ??
    countDoubt(evidence)
  )
}
