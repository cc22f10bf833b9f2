/**
 * Could this call send something that was read in this run to a host the user did not name? Once anything private was
 * read, a request to such a host may only be an address that was in a text, exactly as it was there: a model can hide
 * data in any address, header or body that it writes itself, in more ways than can be listed.
 */
import { isObject } from '../../base/json.ts'
import { carriesPiece } from '../../base/packed-text.ts'
import { identifierWords } from '../../language/words.ts'
import type { TargetFact } from '../../protocol/facts.ts'
import type { Message } from '../../protocol/message.ts'
import { DONE_ON_PAGES } from '../action-words.ts'
import { argumentValues } from '../argument-values.ts'
import type { ToolInput } from '../gate-input.ts'
import { ownText, userTexts } from '../message-texts.ts'
import { isFromWeb, privateTextsIn } from '../private-texts.ts'
import type { ReadText } from '../read-text.ts'
import { hostOf } from '../targets-in-text.ts'
import { isNamedByUser } from '../trusted-targets.ts'
import type { Doubt } from './evidence.ts'
import { urgency } from './passage.ts'
import { isSiteOfWords } from './sites.ts'

/** Values that say how to fetch, not what to send. */
const FETCH_WORDS =
  /^(?:GET|HEAD|true|false|null|html|text|markdown|json|xml|raw|\d{1,6}|[a-z]{2}(?:-[A-Z]{2})?|(?:(?:text|application|\*)\/(?:html|plain|json|xml|xhtml\+xml|markdown|\*)(?:; ?q=[01](?:\.\d)?)?(?:, ?|$))+)$/
/** Where on a page to act: not sent. */
const PLACE_ON_PAGE = new Set(['target', 'selector', 'ref', 'element'])
/** What a tool stores here, and under which name, is not sent either. */
const KEEPS = new Set(['download', 'downloads', 'save', 'bookmark', 'bookmarks', 'archive'])
const KEPT_HERE =
  /^(?:save_?(?:as|to|path)|(?:file_?)?name|path|dest(?:ination)?|folder|directory|title|label|tags?|output)$/i
const MAX_NAME = 200
/** With one of these, a command can build an address that is known only when it runs. */
const EXPANSION = /[$`@<>|~*;&\n]/
/** A path that occurs in an argument by chance is shorter. */
const LONG = 16
const MAX_PLAIN_PATH = 40
const SITE = /^(?:www\.)?([a-z][a-z-]{3,30})\.[a-z]{2,10}$/
const SITE_WORD = "(?:'s)?(?:\\s+(?:web)?(?:site|page|portal)\\b|\\s*(?:网站|官网|网页|主页))"
const PLAIN_PATH = /^(?:\/[a-z]{1,12}(?:-[a-z]{1,12})?){0,3}\/?$/
/** Shows files and nothing else. */
const SHOWS_FILES = /^\s*(?:cat|head|tail|less|more|type)(?:\s+-[\w-]+(?:\s+\d+)?)*(?:\s+[\w./~-]+)+\s*$/
const GIT_SENDS = /\b(?:push|send-pack|send-email|bundle|archive)\b/

export function disclosureDoubt(input: ToolInput): Doubt | undefined {
  const unnamed = (input.facts.targets ?? []).filter(
    (target) =>
      isUnnamedHost(target, input) &&
      !isChosenSite(target, input) &&
      !isPointedSite(target, input) &&
      !isSiteInUse(target, input),
  )
  if (unnamed.length === 0) return undefined
  const texts = privateTextsIn(input.state)
  const [first] = texts
  const target = unnamed.find((one) =>
    first === undefined ? readsAndSends(input) : !isKnownAddress(one, input, first.at),
  )
  if (target !== undefined) return { rule: 'discloses', source: texts.at(-1), target }
  return memoryDoubt(input, unnamed)
}

function isUnnamedHost(target: TargetFact, { state, policy, proposal, facts }: ToolInput): boolean {
  const host = hostOf(target)
  if (host === undefined || isNamedByUser(target, state, policy.security)) return false
  // A note that begins with an address.
  if (facts.deed === 'write' && /\s/.test(target.value.trim())) return false
  // A git remote by name: publishing there has rules of its own. The address is not looked for in a shell line, where
  // quotes could hide it.
  return target.setUp !== true || argumentValues(proposal.args).some((value) => value.toLowerCase().includes(host))
}

/** True of a command that may read and send in one line, before the run has read anything. */
function readsAndSends({ facts, proposal }: ToolInput): boolean {
  const { command, hosts = [] } = facts
  if (command === undefined) return false
  const line = argumentValues(proposal.args).join(' ')
  return (
    command.unparsed !== undefined ||
    command.bases.length > 1 ||
    hosts.some(({ method }) => method !== 'GET' && method !== 'HEAD') ||
    EXPANSION.test(line) ||
    (command.bases.includes('git') && (GIT_SENDS.test(line) || command.classes?.includes('publish') === true))
  )
}

/** True when the call sends only an address that was used before anything was read, or that is in a text. */
function isKnownAddress(target: TargetFact, input: ToolInput, since: number): boolean {
  const { facts, state } = input
  if (facts.command !== undefined) {
    if (readsAndSends(input) || (facts.paths ?? []).some(({ access }) => access === 'read')) return false
  } else if (!areFetchWords(input, target.value)) return false
  // From a page that is already open, only typed text is sent.
  if (facts.family === 'browser' && target.kind === 'host') return true
  const earlier = state.messages.slice(0, since)
  if (earlier.some((message) => callsWith(message, target.value))) return true
  const address = addressOf(target)
  return isInText(address, input) || isSiteOfName(address, userTexts(state))
}

/** "The Gazette site" is gazette.example, for short paths of plain words: the name of a host could be bought. */
function isSiteOfName({ host, tail }: Address, texts: readonly ReadText[]): boolean {
  if (tail.length > MAX_PLAIN_PATH || !PLAIN_PATH.test(tail)) return false
  const [, site = ''] = SITE.exec(host) ?? []
  return site !== '' && texts.some(({ text }) => new RegExp(`(?<![\\p{L}\\d./@-])${site}${SITE_WORD}`, 'iu').test(text))
}

function areFetchWords({ proposal: { args, tool } }: ToolInput, url: string): boolean {
  if (!isObject(args)) return argumentValues(args).every((value) => value === url)
  const keeps = identifierWords(tool, MAX_NAME).some((word) => KEEPS.has(word))
  return Object.entries(args).every(([key, value]) => {
    if (PLACE_ON_PAGE.has(key) || (keeps && KEPT_HERE.test(key))) return true
    // Header names can carry data, too.
    const names = isObject(value) ? Object.keys(value).filter((name) => !/^accept(?:-language)?$/i.test(name)) : []
    return [...names, ...argumentValues(value)].every((one) => isAddress(one, url) || FETCH_WORDS.test(one))
  })
}

/** As in an address bar: a bare host means https. */
function isAddress(value: string, url: string): boolean {
  return value.trim() === url.trim() || `https://${value.trim()}` === url.trim()
}

