/** Where a run has seen a target: with the user, in the configuration, in what it trusts, or only in a stranger's text. */
import type { TargetFact } from '../protocol/facts.ts'
import type { Message, Told } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import { type ReadText, readText } from './read-text.ts'

/** A text that nobody vouches for. */
export interface Stranger {
  callId: string
  tool: string
  inspection: Origin['inspection']
  read: ReadText
  /** What the call that brought it was made with. */
  args: unknown
  /** The model's own earlier answer or memory, made of readings that are not known any more. */
  retold?: true
}

type Vouched = Pick<Policy['security'], 'allowedHosts' | 'trustedSources'>

/** What was said in a run, and by whom. */
export type Heard = Readonly<Pick<RunState, 'messages' | 'origins'> & Partial<Pick<RunState, 'given' | 'recalled'>>>

/** Who stands in the prompt without having been read: memories that may repeat a stranger. */
export function rememberedStrangers({ recalled }: Readonly<RunState>): Stranger[] {
  return recalled.flatMap((told) => hearsayIn(told, { callId: 'prompt', tool: 'memory' }))
}

/** Who was read in this run, or in a conversation it goes on with. */
export function strangersIn(state: Readonly<RunState>, vouched: Vouched): Stranger[] {
  const strangers: Stranger[] = []
  const asked = new Map<string, unknown>()
  for (const [at, message] of state.messages.entries()) {
    if (isRetold(message, at, state)) {
      const read = readMessage(message)
      strangers.push({
        callId: `message_${at}`,
        tool: 'answer',
        inspection: 'pass',
        read,
        args: undefined,
        retold: true,
      })
    }
    if (message.role === 'assistant') for (const { id, args } of message.calls ?? []) asked.set(id, args)
    if (isHandedOn(message)) strangers.push({ ...inputOf(state), read: readStrange(message), args: undefined })
    if (message.role !== 'tool') continue
    const { callId, tool } = message
    if (message.told !== undefined) strangers.push(...hearsayIn(message.told, { callId, tool }))
    if (speakerOf(message, state, vouched) !== 'stranger') continue
    const inspection = originOf(state, callId)?.inspection ?? 'pass'
    strangers.push({ callId, tool, inspection, read: readMessage(message), args: asked.get(callId) })
  }
  return strangers
}

/** True when the user, the configuration or a trusted source has named the target, or our own tools had it first. */
export function isVouchedFor(target: TargetFact, state: Heard, vouched: Vouched): boolean {
  const host = hostOf(target)
  if (host !== undefined && vouched.allowedHosts.some((entry) => coversHost(entry, host))) return true
  const { recalled = [] } = state
  const remembered = recalled.some((told) => mentions(readOwn(told), target))
  let tainted = !remembered && recalled.some((told) => mentions(readRetold(told), target))
  let read = false
  const argsOf = proposedIn(state)
  for (const [at, message] of state.messages.entries()) {
    const speaker = speakerOf(message, state, vouched)
    // A memory or a transformation that only repeats a stranger does not make his word ours.
    const vouches = speaker === 'user' || (speaker === 'ours' && !tainted)
    if (vouches && mentions(readMessage(message), target) && !repeats(message, argsOf, target)) return true
    if (!isStrange(message, at, state) && speaker !== 'stranger') continue
    read = true
    tainted ||= mentions(readStrange(message), target)
  }
  // What happens to stand in the prompt is enough only while no stranger could have pointed at it.
  return remembered && !read
}

/** Stricter: what a file or another result says of a target does not count, since anybody can have written it. */
export function isNamedByUser(target: TargetFact, state: Heard, vouched: Vouched): boolean {
  const host = hostOf(target)
  if (host !== undefined && vouched.allowedHosts.some((entry) => coversHost(entry, host))) return true
  if (state.recalled?.some((told) => mentions(readOwn(told), target))) return true
  const argsOf = proposedIn(state)
  return state.messages.some(
    (message) =>
      speakerOf(message, state, vouched) === 'user' &&
      mentions(readMessage(message), target) &&
      !repeats(message, argsOf, target),
  )
}

/** What each call of the run was made with. */
function proposedIn({ messages }: Heard): ReadonlyMap<string, unknown> {
  return new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ id, args }) => [id, args] as const) : [],
    ),
  )
}

/** True of a result whose own call named the target: the model has said it then, and nobody else. */
function repeats(message: Message, argsOf: ReadonlyMap<string, unknown>, target: TargetFact): boolean {
  return message.role === 'tool' && mentions(readText(JSON.stringify(argsOf.get(message.callId) ?? '')), target)
}

