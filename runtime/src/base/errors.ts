/** An error people can act on: `code` for programs, `message` for the fact, `hint` for the next step. */
export class WritError extends Error {
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
