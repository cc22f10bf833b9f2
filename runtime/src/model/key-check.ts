/** Checks a key and an address with the cheapest request there is: the list of models. */
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { why } from '../i18n/why.ts'
import type { Why } from '../protocol/why.ts'
import { BASE_URLS } from './compatible.ts'
import { httpFetch } from './http-fetch.ts'
import { ModelError } from './model.ts'
import type { Provider } from './providers.ts'
import { isWebPage, shownAddress } from './wrong-address.ts'

const CHECK_MS = 10_000

const ADDRESSES: Partial<Record<Provider, string>> = {
  ...BASE_URLS,
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** `elsewhere`: the address is not one of a model server. `unknown`: the provider could not be asked, and why. */
export type KeyCheck =
  | { is: 'accepted' }
  | { is: 'rejected' }
  | { is: 'elsewhere'; url: string }
  | { is: 'unknown'; why: Why }

export interface KeyToCheck {
  provider: Provider
  key?: string
  baseURL?: string
}

export async function checkKey(given: KeyToCheck, signal: AbortSignal): Promise<KeyCheck> {
  const { provider, key, baseURL = ADDRESSES[provider] } = given
  if (baseURL === undefined) return { is: 'unknown', why: why('noReason') }
  try {
    const url = `${baseURL.replace(/\/+$/, '')}/models`
    const response = await httpFetch({ totalMs: CHECK_MS })(url, { headers: headersFor(provider, key), signal })
    const { ok, status } = response
    const text = await response.text()
    // Some servers have no list of models, so a 404 proves nothing.
    if ((ok && !isModelList(text)) || (status >= 300 && status < 400)) {
      return { is: 'elsewhere', url: shownAddress(baseURL) }
    }
    if (ok) return { is: 'accepted' }
    // Google answers 400 to a key it does not know.
    const isRejected = status === 401 || status === 403 || (provider === 'google' && status === 400)
    if (isRejected) return { is: 'rejected' }
    return {
      is: 'unknown',
      why: isWebPage(text) ? why('httpStatus', { status, why: why('answerIsPage') }) : `HTTP ${status}`,
    }
  } catch (error) {
    return { is: 'unknown', why: error instanceof ModelError ? error.why : messageOf(error) }
  }
}

function isModelList(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && (Array.isArray(value.data) || Array.isArray(value.models))
  } catch {
    return false
  }
}

function headersFor(provider: Provider, key: string | undefined): Record<string, string> {
  if (provider === 'anthropic') return { ...present({ 'x-api-key': key }), 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return present({ 'x-goog-api-key': key })
  return present({ authorization: key === undefined ? undefined : `Bearer ${key}` })
}
