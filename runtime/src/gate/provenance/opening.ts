/** Doubts about an address that is only opened: who named it, who wants it opened, and what would leave with the request. */
import { URL_IN_TEXT } from '../../language/addresses.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import { ASKS_FOR_WEB, DONE_ON_PAGES } from '../action-words.ts'
import { argumentValues } from '../argument-values.ts'
import { hostOf, mentions, namingSentences } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { type Doubt, type Evidence, isFlagged } from './evidence.ts'
import { urgency } from './passage.ts'
import { isLinked, isOnPage, isPointedAt, withoutLabels } from './pointing.ts'

/** An address with placeholders. */
const PLACEHOLDER = /\bhttps?:\/\/\S{0,300}=(?:[<{[$]|%7b|YOUR|XXX)/i

export function openingDoubt(evidence: Evidence): Doubt | undefined {
  const { targets, unknownTargets } = evidence
  const known = targets.filter((target) => !unknownTargets.includes(target))
  const doubts = [
    ...known.map((target) => plantedDoubt(evidence, target)),
    ...unknownTargets.map((target) => doubtAbout(evidence, target)),
  ]
  return doubts.find((doubt) => doubt !== undefined)
}

/** A page of a host that the user named, which only a suspicious text says to open. */
function plantedDoubt({ untrusted, request }: Evidence, target: TargetFact): Doubt | undefined {
  if (target.kind !== 'url' || request.texts.some((text) => text.holds(target.value))) return undefined
  const naming = untrusted.filter(({ read }) => read.holds(target.value))
  const source = naming.length > 0 && naming.every(isFlagged) ? naming[0] : undefined
  return source === undefined ? undefined : { rule: 'flagged', source, target }
}

/** Words that are typed and buttons that are pressed go to the page that is open: who wanted it open? */
export function pageDoubt(evidence: Evidence): Doubt | undefined {
  const { input, action, targets } = evidence
  if (!action.words.some((word) => isOnPage(word)) || targets.some((target) => hostOf(target) !== undefined))
    return undefined
  const open = openPage(input)
  if (open === undefined || isTrustedTarget(open, input.state, input.policy.security)) return undefined
  return doubtAbout(evidence, open)
}

const OPENS = /^(?:https?:\/\/\S+|[a-z\d-]+(?:\.[a-z\d-]+)+(?:\/\S*)?)$/i

/** The last address that a call of this run has opened or logged in to. */
function openPage({ state, proposal }: Evidence['input']): TargetFact | undefined {
  for (const message of state.messages.toReversed()) {
    const calls = message.role === 'assistant' ? (message.calls ?? []) : []
    for (const { id, args } of calls) {
      if (id === proposal.id || typeof args !== 'object' || args === null) continue
      const named = Object.entries(args).find(
        ([key, value]) =>
          /^(?:url|uri|link|site|href|address|page)$/i.test(key) && typeof value === 'string' && OPENS.test(value),
      )
      if (named !== undefined) return { kind: 'url', value: String(named[1]) }
    }
  }
  return undefined
}

function doubtAbout(evidence: Evidence, target: TargetFact): Doubt | undefined {
  const { untrusted } = evidence
  const naming = untrusted.filter(({ read }) => mentions(read, target))
  const ordering = naming.find((text) => tellsToOpen(evidence, text, target))
  if (hostOf(target) === undefined) {
    // A button on a page.
    if (ordering === undefined || wantsOpened(evidence, ordering, target)) return undefined
    return { rule: isFlagged(ordering) ? 'flagged' : 'ordered', source: ordering, target }
  }
  // As people write it: without the scheme.
  const address = target.value.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  const verbatim = naming.filter(({ read }) => read.holds(address))
  const plain = verbatim.find((text) => text.retold !== true && !isFlagged(text))
  if (plain !== undefined) {
    const telling = naming.find((text) => !isFlagged(text) && tellsToOpen(evidence, text, target))
    if (telling === undefined || wantsOpened(evidence, telling, target)) return undefined
    return { rule: 'ordered', source: telling, target }
  }
  const flagged = naming.find(isFlagged)
  if (flagged !== undefined) return { rule: 'flagged', source: flagged, target }
  if (ordering !== undefined) return { rule: 'carries', source: ordering, target }
  const template = naming.find(({ read }) => PLACEHOLDER.test(read.text))
  if (template !== undefined) return { rule: 'carries', source: template, target }
  if (naming.length > 0) return undefined
  const withheld = untrusted.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined) return { rule: 'withheld', source: withheld, target }
  const unseen = /[?=]/.test(target.value) ? untrusted.find((text) => text.unseen) : undefined
  return unseen === undefined ? undefined : { rule: 'picture', source: unseen, target }
}

function tellsToOpen({ action }: Evidence, { read }: UntrustedText, target: TargetFact): boolean {
  return namingSentences(read, target)
    .map(({ own }) => withoutLabels(own, target, action))
    .some((own) => own.orders.size > 0 || urgency(own) > 0.4)
}

/** The user pointed at the text that wants it opened, and their words are about pages, or leave something to do. */
function wantsOpened(evidence: Evidence, ordering: UntrustedText, target: TargetFact): boolean {
  const { request } = evidence
  if (isFlagged(ordering) || leadsElsewhere(evidence, target)) return false
  const asksForWeb =
    request.deeds.has('browse') || request.texts.some((text) => text.says(ASKS_FOR_WEB) || text.says(DONE_ON_PAGES))
  const isMeant = isPointedAt(evidence, ordering) || isLinked(evidence, ordering, target, 'words')
  return isMeant && (asksForWeb || request.delegates || (request.deeds.size === 0 && !request.onlyReads))
}

/** The user, or the run before it had read anything, has chosen a site, and this is another one. */
function leadsElsewhere({ input, request }: Evidence, target: TargetFact): boolean {
  const host = hostOf(target)
  if (host === undefined) return false
  const { messages } = input.state
  const firstResult = messages.findIndex(({ role }) => role === 'tool')
  const chosen = messages
    .slice(0, Math.max(0, firstResult))
    .flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []))
    .flatMap(({ args }) => argumentValues(args).flatMap((value) => value.match(URL_IN_TEXT) ?? []))
  const named = request.texts.flatMap(({ text }) => text.match(URL_IN_TEXT) ?? [])
  return [...chosen, ...named].some((url) => hostOf({ kind: 'url', value: url }) !== host)
}
