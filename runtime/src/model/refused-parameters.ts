/**
 * Some OpenAI-compatible servers reject optional parameters with a 400. The parameter named in the error is removed,
 * the request is sent again, and the server is remembered while the process runs.
 */
import { isObject } from '../base/json.ts'

const OPTIONAL = ['stream_options', 'temperature', 'prompt_cache_key', 'max_tokens', 'max_completion_tokens'] as const
type Parameter = (typeof OPTIONAL)[number]
/** Newer models use another name for the same limit. */
const RENAMED = 'max_completion_tokens'

interface Memory {
  dropped: Set<Parameter>
  renames: boolean
}

const MODEL = /"model":"((?:[^"\\]|\\.)*)"/
const HEAD = 500
const KNOWN = new Map<string, Memory>()

export function withoutRefused(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { body: given } = init ?? {}
    if (typeof given !== 'string' && !(given instanceof Uint8Array)) return fetch(input, init)
    const key = () => `${String(input)} ${MODEL.exec(textOf(given.slice(0, HEAD)))?.[1] ?? ''}`
    // Most servers accept everything; then the body is not looked at.
    const known = KNOWN.size === 0 ? undefined : KNOWN.get(key())
    const now: Memory = { dropped: new Set(known?.dropped), renames: known?.renames ?? false }
    // Conversations are long: they are parsed only for servers that need it.
    const send = () =>
      fetch(input, isNothing(now) ? init : { ...init, body: JSON.stringify(without(parsed(given), now)) })
    let response = await send()
    for (let round = 0; round < OPTIONAL.length && (response.status === 400 || response.status === 422); round++) {
      const text = await response.text()
      if (!learn(text, { now, sent: without(parsed(given), now) })) return readAgain(response, text)
      response = await send()
    }
    // Only changes that helped are remembered: an error may name a parameter for other reasons.
    if (response.ok && !isNothing(now)) KNOWN.set(key(), now)
    return response
  }
}

/** The same response with a body that can be read again. */
export function readAgain(response: Response, text: string): Response {
  const chunks = [new TextEncoder().encode(text)]
  const reader = {
    read: async () => {
      const value = chunks.shift()
      return { done: value === undefined, value }
    },
    cancel: async () => {},
    releaseLock: () => {},
  }
  return { ...response, body: { getReader: () => reader }, text: async () => text } as unknown as Response
}

function isNothing({ dropped, renames }: Memory): boolean {
  return dropped.size === 0 && !renames
}

function without(body: Readonly<Record<string, unknown>>, { dropped, renames }: Memory): Record<string, unknown> {
  const limit = renames && body.max_tokens !== undefined ? { [RENAMED]: body.max_tokens } : {}
  const { max_tokens: _, ...others } = body
  const all = renames ? { ...others, ...limit } : { ...body }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !dropped.has(name as Parameter)))
}

/** True when the answer names a sent parameter that can be removed. */
function learn(text: string, { now, sent }: { now: Memory; sent: Readonly<Record<string, unknown>> }): boolean {
  const named = OPTIONAL.filter((name) => sent[name] !== undefined && new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))
  if (named.includes('max_tokens') && !now.renames && text.includes(RENAMED)) {
    now.renames = true
    return true
  }
  for (const name of named) now.dropped.add(name)
  return named.length > 0
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString()
}

function parsed(body: string | Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(textOf(body))
  return isObject(value) ? value : {}
}
