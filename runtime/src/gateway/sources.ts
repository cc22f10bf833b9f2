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
  /** Who listed it, and its name there. */
  readonly #known = new Map<string, { server: OpenServer; name: string }>()

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
    const items = listed.filter(isClean).map((item) => this.#remember(server, item))
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
    const found = this.#known.get(`${kind} ${name}`) ?? onlyOne(name, able(kind))
    if (found === undefined) {
      const texts = gatewayTexts(lang)
      const message = isPrompt ? texts.unknownPrompt({ prompt: name }) : texts.unknownResource({ uri: name })
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    const own = isPrompt ? { ...ref, name: found.name } : { ...ref }
    return { server: found.server, params: isCompletion ? { ...params, ref: own } : own }
  }

  #remember(server: OpenServer, item: Record<string, unknown>): Record<string, unknown> {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    const { uri, uriTemplate = uri, name } = item
    if (typeof uriTemplate === 'string') {
      this.#known.set(`resources ${uriTemplate}`, { server, name: uriTemplate })
      return item
    }
    const shown = this.#options.named(server.name, String(name))
    this.#known.set(`prompts ${shown}`, { server, name: String(name) })
    return { ...item, name: shown }
  }
}

function onlyOne(name: string, [server, another]: readonly OpenServer[]) {
  return server === undefined || another !== undefined ? undefined : { server, name }
}
