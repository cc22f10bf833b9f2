/** Definition of an endpoint, used for validation, the OpenAPI document and the typed client. */
import * as z from 'zod'

/** Scopes apply to what the token's principal owns; `:all` scopes and `admin` apply to everything. */
export const SCOPES = ['read', 'run', 'approve', 'read:all', 'approve:all', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export interface Endpoint {
  /** `none`: no token needed. */
  scope: Scope | 'none'
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  returns: z.ZodType
  status?: 201 | 202
  /** Also available as server-sent events, with `Accept: text/event-stream`. */
  streams?: true
  /** The media type, if not JSON. */
  type?: 'text/plain' | 'application/x-ndjson' | 'application/octet-stream'
}

/** For a schema that is looser than its type, such as that of an event. */
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
    hint: z.string(),
    field: z.string().optional(),
    type: z.string().optional().describe('Under /v1, for OpenAI clients.'),
    param: z.null().optional(),
  }),
  problems: z.array(problem).optional(),
})

/** Numbers in a query arrive as text. */
export const timeGiven = z.coerce.number().int().min(0).optional()
export const limitOf = (max: number, preset: number) => z.coerce.number().int().min(1).max(max).default(preset)

export type Failure = z.infer<typeof failure>
/** One problem of a request, and where it is. */
export type Problem = z.infer<typeof problem>
