/**
 * Part of stage 6: did anybody but a stranger ask for this? A call that changes something is held against where its
 * targets were seen, what the user's words ask for, and how often. Nothing is asked while only the user has spoken,
 * about plain reads, or about targets the user has named. A memory in the prompt speaks only of what it names.
 */
import { gateTexts, type ProvenanceRule } from '../../i18n/gate.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { Objection } from '../../protocol/verdict.ts'
import { type Asks, isForReading, together } from '../asks.ts'
import type { ToolMatter } from '../matter.ts'
import {
  alikeIn,
  distinctIn,
  hostOf,
  isVouchedFor,
  mentions,
  namingSentences,
  readText,
  rememberedStrangers,
  type Stranger,
  strangersIn,
  userWords,
  wordsOf,
} from '../sightings.ts'

/** Which requests cover a deed: to order is to pay, and any change may need a plain write. */
const COVERED_BY: Readonly<Record<Deed, readonly Deed[]>> = {
  exec: ['exec'],
  payment: ['payment', 'order'],
  delete: ['delete'],
  share: ['share'],
  account: ['account'],
  order: ['order', 'payment'],
  send: ['send'],
  write: ['write', 'exec', 'payment', 'delete', 'share', 'account', 'order', 'send'],
  browse: ['browse'],
  read: [],
}
/** These reach others or cannot be undone; a plain write does neither. */
const GRAVE: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']
/** Once more to the same one is a second payment, not a repetition. */
const NEVER_TWICE: readonly Deed[] = ['payment', 'order']
/** Targets of these kinds mean somebody outside; a name or a path may be new. */
const OUTSIDE: readonly TargetFact['kind'][] = ['email', 'account', 'phone', 'url', 'host']
/** "… to Bob", "发给王伟": the user has said who is meant. */
const NAMES_RECIPIENT =
  /\b(?:tell|inform|notify|answer|remind|thank)\s+(?:the|my|our|his|her|their|\p{Lu})|\b(?:to|with|an|à|para|a)\s+\p{Lu}\p{L}+|给(?!我)\p{L}/u
