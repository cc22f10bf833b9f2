/** The one error class: `code` for programs, a message for the fact, a hint for the next step. */
import { CodedError, messageOf } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import type { Why } from '../protocol/why.ts'
import { CATALOGUE, type ErrorKey, type ErrorValues } from './catalogue.ts'
import type { ErrorEntry } from './entry.ts'
import { reportedIn } from './reported.ts'

/** What a `WritError` is made with, beside its key. */
export type ErrorArgs<Key extends ErrorKey, Options = { cause?: unknown }> =
  ErrorValues<Key> extends void
    ? [values?: undefined, options?: Options]
    : [values: ErrorValues<Key>, options?: Options]

/**
 * The key is a code of the catalogue, with a variant where one code has several messages (`DATA_INVALID.link`).
 * `message` and `hint` are English; `textIn` gives them in another language.
 *
 * @example
 * ```ts
 * import { createAgent, WritError } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * try {
 *   await agent.run('go on', { sessionId: 'ses_mistyped' })
 * } catch (error) {
 *   if (!(error instanceof WritError)) throw error
 *   console.log(error.code) // SESSION_UNKNOWN
 *   console.log(error.textIn('zh').message) // 这里没有会话 ses_mistyped
 * }
 * ```
 */
export class WritError<Key extends ErrorKey = ErrorKey> extends CodedError {
  readonly key: Key
  readonly values: ErrorValues<Key>
  declare readonly hint: string

  constructor(key: Key, ...[values, options]: ErrorArgs<Key>) {
    const [message, hint] = entryOf(key).en(reportedIn(values, 'en'))
    super(codeOf(key), message, { hint, cause: options?.cause })
    this.key = key
    this.values = values as ErrorValues<Key>
  }

  /** Also on the command line and over HTTP, each in the reader's language. */
  textIn(lang: Lang): { message: string; hint: string } {
    const [message, hint] = entryOf(this.key)[lang](reportedIn(this.values, lang))
    return { message, hint }
  }

  /** Exit code, HTTP status and whether it may pass. */
  get traits(): Pick<ErrorEntry<never>, 'exit' | 'status' | 'retryable' | 'private'> {
    return entryOf(this.key)
  }
}

/** Any error in the reader's language; what is not ours stays as it was thrown. */
export function errorText(error: unknown, lang: Lang): { message: string; hint?: string } {
  if (error instanceof WritError) return error.textIn(lang)
  return { message: messageOf(error) }
}

/** An error as a reason that can be journaled. */
export function whyOf(error: unknown): Why {
  if (!(error instanceof WritError)) return messageOf(error)
  return { code: 'error', en: error.message, zh: error.textIn('zh').message }
}

export function codeOf(key: ErrorKey): string {
  return key.split('.', 1)[0] ?? key
}

function entryOf(key: ErrorKey): ErrorEntry<unknown> {
  return CATALOGUE[key] as ErrorEntry<unknown>
}
