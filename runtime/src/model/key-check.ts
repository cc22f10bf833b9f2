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

/**
 * `elsewhere`: the address is not one of a model server; `meant` is one. `unknown`: the provider could not be asked, and
 * why.
 */
export type KeyCheck =
  | { is: 'accepted'; models: readonly string[] }
  | { is: 'rejected' }
  | { is: 'elsewhere'; url: string; meant?: string }
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
    const models = ok ? modelsIn(text) : undefined
    if (models !== undefined) return { is: 'accepted', models }
    const isForeign = ok || (status >= 300 && status < 400)
    const meant = isForeign || status === 404 ? await withVersion({ ...given, baseURL }, signal) : undefined
    // Some servers have no list of models, so a 404 proves nothing by itself.
    if (isForeign || meant !== undefined) {
      return { is: 'elsewhere', url: shownAddress(baseURL), ...present({ meant }) }
    }
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

/** The most common slip: the address without its `/v1`. */
async function withVersion(given: KeyToCheck & { baseURL: string }, signal: AbortSignal): Promise<string | undefined> {
  const base = given.baseURL.replace(/\/+$/, '')
  if (/\/v\d[^/]*$/.test(base)) return undefined
  const { is } = await checkKey({ ...given, baseURL: `${base}/v1` }, signal)
  return is === 'accepted' || is === 'rejected' ? shownAddress(`${base}/v1`) : undefined
}

/** Undefined: it is no list of models. */
function modelsIn(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const list = isObject(value) ? (value.data ?? value.models) : undefined
    if (!Array.isArray(list)) return undefined
    return list.flatMap((each) => [each?.id ?? each?.name].filter((name) => typeof name === 'string'))
  } catch {
    return undefined
  }
}

function headersFor(provider: Provider, key: string | undefined): Record<string, string> {
  if (provider === 'anthropic') return { ...present({ 'x-api-key': key }), 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return present({ 'x-goog-api-key': key })
  return present({ authorization: key === undefined ? undefined : `Bearer ${key}` })
}
