/**
 * Part of stage 6: did anything but an untrusted text ask for this call? Every value has a source, every action a warrant
 * in the user's words, and one table decides (`provenance/table.ts`). There is no question while the run has read only
 * the user's messages, and none about plain reads. A memory in the prompt counts only for the targets it names.
 */
import { gateTexts } from '../../i18n/gate.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import type { Objection } from '../../protocol/verdict.ts'
import type { ToolInput } from '../gate-input.ts'
import { actionOf } from '../provenance/action.ts'
import { disclosureDoubt } from '../provenance/disclosure.ts'
import { type Doubt, type Evidence, isFlagged } from '../provenance/evidence.ts'
import { limitDoubt } from '../provenance/limits.ts'
import { openingDoubt } from '../provenance/opening.ts'
import { requestOf } from '../provenance/request.ts'
import { worstSource } from '../provenance/sources.ts'
import { type Effective, ruleFor } from '../provenance/table.ts'
import { suggestingText, warrantOf } from '../provenance/warrant.ts'
import { mentions } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import { untrustedMemories, untrustedTextsIn } from '../untrusted-texts.ts'

export function provenance(input: ToolInput): Objection[] {
  const { state, policy } = input
  const { security } = policy
  if (security.provenance === 'off') return []
  const evidence = evidenceFor(input)
  const doubt =
    (evidence && suggestionDoubt(evidence)) ??
    (evidence !== undefined && isWantedForm(evidence) ? undefined : disclosureDoubt(input))
  if (doubt === undefined) return []

  const texts = gateTexts(state.lang)
  const { rule, source, target, facts } = doubt
  const message = texts.provenance({
    rule,
    target: target?.value,
    tool: input.proposal.tool,
    facts,
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

/** Undefined where no untrusted text could have suggested the call. */
function evidenceFor(input: ToolInput): Evidence | undefined {
  const { state, policy } = input
  const { security } = policy
  const targets = targetsOf(input)
  const action = actionOf(input, targets)
  if (action.weight === 'look' || (targets.length === 0 && action.deed === undefined)) return undefined
  const texts = untrustedTextsIn(state, security)
  const untrusted = [...untrustedMemories(state), ...texts]
  if (untrusted.length === 0) return undefined
  const unknown = targets.filter((target) => !isTrustedTarget(target, state, security))
  // Memories are in most prompts: if each counted as a text that was read, every session would raise questions.
  const unknownTargets =
    texts.length > 0 ? unknown : unknown.filter((target) => untrusted.some(({ read }) => mentions(read, target)))
  if (unknownTargets.length === 0 && texts.length === 0) return undefined
  return { input, action, request: requestOf(state), untrusted, targets, unknownTargets }
}

function suggestionDoubt(evidence: Evidence): Doubt | undefined {
  const { weight } = evidence.action
  if (weight === 'look') return undefined
  const doubt = weight === 'open' ? openingDoubt(evidence) : actionDoubt(evidence, weight)
  return doubt === undefined ? undefined : { ...doubt, target: doubt.target ?? evidence.unknownTargets[0] }
}

/** A form that the user wants filled in, at an address they named or pointed at, may carry what was read. */
function isWantedForm(evidence: Evidence): boolean {
  if (evidence.action.special?.name !== 'form' || warrantOf(evidence) !== 'asked') return false
  return ['user', 'pointed', 'told', 'seen'].includes(worstSource(evidence).source)
}

function actionDoubt(evidence: Evidence, weight: Effective): Doubt | undefined {
  const wanted = warrantOf(evidence)
  // What was read can only weaken a warrant.
  const suggesting = wanted === 'implied' || wanted === 'unsaid' ? suggestingText(evidence, wanted) : undefined
  const warrant = suggesting === undefined ? wanted : 'none'
  const { source, text, target } = worstSource(evidence)
  const rule = ruleFor(weight, warrant, source)
  const doubt =
    rule !== undefined
      ? { rule, source: text ?? suggesting ?? evidence.untrusted.at(-1), target }
      : limitDoubt(evidence)
  const suspicious = evidence.untrusted.filter(isFlagged).map(({ tool, callId }) => `${tool} (${callId})`)
  const { deed = 'send', special } = evidence.action
  return doubt && { ...doubt, facts: { deed: special?.name ?? deed, warrant: wanted, suspicious } }
}

/** The content stage checks paths inside the workspace, whatever named them. */
function targetsOf({ facts }: ToolInput): TargetFact[] {
  const { targets = [], paths } = facts
  return paths === undefined ? targets : targets.filter(({ kind }) => kind !== 'path')
}
