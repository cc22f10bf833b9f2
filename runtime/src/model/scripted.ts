/** A model that replays a script: the test kit, for users too. Entries are matched by purpose, never by position. */
import { setTimeout as delay } from 'node:timers/promises'
import { WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { nearest } from '../base/text.ts'
import type { ModelPurpose } from '../protocol/message.ts'
import { kindOf } from './call-args.ts'
import { speakJson } from './dialect-json.ts'
import { type Completion, type Model, ModelError, type ModelRequest } from './model.ts'
import { isRetryableStatus } from './retry.ts'
import { estimateUsage } from './usage.ts'

export interface ScriptEntry {
  purpose: ModelPurpose
  /** In the JSON dialect, words without a "{" are taken for a final answer; anything else must keep the protocol. */
  text?: string
  calls?: readonly { tool: string; args: unknown }[]
  reasoning_content?: string
  /** The reply exactly as a provider would have written it, for the dialect to decode. */
  raw?: string
  error?: { status?: number; message: string }
  delayMs?: number
  times?: number
}

/** Each call uses up the first matching entry; a failed attempt uses one up like any other. */
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
        // Asked once more because of an empty reply, it would seem to have said nothing at all.
        const after = blank ? ', after an empty reply' : ''
        throw new ModelError(`the script has no entry left for purpose "${request.purpose}"${after}`, {
          retryable: false,
        })
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
  return new ModelError(`HTTP ${status}: ${message}`, { status, retryable: isRetryableStatus(status) })
}

function completionOf(entry: ScriptEntry, request: ModelRequest): Completion {
  const said = spoken(entry, request)
  const reasoning = entry.reasoning_content === undefined ? {} : { reasoning_content: entry.reasoning_content }
  return { ...said, ...reasoning, usage: estimateUsage(request, said), truncated: false }
}

function spoken(
  { raw, text = '', calls = [] }: ScriptEntry,
  request: ModelRequest,
): Pick<Completion, 'text' | 'calls'> {
  if (raw !== undefined) return { text: raw, calls: [] }
  const said = { text, calls: calls.map((call) => ({ id: '', ...call })) }
  // An attempt at the JSON protocol meets its decoder as a provider's would, faults and all; only prose is wrapped.
  if (text.includes('{') && calls.length === 0) return said
  return request.plain ? { text: speakJson(said), calls: [] } : said
}

type Check = (value: unknown) => string | undefined

const text: Check = (value) => (typeof value === 'string' ? undefined : `must be a string, not ${kindOf(value)}`)
const count =
  (least: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least ? undefined : `must be a whole number, ${least} or more`

const ENTRY: Record<keyof ScriptEntry, Check> = {
  purpose: (value) =>
    typeof value === 'string' && /^(?:detect|route|main|decide|scout(?::[1-9]\d*)?)$/.test(value)
      ? undefined
      : 'must be detect, route, main, decide, scout or scout:<n>',
  text,
  raw: text,
  reasoning_content: text,
  calls: (value) => (Array.isArray(value) ? undefined : `must be an array, not ${kindOf(value)}`),
  error: (value) => (isObject(value) ? undefined : `must be an object, not ${kindOf(value)}`),
  delayMs: count(0),
  times: count(1),
}
const CALL: Record<string, Check> = { tool: text, args: (value) => (value === undefined ? 'is missing' : undefined) }
const ERROR: Record<string, Check> = { message: text, status: count(100) }

/** Reads a script file's JSON; the error of a bad one names the key. */
export function parseScript(json: string): ScriptEntry[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw refusal('the script is not JSON', cause)
  }
  if (!Array.isArray(value)) throw refusal(`the script must be a JSON array, not ${kindOf(value)}`)
  value.forEach((entry, i) => {
    const at = `[${i}]`
    checkKeys(entry, { at, checks: ENTRY, required: ['purpose'] })
    entry.calls?.forEach((call: unknown, j: number) => {
      checkKeys(call, { at: `${at}.calls[${j}]`, checks: CALL, required: ['tool', 'args'] })
    })
    if (entry.error !== undefined) checkKeys(entry.error, { at: `${at}.error`, checks: ERROR, required: ['message'] })
    if (entry.raw !== undefined && (entry.text !== undefined || entry.calls !== undefined)) {
      throw refusal(`${at}.raw is the whole reply; text and calls cannot stand beside it`)
    }
  })
  return value
}

function checkKeys(value: unknown, rule: { at: string; checks: Record<string, Check>; required: string[] }): void {
  const { at, checks, required } = rule
  if (!isObject(value)) throw refusal(`${at} must be an object, not ${kindOf(value)}`)
  for (const key of Object.keys(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined
    if (!check) {
      const meant = nearest(key, Object.keys(checks))
      throw refusal(`${at}.${key} is not a key of a script${meant === undefined ? '' : `; did you mean ${meant}?`}`)
    }
    const fault = check(value[key])
    if (fault !== undefined) throw refusal(`${at}.${key} ${fault}`)
  }
  const missing = required.find((key) => value[key] === undefined)
  if (missing !== undefined) throw refusal(`${at}.${missing} is missing`)
}

function refusal(fact: string, cause?: unknown): WritError {
  return new WritError('SCRIPT_INVALID', fact, {
    hint: 'A script is a JSON array of {"purpose", "text" | "calls" | "raw" | "error", …}.',
    cause,
  })
}
