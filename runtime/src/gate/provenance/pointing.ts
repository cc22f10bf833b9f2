/** Which texts the user pointed at: by what they were read with, by whom and what they are about, or to answer them. */

import { growingIndex } from '../../base/growing-index.ts'
import { addressesAndIds, namedNumbers } from '../../language/addresses.ts'
import { fitting } from '../../language/fitting-pattern.ts'
import { foldCase } from '../../language/letter-case.ts'
import { anyOccurs, type NearPattern } from '../../language/near-pattern.ts'
import { isQuotedIn } from '../../language/quotes.ts'
import { identifierWords } from '../../language/words.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { DeedDone } from '../../protocol/state.ts'
import { userTexts } from '../message-texts.ts'
import { LABELS, ReadText } from '../read-text.ts'
import { namingSentences } from '../targets-in-text.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import type { Action } from './action.ts'
import { covers, type Evidence, isFlagged, OUTSIDE } from './evidence.ts'
import type { Request } from './request.ts'

/** "… to Bob", "发给王伟": the user named the recipient. */
const NAMES_RECIPIENT: NearPattern = {
  near: /\b(?:tell|inform|notify|answer|remind|thank)\s|\b(?:to|with|an|à|para|a)\s+[^a-z\s]|给/,
  pattern:
    /\b(?:tell|inform|notify|answer|remind|thank)\s+(?:the|my|our|his|her|their|\p{Lu})|\b(?:to|with|an|à|para|a)\s+\p{Lu}\p{L}+|给(?!我)\p{L}/u,
}

