/** Errors as HTTP responses. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { CodedError } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { CATALOGUE, type ErrorKey } from '../errors/catalogue.ts'
import type { HttpStatus } from '../errors/entry.ts'
import { codeOf, type ErrorArgs, WritError } from '../errors/writ-error.ts'
import type { Failure, Problem } from './contract/route.ts'

export interface Extras {
  /** The part of the request that is wrong. */
  field?: string | undefined
  problems?: readonly Problem[] | undefined
  retryAfterS?: number | undefined
}

/** An error of the catalogue with details that only an HTTP response carries. */
export class Refusal<Key extends ErrorKey = ErrorKey> extends WritError<Key> {
  readonly extras: Extras

  constructor(key: Key, ...args: ErrorArgs<Key, Extras>) {
    super(key, ...(args as unknown as ErrorArgs<Key>))
    this.extras = args[1] ?? {}
  }
}

export function statusOf(error: unknown): HttpStatus {
  return traitsOf(inCatalogue(error)).status ?? 400
}

/** The server is at fault, not the request: the log needs the details. */
export function isFault(error: unknown): boolean {
  const known = inCatalogue(error)
  return known.code === 'INTERNAL' || traitsOf(known).private === true
}

/** Jobs of earlier versions and errors of other packages have only a code. */
function traitsOf(error: CodedError): WritError['traits'] {
  if (error instanceof WritError) return error.traits
  const { code } = error
  const key = isKey(code) ? code : (Object.keys(CATALOGUE) as ErrorKey[]).find((each) => codeOf(each) === code)
  return key === undefined ? {} : CATALOGUE[key]
}

function isKey(code: string): code is ErrorKey {
  return Object.hasOwn(CATALOGUE, code)
}

/** An unexpected error becomes INTERNAL: its message may contain anything. */
function inCatalogue(error: unknown): CodedError {
  if (error instanceof CodedError) return error
  if (!(error instanceof HTTPException)) return new WritError('INTERNAL')
  return new WritError(error.status === 415 ? 'MEDIA_TYPE' : 'INVALID_REQUEST.json')
}

export function failureOf(error: unknown, lang: Lang): Failure {
  const known = inCatalogue(error)
  const { field, problems } = error instanceof Refusal ? error.extras : {}
  return {
    error: present({ code: known.code, ...textOf(known, lang), field }),
    ...present({ problems: problems && [...problems] }),
  }
}

function textOf(error: CodedError, lang: Lang): { message: string; hint: string } {
  if (traitsOf(error).private) return new WritError('STORE_FAILED.http').textIn(lang)
  if (error instanceof WritError) return error.textIn(lang)
  return { message: error.message, hint: error.hint ?? new WritError('INTERNAL').textIn(lang).hint }
}

export function answerFailure(c: Context, error: unknown): Response {
  const status = statusOf(error)
  const retryAfterS = error instanceof Refusal ? error.extras.retryAfterS : undefined
  if (retryAfterS !== undefined) c.header('Retry-After', String(retryAfterS))
  // The rest of the body is not read, so the connection cannot be reused.
  if (status === 413) c.header('Connection', 'close')
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  const failure = failureOf(error, c.get('lang'))
  return c.json(c.req.path.startsWith('/v1/') ? asOpenai(failure, status) : failure, status)
}

/** OpenAI clients read `error.message` and `error.type`. */
function asOpenai({ error }: Failure, status: HttpStatus): Failure {
  return { error: { ...error, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null } }
}
