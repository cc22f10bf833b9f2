/**
 * An error with a code. Those thrown here are `WritError`s of the catalogue; this is also what another process reported.
 *
 * @example
 * ```ts
 * import { CodedError, WritError } from 'writ'
 *
 * console.log(new WritError('AGENT_CLOSED') instanceof CodedError) // true
 * ```
 */
export class CodedError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'WritError'
    this.code = code
    this.hint = options.hint
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
