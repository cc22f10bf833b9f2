/**
 * Part of stage 6: did anything but an untrusted text ask for this call? Every value has a source, every action a warrant
 * in the user's words, and one table decides (`provenance/table.ts`). There is no question while the run has read only
 * the user's messages, and none about plain reads. A memory in the prompt counts only for the targets it names.
 */
import { gateTexts, type ProvenanceRule, type Warrant } from '../../i18n/gate.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { ASKS_TO_OPEN, OPEN_TO_ALL } from '../action-words.ts'
import { argumentValues } from '../argument-values.ts'
import type { ToolInput } from '../gate-input.ts'
import { actionOf } from '../provenance/action.ts'
import { setUpDoubt } from '../provenance/content.ts'
import { disclosureDoubt } from '../provenance/disclosure.ts'
import { type Doubt, type Evidence, isFlagged, OUTSIDE } from '../provenance/evidence.ts'
import { carriesUnnamed, limitDoubt } from '../provenance/limits.ts'
import { openingDoubt, pageDoubt } from '../provenance/opening.ts'
import { kindsOf, type Passage, speaksOf } from '../provenance/passage.ts'
import { isLinked, isPointedAt } from '../provenance/pointing.ts'
import { requestOf } from '../provenance/request.ts'
import { isWanted, weigh } from '../provenance/scale.ts'
import { isSiteOfWords } from '../provenance/sites.ts'
import { worstSource } from '../provenance/sources.ts'
import { type Effective, ruleFor } from '../provenance/table.ts'
import { warrantOf } from '../provenance/warrant.ts'
import { hostOf, mentions } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import { untrustedMemories, untrustedTextsIn } from '../untrusted-texts.ts'

export function provenance(input: ToolInput): Objection[] {
  const { state, policy } = input
  const { security } = policy
  if (security.provenance === 'off') return []
  const evidence = evidenceFor(input)
  const doubt =
    (evidence && suggestionDoubt(evidence)) ??
    (evidence !== undefined && isWeighed(evidence) ? undefined : disclosureDoubt(input))
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
  const values = argumentValues(input.proposal.args)
  const action = actionOf(input, { targets, values })
  if (action.weight === 'look' || (targets.length === 0 && action.deed === undefined)) return undefined
  const texts = untrustedTextsIn(state, security)
  const untrusted = [...untrustedMemories(state), ...texts]
  if (untrusted.length === 0) return undefined
  const unknown = targets.filter((target) => !isTrustedTarget(target, state, security))
  // Memories are in most prompts: if each counted as a text that was read, every session would raise questions.
  const unknownTargets =
    texts.length > 0 ? unknown : unknown.filter((target) => untrusted.some(({ read }) => mentions(read, target)))
  if (unknownTargets.length === 0 && texts.length === 0) return undefined
  return { input, action, values, request: requestOf(state), untrusted, targets, unknownTargets }
}

function suggestionDoubt(evidence: Evidence): Doubt | undefined {
  const { weight } = evidence.action
  if (weight === 'look') return undefined
  const doubt = weight === 'open' ? openingDoubt(evidence) : actionDoubt(evidence, weight)
  return doubt === undefined ? undefined : { ...doubt, target: doubt.target ?? evidence.unknownTargets[0] }
}

/**
 * What others' tools send to a site that the user spoke of, or that a text has, is weighed; for logins only with what is
 * the user's or in a text that they pointed at. Commands and workflows may only send what is known.
 */
function isWeighed(evidence: Evidence): boolean {
  const { action, input, untrusted, unknownTargets } = evidence
  const { deed, weight } = action
  if (weight === 'open' || deed === undefined || deed === 'exec' || input.state.profile.mode === 'workflow')
    return false
  if (deed === 'account' && !isGiven(evidence)) return false
  return unknownTargets.every((target) => {
    const host = hostOf(target)
    return (
      host === undefined ||
      weight !== 'change' ||
      isSiteOfWords(host, input.state) ||
      untrusted.some(({ read }) => mentions(read, target))
    )
  })
}

/** "sms", "2": carries nothing. */
const SHORT_VALUE = 6

function isGiven(evidence: Evidence): boolean {
  const { request, targets, untrusted, values } = evidence
  const texts = untrusted.filter((text) => !isFlagged(text) && isPointedAt(evidence, text))
  const given = [...texts.map(({ read }) => read), ...request.texts]
  const aimed = new Set(targets.map(({ value }) => value))
  return values.every(
    (value) => aimed.has(value.trim()) || value.length < SHORT_VALUE || given.some((text) => text.holds(value)),
  )
}

function actionDoubt(evidence: Evidence, weight: Effective): Doubt | undefined {
  const warrant = warrantOf(evidence)
  const { source, text, target } = worstSource(evidence)
  const certain =
    withheldDoubt(evidence, warrant) ??
    forbiddenDoubt(evidence) ??
    pageDoubt(evidence) ??
    openToAllDoubt(evidence) ??
    setUpDoubt(evidence)
  if (certain !== undefined) return withFacts(evidence, warrant, certain)
  const rule = ruleFor(weight, warrant, source)
  const tabled = rule && { rule, source: text ?? evidence.untrusted.at(-1), target }
  const limit = limitDoubt(evidence)
  const certainly = [tabled, limit].find((one) => one !== undefined && isCertain(evidence, warrant, one))
  const doubt = (certainly && (tabled ?? limit)) ?? weighedDoubt(evidence, warrant, tabled ?? limit, limit)
  return doubt && withFacts(evidence, warrant, doubt)
}

