/** What goes wrong, as HTTP says it. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { messageOf, WritError } from '../base/errors.ts'
import type { Failure, Problem } from './contract/route.ts'
import { type ServerTexts, serverTexts } from './texts.ts'

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503

/** Said in the language of whoever asked, which is known where the answer is written. */
export type Said = (texts: ServerTexts) => string

/** An answer other than the one asked for; not a defect. */
export class Refusal extends WritError {
  readonly status: FailureStatus
  readonly said: { message: Said; hint: Said }
  readonly field: string | undefined
  readonly problems: readonly Problem[] | undefined
  readonly retryAfterS: number | undefined

  constructor(
    status: FailureStatus,
    code: string,
    about: { message: Said; hint: Said; field?: string; problems?: readonly Problem[]; retryAfterS?: number },
  ) {
    const en = serverTexts('en')
    super(code, about.message(en), { hint: about.hint(en) })
    this.status = status
    this.said = about
    this.field = about.field
    this.problems = about.problems
    this.retryAfterS = about.retryAfterS
  }
}

const STATUS: Readonly<Record<string, FailureStatus>> = {
  RUN_UNKNOWN: 404,
  ROUTINE_UNKNOWN: 404,
  RUN_ENDED: 409,
  RUN_NOT_RESUMABLE: 409,
  RUN_TAKEN: 409,
  SESSION_BUSY: 409,
  SESSION_NOT_YOURS: 403,
  ROUTINE_BUSY: 409,
  ROUTINE_EXISTS: 409,
  CONFIG_INVALID: 422,
  JOB_GONE: 503,
  PROVIDER_ERROR: 502,
  INTERNAL_ERROR: 500,
}

export function statusOf(error: unknown): FailureStatus {
  if (error instanceof Refusal) return error.status
  if (error instanceof HTTPException) return error.status === 415 ? 415 : 400
  if (!(error instanceof WritError)) return 500
  return STATUS[error.code] ?? (isOfStore(error) ? 503 : 400)
}

function isOfStore({ code }: WritError): boolean {
  return /^(?:STORE_|JOURNAL_)/.test(code)
}

/** Nobody's request was wrong: the log should say what was. */
export function isFault(error: unknown): boolean {
  return error instanceof WritError ? !(error instanceof Refusal) && isOfStore(error) : statusOf(error) === 500
}

/** Nothing of an unexpected error is shown: it may hold anything. */
export function failureOf(error: unknown, texts: ServerTexts): Failure {
  if (error instanceof HTTPException) {
    const media = error.status === 415
    return {
      error: {
        code: media ? 'MEDIA_TYPE' : 'INVALID_REQUEST',
        message: media ? texts.mediaType : messageOf(error),
        hint: media ? texts.mediaTypeHint : texts.formHint,
      },
    }
  }
  if (!(error instanceof WritError)) {
    return { error: { code: 'INTERNAL', message: texts.internal, hint: texts.internalHint } }
  }
  // It names the file, or the address of the database.
  if (isFault(error)) return { error: { code: error.code, message: texts.storeFailed, hint: texts.internalHint } }
  const { code } = error
  const { message, hint } = error instanceof Refusal ? inWords(error, texts) : error
  const { field, problems } = error instanceof Refusal ? error : {}
  return {
    error: {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(field === undefined ? {} : { field }),
    },
    ...(problems === undefined ? {} : { problems: [...problems] }),
  }
}

function inWords({ said: { message, hint } }: Refusal, texts: ServerTexts): { message: string; hint: string } {
  return { message: message(texts), hint: hint(texts) }
}

export function answerFailure(c: Context, error: unknown): Response {
  if (error instanceof Refusal && error.retryAfterS !== undefined) c.header('Retry-After', String(error.retryAfterS))
  // The rest of the body is not read, so nothing else can follow it.
  if (statusOf(error) === 413) c.header('Connection', 'close')
  if (statusOf(error) === 401) c.header('WWW-Authenticate', 'Bearer')
  const failure = failureOf(error, serverTexts(c.get('lang')))
  return c.json(c.req.path.startsWith('/v1/') ? asOpenai(failure, statusOf(error)) : failure, statusOf(error))
}

/** Their clients read `error.message` and `error.type`. */
function asOpenai({ error }: Failure, status: FailureStatus): Failure {
  return { error: { ...error, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null } }
}