/**
 * True when a text that the run keeps may be a stranger's word: anything, once one was read; else an address or id that
 * neither the user nor a memory of ours has said; else what shares a word with a memory that may repeat a stranger.
 */
export function isHearsay(text: string, state: Readonly<RunState>, vouched: Vouched): boolean {
  if (strangersIn(state, vouched).length > 0) return true
  const kept = readText(text)
  const known = [...userWords(state), ...state.recalled.map(readOwn), ...recalledIn(state)]
  // The model may have it from its training, or from a memory that holds it in another writing.
  if (distinctIn(text).some((value) => !known.some((one) => one.holds(value)))) return true
  return rememberedStrangers(state).some(({ read }) =>
    wordsOf(`${text}\n${read.text}`).some(
      (word) => read.holds(word) && kept.holds(word) && !known.some((one) => one.holds(word)),
    ),
  )
}

/** What memories of ours said that the run looked up. */
function recalledIn({ messages }: Heard): ReadText[] {
  return messages.flatMap((message) =>
    message.role === 'tool' && message.told !== undefined ? [readOwn(message.told)] : [],
  )
}

/** What the user said, oldest first. */
export function userWords(state: Readonly<RunState>): ReadText[] {
  return state.messages.filter(isUsers).map(readMessage)
}

/** A hint of ours repeats what the model wrote wrongly: were it read as the user's, a model could name its own targets. */
function isUsers(message: Message): boolean {
  return message.role === 'user' && message.by === undefined
}

/** What a workflow put into a user's message: nobody vouches for the part that he did not say. */
function isHandedOn(message: Message): boolean {
  return message.role === 'user' && message.own !== undefined
}

/** True when somebody speaks in it beside its speaker. */
function isStrange(message: Message, at: number, state: Heard): boolean {
  return isHandedOn(message) || isRetold(message, at, state) || (message.role === 'tool' && message.told !== undefined)
}

function hearsayIn(told: Told, from: Pick<Stranger, 'callId' | 'tool'>): Stranger[] {
  if (told.retold === '') return []
  return [{ ...from, inspection: 'pass', read: readRetold(told), args: undefined, retold: true }]
}

/** What a model had read when it answered is in the journal of its session; of a conversation from elsewhere nobody knows. */
function isRetold({ role, content }: Message, at: number, { given }: Heard): boolean {
  return role === 'assistant' && content !== '' && at < (given?.history?.length ?? 0)
}

function inputOf(state: Readonly<RunState>): Pick<Stranger, 'callId' | 'tool' | 'inspection'> {
  return { callId: 'prompt', tool: 'input', inspection: originOf(state, 'prompt')?.inspection ?? 'pass' }
}

type Speaker = 'user' | 'ours' | 'stranger' | 'nobody'

function speakerOf(message: Message, state: Heard, { trustedSources }: Vouched): Speaker {
  if (message.role !== 'tool') return isUsers(message) ? 'user' : 'nobody'
  const origin = originOf(state, message.callId)
  // It repeats the proposal: were it read as a text that names the target, the second try would pass.
  if (origin?.refused === true) return 'nobody'
  // What it returns is made of nothing but what the model put in.
  if (message.tool === 'json_transform' && origin?.trust === 'internal') return 'nobody'
  if (isTrusted(message.tool, trustedSources)) return 'user'
  const isOurs = origin?.trust === 'internal' || (origin !== undefined && message.told !== undefined)
  return isOurs ? 'ours' : 'stranger'
}

function originOf({ origins }: Pick<Heard, 'origins'>, callId: string): Origin | undefined {
  return origins.findLast((origin) => origin.callId === callId)
}

function isTrusted(tool: string, sources: readonly string[]): boolean {
  return sources.some((entry) => (entry.endsWith('*') ? tool.startsWith(entry.slice(0, -1)) : tool === entry))
}

function coversHost(entry: string, host: string): boolean {
  const name = entry.replace(/:\d+$/, '').toLowerCase()
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
}

/** An address is known by its host, anything else by its own words, however they are spaced. */
export function mentions(text: ReadText, target: TargetFact): boolean {
  return text.holds(hostOf(target) ?? target.value)
}

const OWN = new WeakMap<Message | Told, ReadText>()
const STRANGE = new WeakMap<Message | Told, ReadText>()

/** What its speaker said himself. */
function readMessage(message: Message): ReadText {
  if (message.role === 'tool' && message.told !== undefined) return readOwn(message.told)
  return readOnce(message, OWN, message.role === 'user' ? (message.own ?? message.content) : message.content)
}

/** What may be a stranger's in it. */
function readStrange(message: Message): ReadText {
  if (message.role === 'tool' && message.told !== undefined) return readRetold(message.told)
  return isHandedOn(message) ? readOnce(message, STRANGE, message.content) : readMessage(message)
}

