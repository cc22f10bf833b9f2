/** One row of the error catalogue. */
import type { Lang } from '../base/lang.ts'

/** What happened, and what to do about it. */
export type ErrorText = readonly [message: string, hint: string]

/** Where it happened, and what the system or another program reported. */
export interface ReportedAt {
  where: string
  why: string
}

/** Lines that each name a place in the input, in both languages. */
export type BothLines = Readonly<Record<Lang, readonly string[]>>

/** A status that an error can have over HTTP. */
export type HttpStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503

/** An error: its texts in both languages, its exit code and its HTTP status. */
export interface ErrorEntry<Values> extends Record<Lang, (values: Values) => ErrorText> {
  /** Exit code of the command line; 2, wrong use, when absent. */
  exit?: 1 | 2 | 143
  /** 400 when absent. */
  status?: HttpStatus
  /** The same request may succeed later. */
  retryable?: true
  /** The message names files or addresses of the server: HTTP clients get a general one. */
  private?: true
}

/** Lets the compiler infer an entry's values from its two texts. */
export function entry<Values = void>(one: ErrorEntry<Values>): ErrorEntry<Values> {
  return one
}
