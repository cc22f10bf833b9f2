/** Recognizes answers that no provider's API gives: the base URL is probably wrong. */
import { isObject } from '../base/json.ts'
import { type Hint, ModelError } from './model.ts'
import { readAgain } from './refused-parameters.ts'

export interface Address {
  provider: string
  /** The configured base URL, or the address of the request. */
  url: string
}

/** Without credentials and query, which may contain a key. */
function shown(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? { protocol: '', host: '', pathname: '' }
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

export function addressHint({ url }: Pick<Address, 'url'>): Hint {
  const place = shown(url)
  return {
    en: `the base URL ${place} is probably wrong; check agent.baseURL`,
    zh: `基础地址 ${place} 可能有误，请检查 agent.baseURL`,
  }
}

/** `found`: what the answer is. Not retryable: the next answer would be the same. */
export function wrongAddress(found: string, address: Address): ModelError {
  return new ModelError(`${address.provider}: ${found}`, { retryable: false, hint: addressHint(address) })
}

export const WEB_PAGE = 'the answer is a web page'
export const OTHER_JSON = 'the answer is JSON, but not of this API'

export function isWebPage(text: string): boolean {
  return /^\s*</.test(text)
}

/** An error status that a provider's API does not give, with its body: a page, a redirect, an unknown path. */
export function isForeignRefusal(status: number, body: string): boolean {
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
    if (isWebPage(text)) throw wrongAddress(WEB_PAGE, address)
    const value = jsonIn(text)
    if (isObject(value) && !KEYS[provider].some((key) => value[key] !== undefined)) {
      throw wrongAddress(OTHER_JSON, address)
    }
    return readAgain(response, text)
  }
}
