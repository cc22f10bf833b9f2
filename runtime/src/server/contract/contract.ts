/** Every endpoint of the server, by method and path. */
import * as z from 'zod'
import type { Stats } from '../../journal/stats.ts'
import { governance } from './governance.ts'
import { memories } from './memory.ts'
import { openai } from './openai.ts'
import { type Endpoint, SCOPES, shaped, time, timeGiven } from './route.ts'
import { policyRules } from './rules.ts'
import { runs } from './runs.ts'
import { sessions } from './sessions.ts'
import { work } from './work.ts'

const info = z.object({
  version: z.string(),
  model: z.object({
    id: z.string(),
    route: z.string(),
    embedded: z.boolean().describe('True for the built-in rules, which are not a language model.'),
    footer: z.string().optional(),
  }),
  lang: z.enum(['en', 'zh']),
  autonomy: z.string(),
  workspace: z.string(),
  sandbox: z
    .object({ setting: z.enum(['required', 'auto', 'off']), active: z.boolean(), why: z.string() })
    .describe('Whether commands run in the system sandbox, and why or why not.'),
  token: z.string().describe('The name of the token of this request.'),
  principal: z.string().describe('The principal of that token.'),
  scopes: z.array(z.enum(SCOPES)),
  samples: z.array(z.object({ title: z.string(), task: z.string() })),
  dispatchTool: z.string().describe('The tool that starts scouts.'),
})

/** Statistics and the time range they cover. */
export interface StatsView extends Stats {
  since: number
  until: number
}

const health = z.object({ status: z.string() })

const plain = {
  'GET /healthz': { scope: 'none', summary: 'The process is running', returns: health },
  'GET /readyz': { scope: 'none', summary: 'The server accepts work; 503 while it shuts down', returns: health },
  'GET /metrics': { scope: 'read', summary: 'Metrics for Prometheus', returns: z.string(), type: 'text/plain' },
  'GET /api/info': { scope: 'read', summary: 'The server, its model, and the scopes of this token', returns: info },
  'GET /api/stats': {
    scope: 'read',
    summary: 'Runs, stop reasons, denials, latency and cost over a time range; the last 7 days by default',
    query: z.object({
      since: timeGiven.describe(
        'Runs started at or after this time. Default: 7 days before `until`; 0 reads the whole journal.',
      ),
      until: timeGiven.describe('Runs started before this time. Default: now.'),
    }),
    returns: shaped<StatsView>(
      z.looseObject({
        since: time.describe('Start of the time range.'),
        until: time.describe('End of the time range.'),
      }),
    ),
  },
} as const satisfies Record<string, Endpoint>

export const contract = {
  ...plain,
  ...sessions,
  ...runs,
  ...governance,
  ...policyRules,
  ...work,
  ...memories,
  ...openai,
}

/**
 * The input and output of every endpoint.
 *
 * @example
 * ```ts
 * import type { BodyOf, Returned, RouteKey } from 'writ/client'
 *
 * const key: RouteKey = 'POST /api/sessions/:id/messages'
 * const body: BodyOf<typeof key> = { text: 'hello' }
 * const replyOf = (answer: Returned<typeof key>) => answer.reply
 * console.log(key, body, typeof replyOf) // POST /api/sessions/:id/messages { text: 'hello' } function
 * ```
 */
export type Contract = typeof contract
/** An endpoint, by method and path. */
export type RouteKey = keyof Contract
/** The server, its model, and the scopes of the token. */
export type Info = z.infer<typeof info>

/** The parameters of a path: the names after its colons. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The parameters in the path of an endpoint. */
export type ParamsOf<K extends RouteKey> = { readonly [N in ParamNames<K>]: string }
/** The query of an endpoint. */
export type QueryOf<K extends RouteKey> = Contract[K] extends { query: infer Q extends z.ZodType } ? z.input<Q> : never
/** The body of an endpoint. */
export type BodyOf<K extends RouteKey> = Contract[K] extends { body: infer B extends z.ZodType } ? z.input<B> : never
/** What an endpoint answers. */
export type Returned<K extends RouteKey> = z.output<Contract[K]['returns']>
