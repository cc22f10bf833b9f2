/** Converts errors of provider adapters to a ModelError: is a retry useful, and when? */
import { APICallError } from '@ai-sdk/provider'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import { why } from '../i18n/why.ts'
import type { Why } from '../protocol/why.ts'
import { withKeyAdvice } from './key-variables.ts'
import { ModelError } from './model.ts'
import { isRetryableStatus, retryAfterMs } from './retry.ts'
import { atWrongAddress, isForeignRefusal, isWebPage } from './wrong-address.ts'

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
  return new ModelError(why('provider', { provider: account.provider, why: clip(message, MESSAGE_MAX) }), {
    retryable: true,
    cause: error,
  })
}

function fromCall(error: APICallError, { provider, key, baseURL }: ProviderAccount): ModelError {
  const status = error.statusCode
  // For a body that broke off, adapters report the status of the headers, 200.
  const failed = status !== undefined && status >= 300
  const retryAfter = error.responseHeaders?.['retry-after']
  const wait = failed && retryAfter !== undefined ? retryAfterMs(retryAfter, Date.now()) : undefined
  const body = error.responseBody ?? ''
  const fact = failed && isWebPage(body) ? why('answerIsPage') : factOf(error)
  const stated = failed ? why('httpStatus', { status, why: fact }) : fact
  const reason =
    failed && isForeignRefusal(status, body)
      ? atWrongAddress(stated, baseURL ?? error.url)
      : withKeyAdvice(stated, { status, provider, key })
  return new ModelError(why('provider', { provider, why: reason }), {
    status: failed ? status : undefined,
    retryable: failed ? isRetryableStatus(status) : true,
    retryAfterMs: wait,
    cause: error,
  })
}

function factOf(error: APICallError): Why {
  const cause = error.cause instanceof Error ? error.cause : undefined
  if (error.message === 'Failed to process successful response' && cause)
    return why('cutOff', { why: clip(cause.message, MESSAGE_MAX) })
  if (error.message === 'Invalid JSON response') return why('answerNotJson')
  return clip(error.message || (error.responseBody ?? ''), MESSAGE_MAX) || why('noReason')
}