function withFacts({ untrusted, action }: Evidence, warrant: Warrant, doubt: Doubt): Doubt {
  const suspicious = untrusted.filter(isFlagged).map(({ tool, callId }) => `${tool} (${callId})`)
  const { deed = 'send', special } = action
  const { because = [] } = doubt
  return { ...doubt, facts: { deed: special?.name ?? deed, warrant, suspicious, because } }
}

/** What a withheld result said is not known: it may have named anything that no readable text names, and asked for anything. */
function withheldDoubt(evidence: Evidence, warrant: Warrant): Doubt | undefined {
  const { untrusted, action } = evidence
  const source = untrusted.find(({ inspection }) => inspection === 'block')
  if (source === undefined || action.deed === undefined) return undefined
  const isOwn = warrant === 'asked' || (warrant === 'delegated' && action.weight === 'change')
  return isOwn && !carriesUnnamed(evidence) ? undefined : { rule: 'withheld', source }
}

/** "Don't approve it", "don't delete anything": what the user has ruled out, and does not ask for elsewhere. */
function forbiddenDoubt(evidence: Evidence): Doubt | undefined {
  const kinds = kindsOf(evidence.action)
  const isForbidden = evidence.request.texts.some(({ ruledOut }) => ruledOut.some((clause) => speaksOf(kinds, clause)))
  return isForbidden && !isWanted(evidence) ? { rule: 'unasked', source: evidence.untrusted.at(-1) } : undefined
}

/** Who may see or control something is open to everyone, or to another owner: only the user's words ask for that. */
function openToAllDoubt({ action, request, untrusted }: Evidence): Doubt | undefined {
  if (action.weight === 'look' || action.weight === 'open' || !action.selected.some((value) => OPEN_TO_ALL.test(value)))
    return undefined
  const isAsked = request.texts.some((text) => text.says(ASKS_TO_OPEN))
  return isAsked ? undefined : { rule: 'unasked', source: untrusted.at(-1) }
}

/** Nothing outweighs these: what was read is not known. */
const CERTAIN: readonly ProvenanceRule[] = ['withheld', 'picture', 'untrusted', 'nowhere']

/** A workflow is written down completely, and what outlasts the run must be asked for by name. */
function isCertain(evidence: Evidence, warrant: Warrant, doubt: Doubt): boolean {
  const { input, action } = evidence
  if (input.state.profile.mode === 'workflow') return true
  // An address outside that only a suspicious text has.
  if (doubt.rule === 'flagged')
    return (
      action.weight !== 'change' &&
      doubt.target !== undefined &&
      OUTSIDE.includes(doubt.target.kind) &&
      !(warrant === 'asked' && isSubject(evidence, doubt))
    )
  if (doubt.rule === 'unasked')
    return action.special?.name === 'lasting' || (warrant === 'none' && evidence.untrusted.some(isFlagged))
  if (doubt.rule === 'surplus')
    return (action.deed === 'payment' || action.deed === 'order') && !evidence.request.delegates
  const isSuspicious = doubt.source !== undefined && isFlagged(doubt.source)
  if (doubt.rule === 'several') return isSuspicious || doubt.target?.kind === 'account'
  if (doubt.rule === 'link' && doubt.target?.kind === 'url') return isSuspicious
  return doubt.isCertain === true || CERTAIN.includes(doubt.rule)
}

/** The user pointed at it, and it only looks suspicious: what is due may be put as an order. */
function isSubject(evidence: Evidence, { source: text, target }: Doubt): boolean {
  if (text?.inspection !== 'review' || evidence.request.delegates) return false
  return isPointedAt(evidence, text) || (target !== undefined && isLinked(evidence, text, target, 'words'))
}

/** A plain change that the table allows, by a text to which the user has left what to change. */
function isLeftTo(evidence: Evidence, passage: Passage | undefined): boolean {
  const { action, request } = evidence
  if (passage === undefined || action.weight !== 'change' || !request.delegates) return false
  return !isFlagged(passage.text) && isPointedAt(evidence, passage.text)
}

/** Undefined where the user's words explain the call better than any passage does. */
function weighedDoubt(
  evidence: Evidence,
  warrant: Warrant,
  ruled: Doubt | undefined,
  limit: Doubt | undefined,
): Doubt | undefined {
  const rules = [ruled, limit].flatMap((doubt) => doubt?.rule ?? [])
  const { isOfText, passage, facts } = weigh(evidence, { warrant, rules })
  if (!isOfText) return undefined
  if (ruled === undefined && isLeftTo(evidence, passage)) return undefined
  const shares = passage !== undefined && passage.share > 0
  const doubt = ruled ?? { rule: shares ? 'suggested' : 'unasked', source: passage?.text ?? evidence.untrusted.at(-1) }
  return { ...doubt, because: facts }
}

/** The content stage checks paths inside the workspace, whatever named them. */
function targetsOf({ facts }: ToolInput): TargetFact[] {
  const { targets = [], paths } = facts
  return paths === undefined ? targets : targets.filter(({ kind }) => kind !== 'path')
}
