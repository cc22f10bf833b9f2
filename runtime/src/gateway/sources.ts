/** Which server has a resource or a prompt. Lists are passed on page by page. */
import { ProtocolError, ProtocolErrorCode, type Result } from '@modelcontextprotocol/server'
import { messageOf } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import type { OpenServer } from '../tool/mcp/open.ts'
import type { ReadMethod } from '../tool/mcp/reads.ts'
import { isClean } from './inspection.ts'
import { gatewayTexts } from './texts.ts'

export type ListMethod = 'resources/list' | 'resources/templates/list' | 'prompts/list'

export interface Source {
  server: OpenServer
  params: Record<string, unknown>
}

interface SourcesOptions {
  /** The servers that have such things. */
  able(capability: 'resources' | 'prompts'): readonly OpenServer[]
  /** The name of a prompt as clients see it. */
  named(server: string, name: string): string
  warn(line: string): void
  lang: Lang
}

const MOST_KNOWN = 10_000
const KEYS = {
  'resources/list': { items: 'resources', able: 'resources' },
  'resources/templates/list': { items: 'resourceTemplates', able: 'resources' },
  'prompts/list': { items: 'prompts', able: 'prompts' },
} as const

export class Sources {
  readonly #options: SourcesOptions
  /** Who listed it first, and its name there: no other server can take it over. */
  readonly #known = new Map<string, { server: string; name: string }>()

  /** How many of each server: one cannot push out those of another. */
  readonly #kept = new Map<string, number>()

  constructor(options: SourcesOptions) {
    this.#options = options
  }

  /** One page of one server; the cursor says which. */
  readonly list = async (method: ListMethod, cursor: string | undefined, signal: AbortSignal): Promise<Result> => {
    const { able, warn, lang } = this.#options
    const { items: key, able: capability } = KEYS[method]
    const from = able(capability)
    const [, place = '0', rest] = /^(\d{1,4}):(.*)$/s.exec(cursor ?? '') ?? []
    const server = from[Number(place)]
    if (server === undefined) return { [key]: [] }
    const request = async () =>
      (await server.watch.peer(signal)).request(method, rest ? { cursor: rest } : undefined, { signal })
    const page = await request().catch((error: unknown) => {
      signal.throwIfAborted()
      // The others are listed all the same.
      warn(gatewayTexts(lang).serverFailed({ server: server.name, message: messageOf(error) }))
      return {} as Record<string, unknown>
    })
    const listed = (Array.isArray(page[key]) ? page[key] : []) as Record<string, unknown>[]
    const items = listed.filter(isClean).flatMap((item) => this.#remember(server, item, from))
    const next = from.length > Number(place) + 1 ? `${Number(place) + 1}:` : undefined
    const nextCursor = typeof page.nextCursor === 'string' ? `${place}:${page.nextCursor}` : next
    return { [key]: items, ...present({ nextCursor }) }
  }

  /** The parameters are as that server knows them. */
  readonly source = (method: ReadMethod | 'completion/complete', params: Record<string, unknown>): Source => {
    const { able, lang } = this.#options
    const isCompletion = method === 'completion/complete'
    const ref = isCompletion ? (params.ref as Record<string, unknown>) : params
    const isPrompt = method === 'prompts/get' || ref.type === 'ref/prompt'
    const name = String(isPrompt ? ref.name : ref.uri)
    const kind = isPrompt ? 'prompts' : 'resources'
    // A server may have addresses that it does not list.
    const known = this.#known.get(`${kind} ${name}`)
    const from = able(kind)
    const found = known ?? (from.length === 1 ? { server: from[0]?.name, name } : undefined)
    const server = from.find((one) => one.name === found?.server)
    if (found === undefined || server === undefined) {
      const texts = gatewayTexts(lang)
      const message = isPrompt ? texts.unknownPrompt({ prompt: name }) : texts.unknownResource({ uri: name })
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    const own = isPrompt ? { ...ref, name: found.name } : { ...ref }
    return { server, params: isCompletion ? { ...params, ref: own } : own }
  }

  /** Left out where another server has the name already, or where it would be forgotten. */
  #remember(
    server: OpenServer,
    item: Record<string, unknown>,
    able: readonly OpenServer[],
  ): [] | [Record<string, unknown>] {
    const { uri, uriTemplate = uri, name } = item
    const isPrompt = typeof uriTemplate !== 'string'
    const own = isPrompt ? String(name) : uriTemplate
    const shown = isPrompt ? this.#options.named(server.name, own) : own
    const key = `${isPrompt ? 'prompts' : 'resources'} ${shown}`
    const holder = this.#known.get(key)
    const isTaken = holder !== undefined && (holder.server !== server.name || holder.name !== own)
    if (isTaken && able.some((one) => one.name === holder.server)) {
      const { warn, lang } = this.#options
      const message = gatewayTexts(lang).taken({ name: shown, server: holder.server })
      warn(gatewayTexts(lang).serverFailed({ server: server.name, message }))
      return []
    }
    const kept = this.#kept.get(server.name) ?? 0
    if (holder === undefined && kept >= MOST_KNOWN) return []
    if (holder === undefined) this.#kept.set(server.name, kept + 1)
    this.#known.set(key, { server: server.name, name: own })
    return [isPrompt ? { ...item, name: shown } : item]
  }
}
