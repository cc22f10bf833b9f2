/**
 * Does this call carry something that was read in this run to a host the user did not name? Once anything private was
 * read, a request to such a host may only be an address that stood in a text, as it stood there: a model can hide what
 * it read in any address, header or body that it writes itself, in more ways than can be listed.
 */
import { isObject } from '../../base/json.ts'
import { carriesPiece } from '../../base/packed-text.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import type { Message } from '../../protocol/message.ts'
import type { ToolMatter } from '../matter.ts'
import { isFromWeb, privateReadings } from '../readings.ts'
import { hostOf, isNamedByUser } from '../sightings.ts'
import { type Doubt, valuesOf } from './reading.ts'

/** The other deeds aim at an account or a person, and are held to the rules for targets. */
const CONNECTS: readonly Deed[] = ['exec', 'share', 'send', 'browse', 'read']
/** What says how to fetch and not what to send. */
const FETCH_WORDS =
  /^(?:GET|HEAD|true|false|null|html|text|markdown|json|xml|raw|\d{1,6}|[a-z]{2}(?:-[A-Z]{2})?|(?:(?:text|application|\*)\/(?:html|plain|json|xml|xhtml\+xml|markdown|\*)(?:; ?q=[01](?:\.\d)?)?(?:, ?|$))+)$/
