/** Converts errors of provider adapters to a ModelError: is a retry useful, and when? */
import { APICallError } from '@ai-sdk/provider'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import { keyHint } from './key-variables.ts'
import { ModelError } from './model.ts'
import { isRetryableStatus, retryAfterMs } from './retry.ts'
import { addressHint, isForeignRefusal, isWebPage, WEB_PAGE } from './wrong-address.ts'

const MESSAGE_MAX = 500

interface ProviderAccount {
  provider: string
  key: string | undefined
  baseURL: string | undefined
}

export function toModelError(error: unknown, account: ProviderAccount): ModelError {
  if (error instanceof ModelError) return error
  // Adapters wrap errors that occur while an answer is read.
  if (error instanceof Error && error.cause instanceof ModelError) return error.cause
  if (APICallError.isInstance(error)) return fromCall(error, account)
  const message = isObject(error) && typeof error.message === 'string' ? error.message : messageOf(error)
  // What remains are broken bytes and errors inside a stream: the next attempt may succeed.
  return new ModelError(`${account.provider}: ${clip(message, MESSAGE_MAX)}`, { retryable: true, cause: error })
}

function fromCall(error: APICallError, { provider, key, baseURL }: ProviderAccount): ModelError {
  const status = error.statusCode
  // For a body that broke off, adapters report the status of the headers, 200.
  const failed = status !== undefined && status >= 300
  const retryAfter = error.responseHeaders?.['retry-after']
  const wait = failed && retryAfter !== undefined ? retryAfterMs(retryAfter, Date.now()) : undefined
  const body = error.responseBody ?? ''
  const why = failed && isWebPage(body) ? WEB_PAGE : clip(factOf(error), MESSAGE_MAX)
  const foreign = failed && isForeignRefusal(status, body)
  return new ModelError(`${provider}: ${failed ? `HTTP ${status}: ` : ''}${why}`, {
    status: failed ? status : undefined,
    retryable: failed ? isRetryableStatus(status) : true,
    retryAfterMs: wait,
    hint: foreign ? addressHint({ url: baseURL ?? error.url }) : keyHint(status, provider, key),
    cause: error,
  })
}

function factOf(error: APICallError): string {
  const cause = error.cause instanceof Error ? error.cause : undefined
  if (error.message === 'Failed to process successful response' && cause)
    return `the connection was cut in the middle of the answer: ${cause.message}`
  if (error.message === 'Invalid JSON response') return 'the answer is not valid JSON'
  return error.message || clip(error.responseBody ?? '', MESSAGE_MAX) || 'no reason given'
}