function readOwn(told: Told): ReadText {
  return readOnce(told, OWN, told.own)
}

function readRetold(told: Told): ReadText {
  return readOnce(told, STRANGE, told.retold)
}

function readOnce(said: Message | Told, known: WeakMap<Message | Told, ReadText>, text: string): ReadText {
  let read = known.get(said)
  if (read === undefined) {
    read = readText(text)
    known.set(said, read)
  }
  return read
}

/** The host that a connection would be made to, whatever else the address pretends. */
export function hostOf({ kind, value }: TargetFact): string | undefined {
  if (kind !== 'url' && kind !== 'host') return undefined
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value.trim()) ? value.trim() : `http://${value.trim()}`
  const host = URL.parse(address)?.hostname.toLowerCase()
  if (host === undefined || host === '') return undefined
  // As it was written, where that is the same: a name with other letters is in no text in its coded form.
  const written = /^[a-z][a-z0-9+.-]*:\/\/([^/:?#@\\\s]+)/i.exec(address)?.[1]?.toLowerCase()
  return written !== undefined && URL.parse(`http://${written}`)?.hostname === host ? written : host
}

/** They stand in any two texts. */
const COMMON = new Set(
  `about after all also am an and any are as at be been but by can could did do does done for from had has have he her
  here him his how if in into is it its just me more my no not now of on one only or our out said says she should so
  some than that the their them then there these they this those to up us was we were what when where which who with
  would yes you your`.split(/\s+/),
)

/** Whatever a name or an address could be made of: words, what stands between spaces, and pairs of Chinese signs. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const pieces = lower.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const wholes = lower.match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}\p{M}])?/gu) ?? []
  const runs = (lower.match(/\p{Script=Han}{2,}/gu) ?? []).map((run) => [...run])
  const pairs = runs.flatMap((run) => run.slice(1).map((second, i) => `${run[i]}${second}`))
  return [...new Set([...pieces, ...wholes, ...pairs])].filter((word) => !COMMON.has(word) && !/^[a-z]$/.test(word))
}

/** The sentences that name the target, each with its neighbours. */
export function namingSentences({ sentences }: ReadText, target: TargetFact): { own: ReadText; beside: ReadText[] }[] {
  return sentences.flatMap((own, i) => {
    if (!mentions(own, target)) return []
    return [{ own, beside: [sentences[i - 1], sentences[i + 1]].filter((one) => one !== undefined) }]
  })
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const ACCOUNT = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b|\b\d{3,4}(?:-\d{3,6}){2,3}\b|\b\d{8,20}\b/g
const URLS = /\b(?:https?:\/\/|www\.)[^\s"'<>)\]}]+/gi
const IDS = /[\p{L}\p{N}][\p{L}\p{N}._-]*\d[\p{L}\p{N}._-]*|\d+/gu

/** Addresses and ids, without amounts, dates and times: what a sentence can be aimed at. */
export function distinctIn(text: string): string[] {
  const addresses = [EMAIL, URLS, ACCOUNT].flatMap((pattern) => text.match(pattern) ?? [])
  const rest = addresses.reduce((left, address) => left.replace(address, ' '), text)
  const ids = (rest.match(IDS) ?? []).filter((id) => /\p{L}[\p{L}._-]*\d|\d[\d._-]*\p{L}{2}|^\d{5,}$/u.test(id))
  return [...addresses, ...ids.map((id) => id.replace(/[.,-]+$/, ''))].filter(
    (one) => !/^\d+(?:st|nd|rd|th|am|pm|eur|usd)$/i.test(one),
  )
}

/** What else in a text could stand where the target stands: other addresses, accounts, or ids of the same make. */
export function alikeIn(text: string, target: TargetFact): string[] {
  const found = (pattern: RegExp) =>
    [...new Set(text.match(pattern) ?? [])].filter((one) => !readText(one).holds(target.value))
  switch (target.kind) {
    case 'email':
      return found(EMAIL)
    case 'account':
      return found(ACCOUNT)
    case 'url':
    case 'host':
      return found(URLS).filter((url) => hostOf({ kind: 'url', value: url }) !== hostOf(target))
    default: {
      const make = makeOf(target.value)
      const alike = /\d/.test(make) ? found(IDS).filter((one) => makeOf(one) === make) : []
      // Bare digits are as often an hour, a day or an amount: only long ones of one length count.
      const { length } = target.value
      return make === '9' ? alike.filter((one) => length >= 5 && one.length === length) : alike
    }
  }
}

/** T-1055 and T-1060 are of one make; D-3 is of another. */
function makeOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[.,]+$/, '')
    .replace(/\d+/g, '9')
}
