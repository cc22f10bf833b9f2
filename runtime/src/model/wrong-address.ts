/** Recognizes answers that no provider's API gives: the base URL is probably wrong. */
import { isObject } from '../base/json.ts'
import { why } from '../i18n/why.ts'
import type { Why } from '../protocol/why.ts'
import { ModelError } from './model.ts'
import { readAgain } from './refused-parameters.ts'
import { isRetryableStatus } from './retry.ts'

export interface Address {
  provider: string
  /** The configured base URL, or the address of the request. */
  url: string
}

/** Without credentials and query, which may contain a key. */
export function shownAddress(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? { protocol: '', host: '', pathname: '' }
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

export function atWrongAddress(reason: Why, url: string): Why {
  return why('wrongBaseURL', { why: reason, url: shownAddress(url) })
}

/** `found`: what the answer is. Not retryable: the next answer would be the same. */
export function wrongAddress(found: Why, { provider, url }: Address): ModelError {
  return new ModelError(why('provider', { provider, why: atWrongAddress(found, url) }), { retryable: false })
}

export function isWebPage(text: string): boolean {
  return /^\s*</.test(text)
}

/**
 * An error status that a provider's API does not give, with its body: a page, a redirect, an unknown path. Proxies of
 * the right address send pages too, with statuses that pass.
 */
export function isForeignRefusal(status: number, body: string): boolean {
  if (isRetryableStatus(status)) return false
  if (isWebPage(body) || (status >= 300 && status < 400)) return true
  return (status === 404 || status === 405) && !hasError(body)
}

function hasError(body: string): boolean {
  const value = jsonIn(body)
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isObject(first) && first.error !== undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A key that every answer of the API has; errors have `error`. */
const KEYS: Record<'openai' | 'anthropic' | 'google', readonly string[]> = {
  openai: ['choices', 'error'],
  anthropic: ['content', 'error'],
  google: ['candidates', 'promptFeedback', 'error'],
}

/** For adapters that would report such an answer as a broken connection. Streams pass unread. */
export function checkingAddress(
  fetch: typeof globalThis.fetch,
  { provider, baseURL }: { provider: keyof typeof KEYS; baseURL: string | undefined },
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || !/json|html/.test(type)) return response
    const text = await response.text()
    const address = { provider, url: baseURL ?? String(input) }
    if (isWebPage(text)) throw wrongAddress(why('answerIsPage'), address)
    const value = jsonIn(text)
    if (isObject(value) && !KEYS[provider].some((key) => value[key] !== undefined)) {
      throw wrongAddress(why('answerOtherJson'), address)
    }
    return readAgain(response, text)
  }
}