/** Words and dates: too few to carry much, and no text can have asked for it. */
const SHORT_TAIL = /^(?:\/(?:[a-z][a-z_-]{0,20}(?:\.html?)?|[a-z]{1,2}\d{0,3}|\d{4}-\d\d(?:-\d\d)?))*\/?$/i
/**
 * A site that the run has chosen itself: no text that was read before its first use names it, so that none can have asked
 * for it, and the path is of plain words.
 */
function isChosenSite(target: TargetFact, input: ToolInput): boolean {
  const { state, facts, proposal } = input
  const opens = facts.readOnly || facts.deed === 'browse'
  if (facts.command !== undefined || !opens || !areFetchWords(input, target.value)) return false
  const { host, tail } = addressOf(target)
  if (tail.length > MAX_SHORT_TAIL || !SHORT_TAIL.test(tail)) return false
  if (state.origins.some(({ inspection }) => inspection === 'review' || inspection === 'block')) return false
  const name = host.split('.').slice(-2).join('.')
  for (const message of state.messages) {
    const calls = message.role === 'assistant' ? (message.calls ?? []) : []
    if (calls.some(({ id, args }) => id !== proposal.id && usesHost(args, host))) return true
    if (message.role === 'tool' && SQUEEZED(message.content).includes(name)) return false
  }
  return userTexts(state).some((text) => text.says(DONE_ON_PAGES))
}

/**
 * "The login is in passwords.txt": a site that a file has which the user named, in a sentence that asks for nothing, with
 * what is filled in from the same file.
 */
function isPointedSite(target: TargetFact, { state, facts, proposal }: ToolInput): boolean {
  const { host, tail } = addressOf(target)
  // Our own tools have no deed: a header or a body can carry anything.
  if (facts.deed === undefined || tail.length > MAX_SHORT_TAIL || !SHORT_TAIL.test(tail)) return false
  const users = userTexts(state)
  if (!users.some((text) => text.says(DONE_ON_PAGES))) return false
  return state.messages.some((message) => {
    if (message.role !== 'tool') return false
    const origin = state.origins.findLast(({ callId }) => callId === message.callId)
    if (origin?.refused === true || origin?.inspection === 'review' || origin?.inspection === 'block') return false
    const named = argumentValues(argumentsOf(state.messages, message.callId)).some(
      (value) => FILE.test(value) && !/^https?:/i.test(value) && users.some((one) => one.holds(value)),
    )
    if (!named) return false
    const read = ownText(message)
    const calm = read.naming(host).some((i) => {
      const sentence = read.sentences[i]
      return sentence !== undefined && sentence.orders.size === 0 && urgency(sentence) < 0.5
    })
    const others = argumentValues(proposal.args).filter((value) => !value.includes(host))
    return (
      calm &&
      others.every((value) => FETCH_WORDS.test(value) || read.holds(value) || users.some((one) => one.holds(value)))
    )
  })
}

/**
 * A site at which the run has done something without a question, or that has the user's own name for it and stands in no
 * text: "my Tallyroot login" is at tallyroot.example.
 */
