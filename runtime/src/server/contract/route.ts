/** How an endpoint is written down: once, for the check of requests, the OpenAPI page and the typed client. */
import * as z from 'zod'

/** What a token may do with what is its principal's; with `:all` and `admin`, with what is everyone's. */
export const SCOPES = ['read', 'run', 'approve', 'read:all', 'approve:all', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export interface Endpoint {
  /** `none`: no token is asked for. */
  scope: Scope | 'none'
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  returns: z.ZodType
  status?: 201 | 202
  /** Also to be had as server-sent events, with `Accept: text/event-stream`. */
  streams?: true
  /** Not JSON: the media type. */
  type?: 'text/plain' | 'application/x-ndjson'
}

/** A schema that says less than the type it stands for, such as that of an event. */
export function shaped<T>(schema: z.ZodType): z.ZodType<T> {
  return schema as z.ZodType<T>
}

export const time = z.number().describe('Milliseconds since 1970.')
export const done = z.object({ ok: z.literal(true) })
export const problem = z.object({ path: z.string(), message: z.string() })

export const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    field: z.string().optional(),
    type: z.string().optional().describe('Under /v1, as OpenAI’s clients read it.'),
    param: z.null().optional(),
  }),
  problems: z.array(problem).optional(),
})

/** Numbers in a query arrive as text. */
export const timeGiven = z.coerce.number().int().min(0).optional()
export const limitOf = (max: number, preset: number) => z.coerce.number().int().min(1).max(max).default(preset)

export type Failure = z.infer<typeof failure>
export type Problem = z.infer<typeof problem>
