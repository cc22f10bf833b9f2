/**
 * A model that replays a script, for tests; users can use it too. Entries are matched by purpose, never by position.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { why } from '../i18n/why.ts'
import type { ModelPurpose } from '../protocol/message.ts'
import { kindOf } from './call-args.ts'
import { speakJson } from './dialect-json.ts'
import { type Completion, type Model, ModelError, type ModelRequest } from './model.ts'
import { isRetryableStatus } from './retry.ts'
import { estimateUsage } from './usage.ts'

/** One answer of a scripted model. */
export interface ScriptEntry {
  purpose: ModelPurpose
  /** In the JSON dialect, text without a "{" is a final answer; any other text must follow the protocol. */
  text?: string
  calls?: readonly { tool: string; args: unknown }[]
  reasoning_content?: string
  /** The exact reply of a provider, for the dialect to decode. */
  raw?: string
  error?: { status?: number; message: string }
  delayMs?: number
  times?: number
}

/**
 * Each call consumes the first matching entry, also for a failed attempt.
 *
 * @example
 * ```ts
 * import { createAgent, scriptedModel } from 'writ'
 *
 * const model = scriptedModel([{ purpose: 'main', text: 'Hello.' }])
 * await using agent = await createAgent({ model, data: ':memory:' })
 * console.log((await agent.run('hi')).reply) // Hello.
 * ```
 */
export function scriptedModel(entries: readonly ScriptEntry[]): Model {
  const left = entries.map((entry) => entry.times ?? 1)
  let blank = false

  function take(purpose: ModelPurpose): ScriptEntry | undefined {
    const exact = entries.findIndex((entry, i) => entry.purpose === purpose && (left[i] ?? 0) > 0)
    const other = purpose.startsWith('scout:') ? 'scout' : purpose === 'decide' ? 'main' : undefined
    const shared = entries.findIndex((entry, i) => entry.purpose === other && (left[i] ?? 0) > 0)
    const index = exact >= 0 ? exact : shared
    if (index >= 0) left[index] = (left[index] ?? 0) - 1
    return entries[index]
  }

  return {
    id: 'scripted',
    route: 'Mock',
    reasoning: 'clear',
    async *ask(request, signal) {
      signal.throwIfAborted()
      const entry = take(request.purpose)
      if (!entry) {
        // The call is repeated after an empty reply, which would otherwise hide the cause.
        const code = blank ? 'scriptEndedBlank' : 'scriptEnded'
        throw new ModelError(why(code, { purpose: request.purpose }), { retryable: false })
      }
      if (entry.delayMs) await delay(entry.delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      if (entry.error) throw failureOf(entry.error)
      const completion = completionOf(entry, request)
      blank = completion.text.trim() === '' && completion.calls.length === 0
      if (completion.text !== '') yield completion.text
      return completion
    },
  }
}

function failureOf({ status, message }: { status?: number; message: string }): ModelError {
  if (status === undefined) return new ModelError(message, { retryable: false })
  return new ModelError(why('httpStatus', { status, why: message }), { status, retryable: isRetryableStatus(status) })
}

function completionOf(entry: ScriptEntry, request: ModelRequest): Completion {
  const reply = replyOf(entry, request)
  const reasoning = present({ reasoning_content: entry.reasoning_content })
  return { ...reply, ...reasoning, usage: estimateUsage(request, reply), truncated: false }
}

function replyOf(
  { raw, text = '', calls = [] }: ScriptEntry,
  request: ModelRequest,
): Pick<Completion, 'text' | 'calls'> {
  if (raw !== undefined) return { text: raw, calls: [] }
  const reply = { text, calls: calls.map((call) => ({ id: '', ...call })) }
  // Text that looks like the JSON protocol is decoded as it is, errors included; only prose is wrapped.
  if (text.includes('{') && calls.length === 0) return reply
  return request.plain ? { text: speakJson(reply), calls: [] } : reply
}

type Check = (value: unknown, at: string) => WritError | undefined

const ofKind =
  (expected: string, matches: (value: unknown) => boolean): Check =>
  (value, at) =>
    matches(value) ? undefined : new WritError('SCRIPT_INVALID.kind', { at, expected, found: kindOf(value) })
const integer =
  (min: number): Check =>
  (value, at) =>
    Number.isInteger(value) && Number(value) >= min ? undefined : new WritError('SCRIPT_INVALID.integer', { at, min })
const text = ofKind('a string', (value) => typeof value === 'string')

const ENTRY: Record<keyof ScriptEntry, Check> = {
  purpose: (value, at) =>
    typeof value === 'string' && /^(?:detect|route|summary|review|main|decide|scout(?::[1-9]\d*)?)$/.test(value)
      ? undefined
      : new WritError('SCRIPT_INVALID.purpose', { at }),
  text,
  raw: text,
  reasoning_content: text,
  calls: ofKind('an array', Array.isArray),
  error: ofKind('an object', isObject),
  delayMs: integer(0),
  times: integer(1),
}
const CALL: Record<string, Check> = {
  tool: text,
  args: (value, at) => (value === undefined ? new WritError('SCRIPT_INVALID.missing', { at }) : undefined),
}
const ERROR: Record<string, Check> = { message: text, status: integer(100) }

/** Parses a script; the error names the invalid key. */
export function parseScript(json: string): ScriptEntry[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new WritError('SCRIPT_INVALID.json', { why: messageOf(cause) }, { cause })
  }
  if (!Array.isArray(value)) throw new WritError('SCRIPT_INVALID.notAnArray', { found: kindOf(value) })
  value.forEach((entry, i) => {
    const at = `[${i}]`
    checkKeys(entry, { at, checks: ENTRY, required: ['purpose'] })
    entry.calls?.forEach((call: unknown, j: number) => {
      checkKeys(call, { at: `${at}.calls[${j}]`, checks: CALL, required: ['tool', 'args'] })
    })
    if (entry.error !== undefined) checkKeys(entry.error, { at: `${at}.error`, checks: ERROR, required: ['message'] })
    if (entry.raw !== undefined && (entry.text !== undefined || entry.calls !== undefined)) {
      throw new WritError('SCRIPT_INVALID.rawWithText', { at: `${at}.raw` })
    }
  })
  return value
}

function checkKeys(value: unknown, rule: { at: string; checks: Record<string, Check>; required: string[] }): void {
  const { at, checks, required } = rule
  if (!isObject(value)) {
    throw new WritError('SCRIPT_INVALID.kind', { at, expected: 'an object', found: kindOf(value) })
  }
  for (const key of Object.keys(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined
    if (!check) {
      throw new WritError('SCRIPT_INVALID.unknownKey', {
        at: `${at}.${key}`,
        meant: nearest(key, Object.keys(checks)),
      })
    }
    const error = check(value[key], `${at}.${key}`)
    if (error !== undefined) throw error
  }
  const missing = required.find((key) => value[key] === undefined)
  if (missing !== undefined) throw new WritError('SCRIPT_INVALID.missing', { at: `${at}.${missing}` })
}
