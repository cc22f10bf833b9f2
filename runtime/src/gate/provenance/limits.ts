/** What the user's words bind a wanted action to: a target they named, one of several, a number of times. */
import { isObject } from '../../base/json.ts'
import { ACCOUNT, EMAIL, fileNames, namedNumbers, URL_IN_TEXT } from '../../language/addresses.ts'
import { meansMany } from '../../language/quantity.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { argumentValues } from '../argument-values.ts'
import { userTexts } from '../message-texts.ts'
import { ReadText } from '../read-text.ts'
import { requestedDeeds } from '../requested-deeds.ts'
import { mentions, namingSentences, similarTargets } from '../targets-in-text.ts'
import { isTrustedTarget } from '../trusted-targets.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { alternatives, covers, type Doubt, type Evidence, isFlagged, OUTSIDE, requestedCount } from './evidence.ts'
import { writerOf } from './pointing.ts'

/** For these, a second call to the same target is a second deed, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']

export function limitDoubt(evidence: Evidence): Doubt | undefined {
  const carried = carriedDoubt(evidence) ?? otherCommandDoubt(evidence)
  if (carried !== undefined) return carried
  const isPlain = evidence.action.weight === 'change'
  for (const target of evidence.unknownTargets) {
    // A plain change may touch more than what the user has named, but not other sites and accounts.
    if (isPlain && !OUTSIDE.includes(target.kind)) continue
    const naming = evidence.untrusted.filter(({ read }) => mentions(read, target))
    const [first] = naming
    if (first === undefined) continue
    if (userNamedAnother(evidence, target))
      return { rule: 'other', source: first, target, isCertain: isAskedOfAnother(evidence, target) }
    const better = naming.find(({ read }) => hasBetterMatch(evidence, read, target))
    if (better !== undefined) return { rule: 'other', source: better, target }
    if (isForSomeoneElse(evidence, naming, target))
      return {
        rule: 'other',
        source: first,
        target,
        isCertain: target.kind === 'name' || isBesideName(evidence, naming, target),
      }
  }
  return isPlain ? undefined : surplusDoubt(evidence)
}

/** Longer arguments are prose. */
const SHORT = 120

/** A recipient the user named does not make every link or account safe to send: who wants this one in the call? */
function carriedDoubt(evidence: Evidence): Doubt | undefined {
  const { input, values, untrusted, targets } = evidence
  const { state, policy } = input
  const aimed = new Set(targets.map(({ value }) => value))
  const carried = values.filter((value) => !aimed.has(value.trim())).flatMap((value) => valuesIn(value))
  for (const target of carried) {
    if (isTrustedTarget(target, state, policy.security)) continue
    const naming = untrusted.filter(({ read }) => mentions(read, target))
    const calm = naming.find((text) => !isFlagged(text) && !isTold(text, target))
    if (calm !== undefined) continue
    const [source] = naming
    if (source !== undefined) return { rule: 'link', source, target }
  }
  return undefined
}

/** A link or an address in the content that neither the user nor any text that was read has named. */
export function carriesUnnamed({ input, values, untrusted, targets }: Evidence): boolean {
  const { state, policy } = input
  const aimed = new Set(targets.map(({ value }) => value))
  return values
    .filter((value) => !aimed.has(value.trim()))
    .flatMap((value) => valuesIn(value))
    .some(
      (target) =>
        !isTrustedTarget(target, state, policy.security) && !untrusted.some(({ read }) => mentions(read, target)),
    )
}

function isTold({ read }: UntrustedText, target: TargetFact): boolean {
  return namingSentences(read, target).some(({ own }) => own.orders.size > 0)
}

function valuesIn(value: string): TargetFact[] {
  const urls = (value.match(URL_IN_TEXT) ?? []).map((url): TargetFact => ({ kind: 'url', value: url }))
  if (value.length > SHORT) return urls
  const emails = (value.match(EMAIL) ?? []).map((email): TargetFact => ({ kind: 'email', value: email }))
  const accounts = (value.match(ACCOUNT) ?? []).map((account): TargetFact => ({ kind: 'account', value: account }))
  return [...urls, ...emails, ...accounts]
}

const AND = /\band\b|\bthen\b|[.!?;\n](?=\s|$)|[。；！？]|并|然后|再/giu

/** "Post it in #lunch": the clause that names another one asks for this. */
function isAskedOfAnother(evidence: Evidence, target: TargetFact): boolean {
  const { deed } = evidence.input.facts
  const clauses = (userTexts(evidence.input.state).at(-1)?.text ?? '').split(AND)
  return (
    deed !== undefined &&
    clauses.some((clause) => covers(requestedDeeds(clause), deed) && userNamedAnother(evidence, target, clause))
  )
}