/** As much as may stand between the beginning of a name, or "from", and an address. */
const BEFORE_ADDRESS = 140
/** "From Anna Berg <", "Grandma (", "sender: ". */
const NAME_BEFORE = /(?:^|[\n\]|]|\bfrom[:=]?|发件人[:：]?) {0,4}['"]?(\p{L}[^\n<(:,;]{1,60}?)[<(] ?$/u
const FIELD_BEFORE = /(?:from|sender|author|发件人)['"]? ?[:：=] ?['"]?$/

/** "From Anna Berg <anna@…>", "Grandma (+44 …): …", "sender: anna@…". */
export function writerOf({ folded }: ReadText, { value }: TargetFact): string | undefined {
  const address = foldCase(value)
  let isField = false
  for (let at = folded.indexOf(address); at >= 0; at = folded.indexOf(address, at + 1)) {
    const before = folded.slice(Math.max(0, at - BEFORE_ADDRESS), at)
    const name = fitting(before, NAME_BEFORE).exec(before)?.[1]
    if (name !== undefined) return name
    isField ||= FIELD_BEFORE.test(before)
  }
  return isField ? value.replace(/@.*/, '') : undefined
}

const MAX_NAME = 200
/** Tools that type and press on a page. */
const ON_PAGE = /^(?:types?|fill|fills|enter|submit|submits|click|press|select|choose|check|upload|attach|input|tick)$/

export function isOnPage(word: string): boolean {
  return fitting(word, ON_PAGE).test(word)
}

/** A button's own words are no order to press it. */
export function withoutLabels(sentence: ReadText, target: TargetFact, { words }: Action): ReadText {
  if (OUTSIDE.includes(target.kind) || !words.some((word) => isOnPage(word))) return sentence
  return new ReadText(sentence.text.replaceAll(target.value, ' ').replace(LABELS, ' '))
}

const doneBy = growingIndex((done: DeedDone) => done.callId)

/** A booking that the run itself made names the booking's number. */
export function isOwnResult(
  { deeds }: Evidence['input']['state'],
  { callId, tool, read, inspection }: UntrustedText,
): boolean {
  if (inspection !== 'pass' || doneBy(deeds, callId) === undefined) return false
  // What a page shows next is the page's. The orders of a whole text last, because they cost the most.
  return !identifierWords(tool, MAX_NAME).some((word) => isOnPage(word)) && read.orders.size === 0
}

/** True when the user sent us to this text for this deed ("pay the invoice in D-31") and left the target to it. */
export function isSentTo({ input, untrusted }: Evidence, source: UntrustedText, deed: Deed): boolean {
  return userTexts(input.state).some(({ text, sentences }) => {
    const named = namedArguments(source, text)
    return sentences.some((sentence, i) => {
      if (!named.some((value) => sentence.text.toLowerCase().includes(value.toLowerCase()))) return false
      const around = [sentences[i - 1], sentence, sentences[i + 1]]
      if (!around.some((one) => one !== undefined && covers(one.requests, deed))) return false
      if (anyOccurs([NAMES_RECIPIENT], sentence.text)) return false
      const used = untrusted.flatMap(({ values }) => values)
      return addressesAndIds(sentence.text).every((value) => used.some((one) => one.holds(value)))
    })
  })
}

/** The arguments with which a text was read that the user has named. */
function namedArguments({ values }: UntrustedText, user: string): string[] {
  return values.flatMap(({ text }) => (isDistinct(text) || (text.length >= 3 && isQuotedIn(user, text)) ? [text] : []))
}

/**
 * The user named what a text was read with, or whom or what that is about: "the note from Mia", read as f-201 after a search
 * had shown "f-201 note (Mia Tolland)".
 */
export function isPointedAt({ input, request, untrusted }: Evidence, source: UntrustedText): boolean {
  if (isOwnResult(input.state, source)) return true
  return source.values.some((value) => {
    if (isNamed(value, request)) return true
    if (!isDistinct(value.text)) return false
    const earlier = untrusted.slice(0, untrusted.indexOf(source))
    return earlier.some(({ read }) => read.naming(value.text).some((i) => isAbout(read.sentences[i], request)))
  })
}

function isNamed(value: ReadText, request: Request): boolean {
  const { text } = value
  if (/^\d{1,4}$/.test(text)) return request.texts.some((user) => namedNumbers(user.text).includes(text))
  if (text.length < 2) return false
  return isAbout(value, request) || (isDistinct(text) && request.texts.some((user) => user.holds(text)))
}

/** The words are about someone or something that the user spoke of. */
export function isAbout(words: ReadText | undefined, request: Pick<Request, 'names' | 'subjects'>): boolean {
  if (words === undefined) return false
  return request.names.some((name) => words.isAbout(name)) || request.subjects.some((one) => words.isAbout(one))
}

/** The passage that names the target also names someone from the user's words, or what they are about. */
export function isLinked(
  { request }: Evidence,
  { read }: UntrustedText,
  target: TargetFact,
  by: 'names' | 'words',
): boolean {
  const known = by === 'names' ? { names: request.names, subjects: [] } : request
  // An address belongs to the name beside it; an id is explained by the sentences around it.
  const isAddress = OUTSIDE.includes(target.kind)
  return namingSentences(read, target).some(
    ({ own, beside }) =>
      isAbout(own, known) || (by === 'names' && !isAddress && beside.some((sentence) => isAbout(sentence, known))),
  )
}

/** True of a text that looked suspicious only because it asks for what the user requested. Never of a blocked one. */
export function ordersOnlyRequested({ action, request }: Evidence, text: UntrustedText, isOrdered: boolean): boolean {
  if (!isFlagged(text) || text.inspection === 'block') return false
  const { deed = 'send' } = action
  const requested = request.deeds
  const isRequested = deed === 'write' ? requested.get(deed) === Number.POSITIVE_INFINITY : requested.has(deed)
  return (isRequested && !isOrdered) || [...text.read.orders].every((one) => covers(requested, one))
}

const DISTINCT = /\d|[@/]|\.\p{L}|\p{L}{2} \p{L}{2}/u

/** An id, an address or a file name; a common word may be in both by chance. */
function isDistinct(value: string): boolean {
  return value.length >= 3 && fitting(value, DISTINCT).test(value)
}
