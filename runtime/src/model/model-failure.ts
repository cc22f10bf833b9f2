/** Sorts whatever a provider adapter threw into one error: can asking again help, and when? */
import { APICallError } from '@ai-sdk/provider'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import { keyAdvice } from './key-variables.ts'
import { ModelError } from './model.ts'
import { isRetryableStatus, retryAfterMs } from './retry.ts'

const MESSAGE_MAX = 500

interface Asked {
  provider: string
  key: string | undefined
}

export function toModelError(error: unknown, { provider, key }: Asked): ModelError {
  if (error instanceof ModelError) return error
  // The adapters wrap what ends an answer while it is being read.
  if (error instanceof Error && error.cause instanceof ModelError) return error.cause
  if (APICallError.isInstance(error)) return fromCall(error, { provider, key })
  const message = isObject(error) && typeof error.message === 'string' ? error.message : messageOf(error)
  // Left over are broken bytes on the wire and errors sent inside a stream: the next attempt may be whole.
  return new ModelError(`${provider}: ${clip(message, MESSAGE_MAX)}`, { retryable: true, cause: error })
}

function fromCall(error: APICallError, { provider, key }: Asked): ModelError {
  const status = error.statusCode
  // The adapters report a body that broke off under the status it began with, 200.
  const failed = status !== undefined && status >= 300
  const retryAfter = error.responseHeaders?.['retry-after']
  const wait = failed && retryAfter !== undefined ? retryAfterMs(retryAfter, Date.now()) : undefined
  const fact = `${failed ? `HTTP ${status}: ` : ''}${clip(factOf(error), MESSAGE_MAX)}`
  return new ModelError(`${provider}: ${fact}${keyAdvice(status, provider, key)}`, {
    ...(failed && { status }),
    retryable: failed ? isRetryableStatus(status) : true,
    ...(wait !== undefined && { retryAfterMs: wait }),
    cause: error,
  })
}

function factOf(error: APICallError): string {
  const cause = error.cause instanceof Error ? error.cause : undefined
  if (error.message === 'Failed to process successful response' && cause)
    return `the answer broke off: ${cause.message}`
  if (error.message === 'Invalid JSON response') return 'the answer is not the JSON this provider promises'
  return error.message || clip(error.responseBody ?? '', MESSAGE_MAX) || 'no reason given'
}