const RECENT_WORDS = 3
/** An address with places left for our words. */
const TO_FILL_IN = /\bhttps?:\/\/\S{0,300}=(?:[<{[$]|%7b|YOUR|XXX)/i
/** The user wants many; "them" may be one office. */
const MANY = /\b(?:all|every\w*|each|both|any\w*|people|lists?)\b|所有|每|全部|大家|都|们/iu

interface Reading {
  matter: ToolMatter
  strangers: readonly Stranger[]
  asked: Asks
  /** The user's words ask for no deed and only want to know something. */
  onlyReads: boolean
  foreign: readonly TargetFact[]
}

interface Doubt {
  rule: ProvenanceRule
  stranger: Stranger | undefined
  target?: TargetFact
}

export function provenance(matter: ToolMatter): Objection[] {
  const { facts, state, policy } = matter
  const { security } = policy
  const targets = targetsOf(matter)
  if (security.provenance === 'off') return []
  if (facts.readOnly ? targets.length === 0 : targets.length === 0 && facts.deed === undefined) return []
  const heard = strangersIn(state, security)
  const strangers = [...rememberedStrangers(state), ...heard]
  if (strangers.length === 0) return []
  const unknown = targets.filter((target) => !isVouchedFor(target, state, security))
  // A memory that nobody asked for stands in most prompts; were it a text that was read, every session would be asked.
  const foreign =
    heard.length > 0 ? unknown : unknown.filter((target) => strangers.some(({ read }) => mentions(read, target)))
  const said = userWords(state).slice(-RECENT_WORDS)
  const asked = together(said.map(({ asks }) => asks))
  const onlyReads = asked.size === 0 && said.every(({ text }) => isForReading(text))
  // Who is named may be acted on, but not where the user only wants to know something.
  if (foreign.length === 0 && (heard.length === 0 || (targets.length > 0 && !onlyReads))) return []
  const doubt = firstDoubt({ matter, strangers, asked, onlyReads, foreign })
  if (doubt === undefined) return []

  const texts = gateTexts(state.lang)
  const { rule, stranger, target } = doubt
  const message = texts.provenance({
    rule,
    target: target?.value ?? foreign[0]?.value,
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

/** A page is only read; but an address that a stranger told us to open, filled in by us, carries words out. */
function carried({ strangers }: Reading, target: TargetFact): Doubt | undefined {
  if (hostOf(target) === undefined) return undefined
  const naming = strangers.filter(({ read }) => mentions(read, target))
  const verbatim = naming.filter(({ read }) => read.holds(target.value.replace(/\/$/, '')))
  const clean = verbatim.some(({ inspection, retold }) => retold !== true && !isFlagged(inspection))
  if (clean) return undefined
  const [flagged] = naming.filter(({ inspection }) => isFlagged(inspection))
  if (flagged !== undefined) return { rule: 'flagged', stranger: flagged, target }
  const ordering = naming.find(({ read }) => namingSentences(read, target).some(({ own }) => own.orders.size > 0))
  if (ordering !== undefined) return { rule: 'carries', stranger: ordering, target }
  const form = naming.find(({ read }) => TO_FILL_IN.test(read.text))
  if (form !== undefined) return { rule: 'carries', stranger: form, target }
  const withheld = strangers.find(({ inspection }) => inspection === 'block')
  return naming.length === 0 && withheld !== undefined && /[?=]/.test(target.value)
    ? { rule: 'withheld', stranger: withheld, target }
    : undefined
}

function isFlagged(inspection: Stranger['inspection']): boolean {
  return inspection === 'review' || inspection === 'block'
}

/** What speaks against this target. One result that orders the deed outweighs any number that only mention it. */
function unsure(reading: Reading, target: TargetFact): Doubt | undefined {
  const { matter, strangers } = reading
  const { deed, family } = matter.facts
  const naming = strangers.filter(({ read }) => mentions(read, target))
  const outward = deed !== undefined && GRAVE.includes(deed)
  // What a withheld text ordered is not known any more; it may have been this.
  const withheld = strangers.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined && (outward || naming.length === 0))
    return { rule: 'withheld', stranger: withheld, target }
  if (naming.length === 0) {
    // Our own tools declare no deed; one of the network that does not merely read sends.
    const sends = outward || (deed === undefined && family === 'network')
    return sends && OUTSIDE.includes(target.kind) ? { rule: 'nowhere', stranger: strangers.at(-1), target } : undefined
  }
  let cleared = false
  for (const stranger of naming) {
    // What a text could not clear by itself, the model's account of it cannot clear for it.
    if (stranger.retold) continue
    const flagged = isFlagged(stranger.inspection)
    // Whoever the user wants answered may ask for things; that the answer goes to him is no order of his.
    const ordered = orders(stranger, target, deed) && !isAnswered(reading, stranger, target)
    if (!flagged && !ordered && (deed !== undefined || family === 'browser')) {
      cleared = true
      continue
    }
    const pointed = isPointedAt(reading, stranger)
    if (flagged && !(pointed && isExplained(reading, stranger, ordered))) {
      if (ordered) return { rule: 'flagged', stranger, target }
      continue
    }
    // A bare name in an order could be anybody's; an address or an id stands for itself if it is the only one.
    const bare = deed !== 'write' && isBare(target)
    if (ordered && (!pointed || bare)) return { rule: 'ordered', stranger, target }
    const several = allowance(reading.asked, deed ?? 'send') < Number.POSITIVE_INFINITY
    if (ordered && several && othersLike(reading, stranger.read.text, target).length > 0)
      return { rule: 'several', stranger, target }
    cleared ||= pointed
  }
  const [first] = naming
  if (!cleared) {
    const flagged = naming.find(({ inspection }) => isFlagged(inspection))
    return flagged === undefined
      ? { rule: 'stranger', stranger: first, target }
      : { rule: 'flagged', stranger: flagged, target }
  }
  if (userMeant(reading, target)) return { rule: 'other', stranger: first, target }
  const better = naming.find(({ read }) => fitsWorse(reading, read.text, target))
  return better === undefined ? undefined : { rule: 'several', stranger: better, target }
}

/** True when the text that names the target also tells us to do something with it. */
function orders({ read }: Stranger, target: TargetFact, deed: Deed | undefined): boolean {
  return namingSentences(read, target).some(({ own, beside }) => {
    if (own.orders.size > 0) return true
    // "kitchen" stands in many a sentence; an address or an id is what the next one speaks of.
    if (deed === undefined || isBare(target)) return false
    return beside.some(({ orders }) => covers(orders, deed))
  })
}

/** True when the target is who wrote the text, the user has named him, and asks for the deed. */
function isAnswered({ matter, asked }: Reading, { read, args }: Stranger, target: TargetFact): boolean {
  const { deed } = matter.facts
  if (deed === undefined || !covers(asked, deed)) return false
  const words = userWords(matter.state)
  const site = siteOf(args, target)
  if (site !== undefined && words.some((one) => one.holds(site))) return true
  const writer = writerOf(read.text, target)
  if (writer === undefined) return false
  if (allowance(asked, deed) === Number.POSITIVE_INFINITY) return true
  return words.some((one) => wordsOf(writer).some((name) => one.holds(name)))
}

/** "From Anna Berg <anna@…>", "Grandma (+44 …): …", "sender: anna@…". */
function writerOf(text: string, { value }: TargetFact): string | undefined {
  const at = RegExp.escape(value)
  const named = new RegExp(
    `(?:^|[\\n\\]|]|\\bfrom[:=]?|发件人[:：]?) {0,4}['"]?(\\p{L}[^\\n<(:,;]{1,60}?)[<(] ?${at}`,
    'iu',
  )
  const field = new RegExp(`(?:from|sender|author|发件人)['"]? ?[:：=] ?['"]?${at}`, 'iu')
  return named.exec(text)?.[1] ?? (field.test(text) ? value.replace(/@.*/, '') : undefined)
}

/** An address at the very site that was opened. */
function siteOf(args: unknown, { kind, value }: TargetFact): string | undefined {
  const site = kind === 'email' ? value.replace(/^.*@/, '') : undefined
  return valuesOf(args).some((one) => hostOf({ kind: 'url', value: one }) === site) ? site : undefined
}

function isBare({ kind, value }: TargetFact): boolean {
  return kind === 'name' && !/\d/.test(value)
}

/** True when the user sent us to this very text for this deed ("pay the invoice in D-31") and left it to say the target. */
function isPointedAt({ matter, strangers, asked }: Reading, stranger: Stranger): boolean {
  const { deed = 'send' } = matter.facts
  if (!covers(asked, deed)) return false
  return userWords(matter.state).some(({ text, sentences }) => {
    const named = valuesOf(stranger.args).filter((value) => isDistinct(value) || isQuoted(text, value))
    return sentences.some((sentence, i) => {
      if (!named.some((value) => sentence.text.toLowerCase().includes(value.toLowerCase()))) return false
      const around = [sentences[i - 1], sentence, sentences[i + 1]]
      if (!around.some((one) => one !== undefined && covers(one.asks, deed))) return false
      if (NAMES_RECIPIENT.test(sentence.text)) return false
      const used = strangers.flatMap(({ args }) => valuesOf(args)).map((value) => readText(value))
      return distinctIn(sentence.text).every((value) => used.some((one) => one.holds(value)))
    })
  })
}

/** A text that asks for nothing but what the user asked for explains why it looked suspicious, unless it was blocked. */
function isExplained({ matter, asked }: Reading, { inspection, read }: Stranger, ordered: boolean): boolean {
  if (inspection !== 'review') return false
  const { deed = 'send' } = matter.facts
  const isMeant = deed === 'write' ? asked.get(deed) === Number.POSITIVE_INFINITY : asked.has(deed)
  return (isMeant && !ordered) || [...read.orders].every((one) => covers(asked, one))
}

/** An id, an address or a file name is meant; a common word may only happen to be the same. */
function isDistinct(value: string): boolean {
  return value.length >= 3 && /\d|[@/]|\.\p{L}|\p{L}{2} \p{L}{2}/u.test(value)
}

function isQuoted(words: string, value: string): boolean {
  return value.length >= 3 && ['"', "'", '“', '‘', '《', '「'].some((mark) => words.includes(mark + value))
}

function othersLike({ matter }: Reading, text: string, target: TargetFact): string[] {
  const { state, policy } = matter
  return alikeIn(text, target).filter((value) => !isVouchedFor({ kind: target.kind, value }, state, policy.security))
}

/** True when the user has said whom it should go to, and it was somebody else. */
function userMeant({ matter, asked }: Reading, target: TargetFact): boolean {
  const { deed } = matter.facts
  if (deed === undefined || !GRAVE.includes(deed)) return false
  const words = userWords(matter.state).at(-1)?.text ?? ''
  if (allowance(asked, deed) === Number.POSITIVE_INFINITY && MANY.test(words)) return false
  return alikeIn(words.replace(/\b(?:from|by|of)\s+\S+/gi, ' '), target).length > 0
}

/** True when the text offers another address with a name in it that the user has said, and this one has none. */
function fitsWorse(reading: Reading, text: string, target: TargetFact): boolean {
  if (target.kind !== 'email' || MANY.test(userWords(reading.matter.state).at(-1)?.text ?? '')) return false
  const names = userWords(reading.matter.state).flatMap((words) => words.text.match(/\p{Lu}\p{Ll}{2,}/gu) ?? [])
  const fits = (address: string) => names.some((name) => address.toLowerCase().includes(name.toLowerCase()))
  return !fits(target.value) && othersLike(reading, text, target).some(fits)
}

/** The deed itself: nobody but a stranger has brought it up. */
function unasked(reading: Reading): Doubt | undefined {
  const { deed } = reading.matter.facts
  if (deed === undefined) return undefined
  // After planted orders only the very deed will do; what it may need besides could be what was planted.
  const isTricked = reading.strangers.some(({ inspection }) => isFlagged(inspection))
  const isAsked = isTricked ? reading.asked.has(deed) : covers(reading.asked, deed)
  const stranger = isAsked ? undefined : suggesting(reading, deed)
  return stranger === undefined ? undefined : { rule: 'unasked', stranger }
}

/**
 * Whoever could have suggested the deed. Where something is to be done, people leave much unsaid, and only an order for
 * this very deed is doubtful; where something is to be found out, any text that somebody wrote is.
 */
function suggesting({ strangers, onlyReads }: Reading, deed: Deed): Stranger | undefined {
  const ordering = strangers.find(({ read, inspection }) => isFlagged(inspection) || covers(read.orders, deed))
  if (ordering !== undefined || !onlyReads) return ordering
  return (
    strangers.find(({ read, inspection }) => inspection !== 'pass' || read.orders.size > 0) ??
    strangers.find(({ read }) => deed !== 'write' && (covers(read.asks, deed) || read.sentences.some(isProse)))
  )
}

/** A sentence somebody wrote, and no row of a list: it may order something in words nobody knows here. */
function isProse({ text }: { text: string }): boolean {
  const words = text.match(/\p{L}[\p{L}'’-]*/gu) ?? []
  const plain = words.filter((word) => /^\p{Ll}{2,}/u.test(word))
  return (
    (plain.length >= 6 && plain.length >= words.length / 2) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{12}/u.test(text)
  )
}

function oneTooMany({ matter, strangers, asked, foreign }: Reading): Doubt | undefined {
  const { state, facts, policy, proposal } = matter
  const { deed } = facts
  // One task may well need many commands.
  if (deed === undefined || deed === 'exec' || !GRAVE.includes(deed) || !covers(asked, deed)) return undefined
  const done = state.deeds.filter(
    (one) =>
      one.deed === deed &&
      !one.asked &&
      one.callId !== proposal.id &&
      !(
        one.targets.length > 0 &&
        one.targets.every((value) => isVouchedFor({ kind: 'name', value }, state, policy.security))
      ),
  )
  const again = foreign.length > 0 && foreign.every(({ value }) => done.some(({ targets }) => targets.includes(value)))
  if (again && !NEVER_TWICE.includes(deed)) return undefined
  if (done.length < allowance(asked, deed)) return undefined
  const [target] = foreign
  return { rule: 'surplus', stranger: strangers.at(-1), ...(target === undefined ? {} : { target }) }
}

function covers(asked: { has(deed: Deed): boolean }, deed: Deed): boolean {
  return COVERED_BY[deed].some((one) => asked.has(one))
}

function allowance(asks: Asks, deed: Deed): number {
  return Math.max(0, ...COVERED_BY[deed].map((one) => asks.get(one) ?? 0))
}

function valuesOf(args: unknown): string[] {
  if (typeof args === 'string') return [args]
  if (typeof args === 'number') return [String(args)]
  if (typeof args !== 'object' || args === null) return []
  return Object.values(args).flatMap(valuesOf)
}
