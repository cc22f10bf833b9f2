/** Checks a key with the cheapest request there is: the list of models. */
import { messageOf } from '../base/errors.ts'
import { BASE_URLS } from './compatible.ts'
import { httpFetch } from './http-fetch.ts'
import type { Provider } from './providers.ts'

const CHECK_MS = 10_000

const ADDRESSES: Partial<Record<Provider, string>> = {
  ...BASE_URLS,
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** `unknown`: the provider could not be asked, and why. */
export type KeyCheck = { is: 'accepted' } | { is: 'rejected' } | { is: 'unknown'; why: string }

export async function checkKey({
  provider,
  key,
  baseURL = ADDRESSES[provider],
}: {
  provider: Provider
  key: string
  baseURL?: string | undefined
}): Promise<KeyCheck> {
  if (baseURL === undefined) return { is: 'unknown', why: 'no address' }
  try {
    const url = `${baseURL.replace(/\/+$/, '')}/models`
    const fetch = httpFetch({ totalMs: CHECK_MS })
    const { ok, status } = await fetch(url, { headers: headersFor(provider, key) })
    if (ok) return { is: 'accepted' }
    // Google answers 400 to a key it does not know.
    const isRejected = status === 401 || status === 403 || (provider === 'google' && status === 400)
    return isRejected ? { is: 'rejected' } : { is: 'unknown', why: `HTTP ${status}` }
  } catch (error) {
    return { is: 'unknown', why: messageOf(error) }
  }
}

function headersFor(provider: Provider, key: string): Record<string, string> {
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${key}` }
}
