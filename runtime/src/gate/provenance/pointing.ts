/** Why a text that orders something may name the target anyway: the user wants to reply to it, or pointed at it. */
import { addressesAndIds } from '../../language/addresses.ts'
import { foldCase } from '../../language/letter-case.ts'
import { anyOccurs, type NearPattern } from '../../language/near-pattern.ts'
import { isQuotedIn } from '../../language/quotes.ts'
import { nameWords } from '../../language/words.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { argumentValues } from '../argument-values.ts'
import { userTexts } from '../message-texts.ts'
import { ReadText } from '../read-text.ts'
import { hostOf, namingSentences } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { covers, type Evidence, OUTSIDE, requestedCount } from './evidence.ts'

/** "… to Bob", "发给王伟": the user named the recipient. */
const NAMES_RECIPIENT: NearPattern = {
  near: /\b(?:tell|inform|notify|answer|remind|thank)\s|\b(?:to|with|an|à|para|a)\s+[^a-z\s]|给/,
  pattern:
    /\b(?:tell|inform|notify|answer|remind|thank)\s+(?:the|my|our|his|her|their|\p{Lu})|\b(?:to|with|an|à|para|a)\s+\p{Lu}\p{L}+|给(?!我)\p{L}/u,
}

/** True when the target is the writer of the text, and the user named the writer and requested the deed. */
export function isReplyToWriter(
  { input, request }: Evidence,
  { read, args }: UntrustedText,
  target: TargetFact,
): boolean {
  const { deed } = input.facts
  if (deed === undefined || !covers(request.deeds, deed)) return false
  const texts = userTexts(input.state)
  const site = siteOf(args, target)
  if (site !== undefined && texts.some((one) => one.holds(site))) return true
  const writer = writerOf(read, target)
  if (writer === undefined) return false
  if (requestedCount(request.deeds, deed) === Number.POSITIVE_INFINITY) return true
  return texts.some((one) => nameWords(writer).some((name) => one.holds(name)))
}

/** As much as may stand between the beginning of a name, or "from", and an address. */
const BEFORE_ADDRESS = 140
/** "From Anna Berg <", "Grandma (", "sender: ". */
const NAME_BEFORE = /(?:^|[\n\]|]|\bfrom[:=]?|发件人[:：]?) {0,4}['"]?(\p{L}[^\n<(:,;]{1,60}?)[<(] ?$/u
const FIELD_BEFORE = /(?:from|sender|author|发件人)['"]? ?[:：=] ?['"]?$/

/** "From Anna Berg <anna@…>", "Grandma (+44 …): …", "sender: anna@…". */
function writerOf({ folded }: ReadText, { value }: TargetFact): string | undefined {
  const address = foldCase(value)
  let isField = false
  for (let at = folded.indexOf(address); at >= 0; at = folded.indexOf(address, at + 1)) {
    const before = folded.slice(Math.max(0, at - BEFORE_ADDRESS), at)
    const name = NAME_BEFORE.exec(before)?.[1]
    if (name !== undefined) return name
    isField ||= FIELD_BEFORE.test(before)
  }
  return isField ? value.replace(/@.*/, '') : undefined
}

/** The site of an e-mail address, if it is the site that was opened. */
function siteOf(args: unknown, { kind, value }: TargetFact): string | undefined {
  const site = kind === 'email' ? value.replace(/^.*@/, '') : undefined
  return argumentValues(args).some((one) => hostOf({ kind: 'url', value: one }) === site) ? site : undefined
}

/** True when the user sent us to this text for this deed ("pay the invoice in D-31") and left the target to it. */
export function isPointedAt(evidence: Evidence, source: UntrustedText, target: TargetFact): boolean {
  const { input, request, action } = evidence
  const { deed = 'send' } = action
  if (isOwnResult(input.state, source)) return true
  if (covers(request.deeds, deed)) return isSentTo(evidence, source, deed) || isLinked(evidence, source, target)
  return request.delegates && isReferredTo(evidence, source)
}

/** A booking that the run itself made names the booking's number. */
function isOwnResult({ deeds }: Evidence['input']['state'], { callId, read, inspection }: UntrustedText): boolean {
  return inspection === 'pass' && read.orders.size === 0 && deeds.some((done) => done.callId === callId)
}

function isSentTo({ input, untrusted }: Evidence, source: UntrustedText, deed: Deed): boolean {
  return userTexts(input.state).some(({ text, sentences }) => {
    const named = namedArguments(source, text)
    return sentences.some((sentence, i) => {
      if (!named.some((value) => sentence.text.toLowerCase().includes(value.toLowerCase()))) return false
      const around = [sentences[i - 1], sentence, sentences[i + 1]]
      if (!around.some((one) => one !== undefined && covers(one.requests, deed))) return false
      if (anyOccurs([NAMES_RECIPIENT], sentence.text)) return false
      const used = untrusted.flatMap(({ args }) => argumentValues(args)).map((value) => new ReadText(value))
      return addressesAndIds(sentence.text).every((value) => used.some((one) => one.holds(value)))
    })
  })
}

/** The arguments with which a text was read that the user has named. */
function namedArguments({ args }: UntrustedText, text: string): string[] {
  return argumentValues(args).filter((value) => isDistinct(value) || (value.length >= 3 && isQuotedIn(text, value)))
}

/** The user named what this text was read with, or someone or something that it is about. */
export function isReferredTo({ input, request }: Evidence, source: UntrustedText): boolean {
  const isNamed = userTexts(input.state).some((user) =>
    namedArguments(source, user.text).some((value) => user.holds(value)),
  )
  return isNamed || request.names.some((name) => source.read.holds(name))
}

/** The passage that names the target also names someone or something from the user's words. */
function isLinked({ request }: Evidence, { read }: UntrustedText, target: TargetFact): boolean {
  if (request.names.length === 0) return false
  // An address belongs to the name beside it; an id is explained by the sentences around it.
  const isAddress = OUTSIDE.includes(target.kind)
  return namingSentences(read, target).some(({ own, beside }) =>
    request.names.some((name) => own.holds(name) || (!isAddress && beside.some((sentence) => sentence.holds(name)))),
  )
}

/** True of a text that looked suspicious only because it asks for what the user requested. Never of a blocked one. */
export function ordersOnlyRequested(
  { action, request }: Evidence,
  { inspection, read }: UntrustedText,
  isOrdered: boolean,
): boolean {
  if (inspection !== 'review') return false
  const { deed = 'send' } = action
  const requested = request.deeds
  const isRequested = deed === 'write' ? requested.get(deed) === Number.POSITIVE_INFINITY : requested.has(deed)
  return (isRequested && !isOrdered) || [...read.orders].every((one) => covers(requested, one))
}

/** An id, an address or a file name; a common word may be in both by chance. */
function isDistinct(value: string): boolean {
  return value.length >= 3 && /\d|[@/]|\.\p{L}|\p{L}{2} \p{L}{2}/u.test(value)
}