/** True when the user named a target, and this is another one. */
function userNamedAnother(
  { input, request, untrusted }: Evidence,
  target: TargetFact,
  text = userTexts(input.state).at(-1)?.text ?? '',
): boolean {
  const { deed } = input.facts
  if (deed === undefined) return false
  const isMany = requestedCount(request.deeds, deed) === Number.POSITIVE_INFINITY && meansMany(text)
  // "Clean up my list: delete item 4" names one.
  const isOne = /^\d{1,4}$/.test(target.value) && !MANY_MORE.test(text)
  if (isMany && deed !== 'account' && !isOne) return false
  if (deed === 'delete' && isOtherFile(untrusted, text, target)) return true
  if (deed === 'payment' && isOtherAccount(untrusted, text, target)) return true
  if (/^\d{1,4}$/.test(target.value))
    return namedNumbers(text).some((number) => number !== target.value) && !namedNumbers(text).includes(target.value)
  return similarTargets(new ReadText(text.replace(/\b(?:from|by|of)\s+\S+/gi, ' ')), target).length > 0
}

/** "Item 4 and the rest". */
const MANY_MORE =
  /\b(?:all|every\w*|each|both|any\w*|rest|others?|from|until|except|but)\b|所有|每|全部|都|其他|其它|剩下|除/iu

/** "Delete draft.md": a file that was only read ("delete what todo.md lists") is not the one to delete. */
function isOtherFile(untrusted: readonly UntrustedText[], text: string, target: TargetFact): boolean {
  const [own] = fileNames(target.value)
  const read = untrusted.flatMap(({ values }) => values)
  const named = fileNames(text).filter((name) => !read.some((value) => value.text.endsWith(name)))
  return own !== undefined && named.length > 0 && !named.includes(own)
}

/** "Reply to Flo", "pay Hedda": the passage with the address must be about them, or the address be theirs. */
function isForSomeoneElse(
  { input, request, action }: Evidence,
  naming: readonly UntrustedText[],
  target: TargetFact,
): boolean {
  const { recipients, names } = request
  const { deed } = action
  if (recipients.length === 0 || (deed !== 'send' && deed !== 'payment' && deed !== 'share')) return false
  const isPerson = deed === 'share' && isGivenAsPerson(input.proposal.args, target.value)
  if (!OUTSIDE.includes(target.kind) && !isPerson) return false
  const isTheirs = (words: ReadText) => recipients.some((name) => words.isAbout(name))
  // "Tell Ada and loop in Sunny": the address has the name.
  if (target.kind === 'email' && names.some((name) => target.value.toLowerCase().startsWith(name))) return false
  if (isPerson && isTheirs(new ReadText(target.value))) return false
  return !naming.some(({ read }) => {
    const writer = isPerson ? undefined : writerOf(read, target)
    if (writer !== undefined && !isTheirs(new ReadText(writer))) return false
    return namingSentences(read, target).some(({ own, beside }) => {
      if (isTheirs(own)) return isNearest(own, recipients, target)
      // "Eve: eve77" below "Ada: ada11" is about Eve: there, the name above has an address of its own.
      return !(isPerson && NAMED.test(own.text)) && beside.some((one) => isTheirs(one) && !hasAddress(one, target))
    })
  })
}

/** Another address of this kind is beside the name. */
function isBesideName(evidence: Evidence, naming: readonly UntrustedText[], target: TargetFact): boolean {
  const { recipients } = evidence.request
  return naming.some(({ read }) =>
    alternatives(evidence, read, target).some((other) =>
      read.naming(other).some((i) => {
        const sentence = read.sentences[i]
        return sentence !== undefined && recipients.some((name) => sentence.isAbout(name))
      }),
    ),
  )
}

/** Cards, sort codes, wallets: accounts have many shapes, but a payment goes to the one that the user gave. */
function isOtherAccount(untrusted: readonly UntrustedText[], text: string, target: TargetFact): boolean {
  const read = untrusted.flatMap(({ values }) => values.map((value) => value.text)).join('\n')
  const [own] = accountsIn(target.value)
  const given = accountsIn(text).filter((account) => !accountsIn(read).includes(account))
  return own !== undefined && given.length > 0 && !given.includes(own)
}

/** Long numbers, however they are grouped, and long keys; no dates. */
function accountsIn(text: string): string[] {
  const found = text.match(/\b\d(?:[ -]?\d){5,}\b|\b(?=\w*\d)[A-Za-z\d]{20,}\b/g) ?? []
  return found.filter((one) => !/^\d{4}-\d\d-\d\d$/.test(one)).map((one) => one.replace(/[ -]/g, ''))
}

const PERSON_PARAM =
  /(?:^|_)(?:to|with|for|who|person|people|users?|user_?(?:name|id)|e?mails?|members?|guests?|invitees?|grantees?|collaborators?|participants?|attendees?|accounts?|recipients?)$/i
const NAMED = /(?<!\p{L})\p{Lu}\p{Ll}+/u

function isGivenAsPerson(args: unknown, value: string): boolean {
  return (
    isObject(args) &&
    Object.entries(args).some(([key, one]) => PERSON_PARAM.test(key) && argumentValues(one).includes(value))
  )
}