/** Where on a page to act: it stays here. */
const PLACE_ON_PAGE = new Set(['target', 'selector', 'ref', 'element'])
/** A line that holds one of these can put into an address what only shows when it runs. */
const FILLED_IN = /[$`@<>|~*;&\n]/
/** A path that stands in an argument by chance is shorter. */
const LONG = 16
const GIT_SENDS = /\b(?:push|send-pack|send-email|bundle|archive)\b/

export function disclosureDoubt(matter: ToolMatter): Doubt | undefined {
  const { facts } = matter
  if (facts.deed !== undefined && !CONNECTS.includes(facts.deed)) return undefined
  const foreign = (facts.targets ?? []).filter((target) => isForeign(target, matter))
  if (foreign.length === 0) return undefined
  const readings = privateReadings(matter.state)
  const [first] = readings
  const target = foreign.find((one) => (first === undefined ? sendsUnread(matter) : !isPlain(one, matter, first.at)))
  if (target !== undefined) return { rule: 'discloses', stranger: readings.at(-1), target }
  return remembered(matter, foreign)
}

function isForeign(target: TargetFact, { state, policy, proposal }: ToolMatter): boolean {
  const host = hostOf(target)
  if (host === undefined || isNamedByUser(target, state, policy.security)) return false
  // A remote by name: whether to publish there is a matter of its own. A shell line is never searched for the address,
  // as quotes in it would hide any.
  return target.setUp !== true || valuesOf(proposal.args).some((value) => value.toLowerCase().includes(host))
}

/** A command can read and send in one line, before the run has read anything. */
function sendsUnread({ facts, proposal }: ToolMatter): boolean {
  const { command, hosts = [] } = facts
  if (command === undefined) return false
  const line = valuesOf(proposal.args).join(' ')
  return (
    command.unparsed !== undefined ||
    command.bases.length > 1 ||
    hosts.some(({ method }) => method !== 'GET' && method !== 'HEAD') ||
    FILLED_IN.test(line) ||
    (command.bases.includes('git') && (GIT_SENDS.test(line) || command.classes?.includes('publish') === true))
  )
}

/** True when nothing is sent but an address that was used before anything was read, or that stands in a text. */
function isPlain(target: TargetFact, matter: ToolMatter, since: number): boolean {
  const { facts, proposal, state } = matter
  if (facts.command !== undefined) {
    if (sendsUnread(matter) || (facts.paths ?? []).some(({ access }) => access === 'read')) return false
  } else if (!areFetchWords(proposal.args, target.value)) return false
  // Of a page that is open already, only what is typed leaves.
  if (facts.family === 'browser' && target.kind === 'host') return true
  const earlier = state.messages.slice(0, since)
  return earlier.some((message) => callsWith(message, target.value)) || standsInText(addressOf(target), matter)
}

function areFetchWords(args: unknown, url: string): boolean {
  if (!isObject(args)) return valuesOf(args).every((value) => value === url)
  return Object.entries(args).every(([key, value]) => {
    if (PLACE_ON_PAGE.has(key)) return true
    // Names carry as much as values do.
    const names = isObject(value) ? Object.keys(value).filter((name) => !/^accept(?:-language)?$/i.test(name)) : []
    return [...names, ...valuesOf(value)].every((one) => isAddress(one, url) || FETCH_WORDS.test(one))
  })
}

/** As an address bar takes it: a bare host is meant as https. */
function isAddress(value: string, url: string): boolean {
  return value.trim() === url.trim() || `https://${value.trim()}` === url.trim()
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
  // What follows a # is never sent.
  const tail = at < 0 ? '' : rest.slice(at).replace(/#.*$/s, '')
  return { host, tail: tail === '/' ? '' : tail }
}

/** In a result that we could not have written ourselves: whole, or as a link within the same host. */
function standsInText(address: Address, { state }: ToolMatter): boolean {
  const said: string[] = []
  let computed = false
  for (const message of state.messages) {
    if (message.role === 'assistant') for (const { args } of message.calls ?? []) said.push(...valuesOf(args))
    if (message.role !== 'tool') continue
    const origin = state.origins.findLast(({ callId }) => callId === message.callId)
    if (origin?.refused === true) continue
    const { family = 'unknown' } = origin ?? {}
    const ours = family === 'shell' || family === 'memory' || family === 'task'
    // A command can have put together an address in a file; a page from the web it cannot change.
    const isSource = isFromWeb(family) || (!ours && !computed)
    const found = isSource && holdsAddress(message, address, callOf(state.messages, message.callId))
    // What a call of ours wrote somewhere and another one read back is still ours.
    if (found && !said.some((value) => isMadeOf(value, address))) return true
    computed ||= family === 'shell'
  }
  return false
}

function isMadeOf(value: string, { host, tail }: Address): boolean {
  return value.toLowerCase().includes(`${host}${tail}`.toLowerCase()) || (tail.length >= LONG && value.includes(tail))
}

function holdsAddress({ content }: Message, { host, tail }: Address, args: unknown): boolean {
  const text = content.replaceAll('&amp;', '&')
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(host); at >= 0; at = lower.indexOf(host, at + 1)) {
    const end = at + host.length
    if (/[\w.@-]/.test(text[at - 1] ?? '')) continue
    if (tail === '' ? !/^(?:[\w-]|\.\w)/.test(text.slice(end)) : isWhole(text, end, tail)) return true
  }
  if (tail.length < 2 || !valuesOf(args).some((value) => hostOf({ kind: 'url', value }) === host)) return false
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1))
    if (isWhole(text, at, tail) && /["'(\s=]/.test(text[at - 1] ?? ' ')) return true
  return false
}

function isWhole(text: string, at: number, tail: string): boolean {
  return text.startsWith(tail, at) && !/[\w%+~-]/.test(text[at + tail.length] ?? '')
}

function callOf(messages: readonly Message[], callId: string): unknown {
  for (const message of messages) {
    const call = message.role === 'assistant' ? message.calls?.find(({ id }) => id === callId) : undefined
    if (call !== undefined) return call.args
  }
  return undefined
}

function callsWith(message: Message, url: string): boolean {
  return message.role === 'assistant' && (message.calls ?? []).some(({ args }) => valuesOf(args).includes(url))
}

/** Memories stand in most prompts: a request is held against what they say, not against their being there. */
function remembered({ state, proposal }: ToolMatter, [target]: readonly TargetFact[]): Doubt | undefined {
  const texts = state.recalled.flatMap(({ own, retold }) => [own, retold])
  const known = state.messages.flatMap((one) => (one.role === 'user' ? [one.content] : []))
  const sent = valuesOf(proposal.args).join('\n')
  if (target === undefined || !carriesPiece(sent, { of: texts, known })) return undefined
  return { rule: 'discloses', stranger: undefined, target }
}