function isSiteInUse(target: TargetFact, { state, facts, proposal }: ToolInput): boolean {
  const { host, tail } = addressOf(target)
  if (host === '' || facts.deed === undefined) return false
  if (facts.readOnly || facts.deed === 'browse' || facts.deed === 'read') {
    const others = argumentValues(proposal.args).filter((value) => !value.includes(host))
    if (tail.length > MAX_SHORT_TAIL || !SHORT_TAIL.test(tail) || !others.every((value) => LITTLE.test(value)))
      return false
  }
  const isUsed = state.deeds.some(
    ({ deed, asked, callId, targets }) =>
      deed !== 'write' &&
      !asked &&
      callId !== proposal.id &&
      targets.some((value) => hostOf({ kind: 'url', value }) === host),
  )
  return isUsed || isSiteOfWords(host, state)
}

/** A word or a date. */
const LITTLE = /^(?:[a-z]{1,16}|\d{4}-\d\d-\d\d|\d{1,3})$/i

/** A path, or a name with an ending. */
const FILE = /^[^\s@]{0,200}(?:\/[^\s@]+|\.[a-z\d]{1,5})$/i
const MAX_SHORT_TAIL = 60
const SQUEEZED = (text: string) => text.toLowerCase().replace(/[\s[\](){}]+|\bdot\b/g, '')

function usesHost(args: unknown, host: string): boolean {
  return argumentValues(args).some((value) => hostOf({ kind: 'url', value }) === host)
}

interface Address {
  host: string
  /** Path and query, as written; empty for the first page. */
  tail: string
}

function addressOf(target: TargetFact): Address {
  const host = hostOf(target) ?? ''
  const rest = target.value.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const at = rest.search(/[/?]/)
  // The part after # is never sent.
  const tail = at < 0 ? '' : rest.slice(at).replace(/#.*$/s, '')
  return { host, tail: tail === '/' ? '' : tail }
}

/** True when a result that the model could not have written contains the address: whole, or as a link within its host. */
function isInText(address: Address, { state }: ToolInput): boolean {
  const argumentsSoFar: string[] = []
  let ranCommand = false
  for (const message of state.messages) {
    if (message.role === 'assistant')
      for (const { args } of message.calls ?? []) argumentsSoFar.push(...argumentValues(args))
    if (message.role !== 'tool') continue
    const origin = state.origins.findLast(({ callId }) => callId === message.callId)
    if (origin?.refused === true) continue
    const args = argumentsOf(state.messages, message.callId)
    const showsFiles = origin?.family === 'shell' && argumentValues(args).every((value) => SHOWS_FILES.test(value))
    const family = showsFiles ? 'filesystem' : (origin?.family ?? 'unknown')
    const isOwnOutput = family === 'shell' || family === 'memory' || family === 'task'
    // A command may have written an address into a file; it cannot change a page of the web.
    const isSource = isFromWeb(family) || (!isOwnOutput && !ranCommand)
    const found = isSource && containsAddress(message, address, args)
    // What one call wrote and another read back is still the model's.
    if (found && !argumentsSoFar.some((value) => includesAddress(value, address))) return true
    ranCommand ||= family === 'shell'
  }
  return false
}

function includesAddress(value: string, { host, tail }: Address): boolean {
  return value.toLowerCase().includes(`${host}${tail}`.toLowerCase()) || (tail.length >= LONG && value.includes(tail))
}

function containsAddress({ content }: Message, { host, tail }: Address, args: unknown): boolean {
  const text = content.replaceAll('&amp;', '&')
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(host); at >= 0; at = lower.indexOf(host, at + 1)) {
    const end = at + host.length
    if (/[\w.@-]/.test(text[at - 1] ?? '')) continue
    if (tail === '' ? !/^(?:[\w-]|\.\w)/.test(text.slice(end)) : isWhole(text, end, tail)) return true
  }
  if (tail.length < 2 || !argumentValues(args).some((value) => hostOf({ kind: 'url', value }) === host)) return false
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1))
    if (isWhole(text, at, tail) && /["'(\s=]/.test(text[at - 1] ?? ' ')) return true
  return false
}

function isWhole(text: string, at: number, tail: string): boolean {
  return text.startsWith(tail, at) && !/[\w%+~-]/.test(text[at + tail.length] ?? '')
}

function argumentsOf(messages: readonly Message[], callId: string): unknown {
  for (const message of messages) {
    const call = message.role === 'assistant' ? message.calls?.find(({ id }) => id === callId) : undefined
    if (call !== undefined) return call.args
  }
  return undefined
}

function callsWith(message: Message, url: string): boolean {
  return message.role === 'assistant' && (message.calls ?? []).some(({ args }) => argumentValues(args).includes(url))
}

/** Memories are in most prompts: only what they say counts, not that they are there. */
function memoryDoubt({ state, proposal }: ToolInput, [target]: readonly TargetFact[]): Doubt | undefined {
  const texts = state.recalled.flatMap(({ own, retold }) => [own, retold])
  const known = state.messages.flatMap((one) => (one.role === 'user' ? [one.content] : []))
  const sent = argumentValues(proposal.args).join('\n')
  if (target === undefined || !carriesPiece(sent, { of: texts, known })) return undefined
  return { rule: 'discloses', source: undefined, target }
}