/** "Wang wang@firm.example; Li li@evil.example": of several addresses in one sentence, a name means the nearest. */
function isNearest({ folded }: ReadText, names: readonly string[], target: TargetFact): boolean {
  const kind = target.kind === 'email' ? EMAIL : target.kind === 'account' ? ACCOUNT : undefined
  if (kind === undefined) return true
  const pattern = new RegExp(kind.source, 'giu')
  const addresses = [...folded.matchAll(pattern)].map(({ 0: value, index }) => ({
    value,
    from: index,
    to: index + value.length,
  }))
  if (addresses.length < 2) return true
  const isTarget = ({ value }: { value: string }) => new ReadText(value).holds(target.value)
  const inName = addresses.some((one) => isTarget(one) && names.some((name) => one.value.includes(name)))
  return (
    inName ||
    names.some((name) => {
      const found = placesOf(name, folded).filter(
        (index) => !addresses.some(({ from, to }) => index >= from && index < to),
      )
      return found.some((index) => {
        const gap = ({ from, to }: { from: number; to: number }) =>
          from > index ? from - index - name.length : index - to
        const [nearest] = [...addresses].sort((one, other) => gap(one) - gap(other))
        return nearest !== undefined && isTarget(nearest)
      })
    })
  )
}

function hasAddress({ text }: ReadText, { kind }: TargetFact): boolean {
  return (kind === 'email' && text.match(EMAIL) !== null) || (kind === 'account' && text.match(ACCOUNT) !== null)
}

function placesOf(word: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at)
  return places
}

/** True when the text offers another address that contains a name from the user's messages, and this one contains none. */
function hasBetterMatch(evidence: Evidence, text: ReadText, target: TargetFact): boolean {
  const texts = userTexts(evidence.input.state)
  if (target.kind !== 'email' || meansMany(texts.at(-1)?.text ?? '')) return false
  const names = texts.flatMap((words) => words.text.match(/\p{Lu}\p{Ll}{2,}/gu) ?? [])
  const matches = (address: string) => names.some((name) => address.toLowerCase().includes(name.toLowerCase()))
  return !matches(target.value) && alternatives(evidence, text, target).some(matches)
}

/** "40 once and 5 monthly": a number that the user gave, and that no call has used yet. */
function givesNewNumber(
  { messages }: Evidence['input']['state'],
  { id, args }: Evidence['input']['proposal'],
): boolean {
  const numbersIn = (one: unknown) =>
    argumentValues(one)
      .filter((value) => /^\d+(?:\.\d+)?$/.test(value))
      .map(Number)
  const used = messages.flatMap((message) =>
    message.role === 'assistant'
      ? (message.calls ?? []).flatMap((call) => (call.id === id ? [] : numbersIn(call.args)))
      : [],
  )
  const given = userTexts({ messages }).flatMap(({ text }) => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number))
  return numbersIn(args).some((value) => given.includes(value) && !used.includes(value))
}

/** "Run export.sh": a command without it, which a text has word for word. */
function otherCommandDoubt({ input, values, untrusted, action }: Evidence): Doubt | undefined {
  if (action.deed !== 'exec') return undefined
  const read = untrusted.flatMap((text) => text.values)
  const named = fileNames(userTexts(input.state).at(-1)?.text ?? '').filter(
    (name) => !read.some((value) => value.text.endsWith(name)),
  )
  if (named.length === 0 || values.some((value) => named.some((name) => value.includes(name)))) return undefined
  const source = untrusted.find((text) => values.some((value) => value.length > 3 && text.read.text.includes(value)))
  return source && { rule: 'other', source }
}

/** The deed was already done as often as the user asked for it. */
function surplusDoubt({ input, untrusted, request, unknownTargets }: Evidence): Doubt | undefined {
  const { state, facts, policy, proposal } = input
  const { deed } = facts
  // One task may need many commands.
  if (deed === undefined || deed === 'exec') return undefined
  // A request to pay in words that are not known is one.
  const isRead = covers(request.deeds, deed)
  if (!isRead && (deed !== 'payment' || meansMany(userTexts(state).at(-1)?.text ?? ''))) return undefined
  const done = state.deeds.filter(
    (one) =>
      one.deed === deed &&
      !one.asked &&
      one.callId !== proposal.id &&
      !(
        one.targets.length > 0 &&
        one.targets.every((value) => isTrustedTarget({ kind: 'name', value }, state, policy.security))
      ),
  )
  const isRepetition =
    unknownTargets.length > 0 &&
    unknownTargets.every(({ value }) => done.some(({ targets }) => targets.includes(value)))
  if (isRepetition && !NEVER_TWICE.includes(deed)) return undefined
  if (givesNewNumber(state, proposal)) return undefined
  if (done.length < (isRead ? requestedCount(request.deeds, deed) : 1)) return undefined
  return { rule: 'surplus', source: untrusted.at(-1), target: unknownTargets[0] }
}
