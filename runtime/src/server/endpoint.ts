/** Binds the contract of an endpoint to its handler. */
import { createRoute, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import { tooDeep } from '../model/call-args.ts'
import type { Principal } from '../protocol/principal.ts'
import type { requireScope } from './auth.ts'
import { type Contract, contract, type ParamsOf, type Returned, type RouteKey } from './contract/contract.ts'
import { type Endpoint, failure } from './contract/route.ts'
import type { Caller } from './tokens.ts'

type QueryGiven<K extends RouteKey> = Contract[K] extends { query: infer Q extends z.ZodType } ? z.output<Q> : unknown
type BodyGiven<K extends RouteKey> = Contract[K] extends { body: infer B extends z.ZodType } ? z.output<B> : unknown

/** A request that has passed authentication and validation. */
export interface CheckedRequest<K extends RouteKey> {
  params: ParamsOf<K>
  query: QueryGiven<K>
  body: BodyGiven<K>
  /** The owner of its token; `ANONYMOUS` where the endpoint needs none. */
  who: Caller
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Language of the response. */
  lang: Lang
  wantsStream: boolean
  c: Context
}

type Handle<K extends RouteKey> = (
  request: CheckedRequest<K>,
) => Promise<Returned<K> | Response> | Returned<K> | Response

export interface Bound {
  key: RouteKey
  handle(request: CheckedRequest<RouteKey>): Promise<unknown> | unknown
}

export function on<K extends RouteKey>(key: K, handle: Handle<K>): Bound {
  return { key, handle: handle as unknown as Bound['handle'] }
}

const ANONYMOUS: Caller = { id: '', name: '', principal: '' as Principal, scopes: new Set() }

export function mount(app: OpenAPIHono, { key, handle }: Bound, demand: ReturnType<typeof requireScope>): void {
  const endpoint: Endpoint = contract[key]
  const route = routeOf(key, endpoint, demand)
  app.openapi(route, (async (c: Context) => {
    const body = valid(c, 'json')
    // Recursive readers would overflow the stack.
    if (tooDeep(body) !== undefined) throw new WritError('INVALID_REQUEST.depth')
    const wantsStream = c.req.header('accept')?.includes('text/event-stream') === true
    // Before the work starts: if the stream were refused later, the run would continue without a reader.
    const streams = endpoint.streams === true && (wantsStream || (isObject(body) && body.stream === true))
    const releaseStream = streams ? c.get('reserveStream')() : undefined
    let answer: unknown
    try {
      answer = await handle({
        params: valid(c, 'param'),
        query: valid(c, 'query'),
        body,
        who: c.get('who') ?? ANONYMOUS,
        signal: c.req.raw.signal,
        lang: c.get('lang'),
        wantsStream,
        c,
      } as CheckedRequest<RouteKey>)
    } finally {
      // A stream releases it when it ends.
      if (!isStream(answer)) releaseStream?.()
    }
    if (answer instanceof Response) return answer
    if (endpoint.type !== undefined) return c.body(String(answer), 200, { 'content-type': endpoint.type })
    return c.json(answer as object, endpoint.status ?? 200)
  }) as never)
}

function isStream(answer: unknown): boolean {
  return answer instanceof Response && answer.headers.get('content-type')?.startsWith('text/event-stream') === true
}

function valid(c: Context, part: string): unknown {
  return c.req.valid(part as never) ?? {}
}

function routeOf(key: RouteKey, endpoint: Endpoint, demand: ReturnType<typeof requireScope>): RouteConfig {
  const [method = '', path = ''] = key.split(' ')
  const { scope, summary, query, body, returns, status = 200, type = 'application/json', streams } = endpoint
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1).max(200)])))
  const stream = streams ? { 'text/event-stream': { schema: z.string() } } : {}
  return createRoute({
    method: method.toLowerCase() as 'get',
    path: path.replace(/:(\w+)/g, '{$1}'),
    summary,
    tags: [path.split('/')[2] ?? 'server'],
    ...(scope === 'none'
      ? {}
      : { security: [{ bearer: [] }], middleware: [demand(scope)], description: `Needs the scope \`${scope}\`.` }),
    request: {
      ...(names.length === 0 ? {} : { params }),
      ...present({
        query,
        body: body && { required: true, content: { 'application/json': { schema: body } } },
      }),
    },
    responses: {
      [status]: { description: summary, content: { [type]: { schema: returns }, ...stream } },
      default: { description: 'The error', content: { 'application/json': { schema: failure } } },
    },
  })
}
