/** What a client is offered: the tools, resources and prompts of the configured servers, and Writ's own tools. */
import type { Result, ServerCapabilities, Tool as WireTool } from '@modelcontextprotocol/server'
import { loadWorkspace } from '../agent/workspace-context.ts'
import type { GuardAgents } from '../assembly/guard-agents.ts'
import { openServers } from '../assembly/toolbox.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import type { Host, Notice, Peer } from '../tool/mcp/link.ts'
import type { Mcp, OpenServer } from '../tool/mcp/open.ts'
import type { Offer } from '../tool/mcp/tools.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { isClean } from './inspection.ts'
import { Sources } from './sources.ts'
import { gatewayTexts } from './texts.ts'

export interface CatalogueOptions {
  agents: GuardAgents
  config: string | undefined
  cwd: string
  lang: Lang
  /** Names of the servers that are offered. */
  servers: readonly string[]
  /** Whether Writ's own tools are offered. */
  own: boolean
  host: Pick<Host, 'elicit' | 'sample'>
  /** For the person who runs the gateway. */
  warn(line: string): void
}

/** An offered tool: of a server, or the name of one of ours. */
export type Entry = { wire: WireTool } & ({ offer: Offer; own?: never } | { offer?: never; own: string })

export interface Catalogue {
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
  tools(): WireTool[]
  tool(name: string): Entry | undefined
  readonly list: Sources['list']
  readonly source: Sources['source']
  /** Of every server that can. */
  setLevel(level: string, signal: AbortSignal): Promise<void>
  onNotice(listener: (notice: Notice) => void): () => void
  close(): Promise<void>
}

/** They work only in a loop of our own, or tell about Writ itself. */
const NOT_OFFERED = new Set(['explore', 'agent_core', 'skill', 'routine', 'report_findings', 'self_info', 'config'])
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { agents, own, warn, lang } = options
  const agent = await agents.agentIn(options.cwd)
  const { disabled } = agent.config.config.tools
  const listeners = new Set<(notice: Notice) => void>()
  const shut = new AbortController()
  const tell = (notice: Notice) => {
    for (const listener of listeners) listener(notice)
  }
  let mcp: Mcp | undefined
  mcp = await openUpstream(options, {
    onNotice(_server, notice) {
      if (notice.params !== undefined && !isClean(notice.params)) return
      if (notice.method !== 'notifications/tools/list_changed') tell(notice)
      else if (mcp !== undefined) void refresh(mcp).catch(() => {})
    },
  })
  await mcp?.refresh(shut.signal)
  for (const { notes } of mcp?.status() ?? []) for (const note of notes) warn(note)
  const servers = mcp?.servers() ?? []
  // With several, a name alone does not tell whose it is.
  const isPrefixed = servers.length + (own ? 1 : 0) > 1
  const named = (server: string, name: string) => (isPrefixed ? `${server}__${name}` : name)
  let entries = entriesNow()
  function entriesNow(): Map<string, Entry> {
    const ours = own ? agent.chatTools.filter(({ name }) => !NOT_OFFERED.has(name)).map(entryOf) : []
    const offers = (mcp?.servers() ?? []).flatMap((server) => server.offers)
    const theirs = offers
      .filter(({ name }) => !disabled.includes(name))
      .map((offer): Entry => ({ offer, wire: wireOf(offer, named(offer.server, offer.definition.name)) }))
    const all = new Map<string, Entry>()
    // A server can choose names that look like those of another: the first one has it.
    for (const entry of [...ours, ...theirs]) if (!all.has(entry.wire.name)) all.set(entry.wire.name, entry)
    return all
  }

  async function refresh(upstream: Mcp): Promise<void> {
    await upstream.refresh(shut.signal)
    entries = entriesNow()
    tell({ method: 'notifications/tools/list_changed' })
  }

  const peers = await Promise.all(servers.map(async (server) => ({ server, peer: await peerOf(server, shut.signal) })))
  const able = (capability: 'resources' | 'prompts' | 'logging' | 'completions') =>
    peers.filter(({ peer }) => peer?.capabilities[capability] !== undefined).map(({ server }) => server)

  const sources = new Sources({ able, named, warn, lang })
  return {
    capabilities: capabilitiesOf(peers.flatMap(({ peer }) => peer ?? [])),
    instructions: instructionsOf(peers, lang),
    tools: () => [...entries.values()].map(({ wire }) => wire),
    tool: (name) => entries.get(name),
    list: async (...of) => withCleanCursor(await sources.list(...of)),
    source: sources.source,
    async setLevel(level, signal) {
      const each = able('logging').map(async ({ watch }) =>
        (await watch.peer(signal)).request('logging/setLevel', { level }, { signal }),
      )
      await Promise.allSettled(each)
    },
    onNotice(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      shut.abort()
      await mcp?.close()
    },
  }
}

/** The mark of the next page is a server's text too. Instead of it, the next server is listed. */
function withCleanCursor(page: Result): Result {
  const { nextCursor } = page
  if (typeof nextCursor !== 'string' || isClean(nextCursor)) return page
  return { ...page, nextCursor: `${Number.parseInt(nextCursor, 10) + 1}:` }
}

async function openUpstream(
  { agents, config, cwd, servers, host }: CatalogueOptions,
  { onNotice }: Required<Pick<Host, 'onNotice'>>,
): Promise<Mcp | undefined> {
  const { env, data } = agents
  const context = await loadWorkspace({ workspace: cwd, env, data, ...present({ config }) })
  const all = context.loaded.config.mcp.servers
  const chosen = Object.fromEntries(Object.entries(all).filter(([name]) => servers.includes(name)))
  return openServers(context, { servers: chosen, host: { elicit: host.elicit, sample: host.sample, onNotice } })
}

async function peerOf({ watch }: OpenServer, signal: AbortSignal): Promise<Peer | undefined> {
  return watch.peer(signal).catch(() => undefined)
}

function wireOf({ definition }: Offer, name: string): WireTool {
  const { description, schema, annotations, more } = definition
  const { title, inputSchema = schema, outputSchema } = more ?? {}
  return { name, description, inputSchema, annotations, ...present({ title, outputSchema }) } as WireTool
}

function entryOf({ name, description, schema, readOnly }: ToolDescription): Entry {
  const inputSchema = schema as WireTool['inputSchema']
  return { own: name, wire: { name, description, inputSchema, annotations: { readOnlyHint: readOnly } } }
}

function capabilitiesOf(peers: readonly Peer[]): ServerCapabilities {
  const has = (capability: keyof ServerCapabilities) => peers.some(({ capabilities }) => capabilities[capability])
  const subscribe = peers.some(({ capabilities }) => capabilities.resources?.subscribe)
  return {
    tools: { listChanged: true },
    ...(has('resources') && { resources: { listChanged: true, ...(subscribe && { subscribe }) } }),
    ...(has('prompts') && { prompts: { listChanged: true } }),
    ...(has('completions') && { completions: {} }),
    ...(has('logging') && { logging: {} }),
  }
}

function instructionsOf(
  peers: readonly { server: OpenServer; peer: Peer | undefined }[],
  lang: Lang,
): string | undefined {
  const given = peers.flatMap(({ server: { name }, peer }) => {
    const text = peer?.instructions
    if (text === undefined || text === '') return []
    const shown = isClean(text) ? text : gatewayTexts(lang).withheld({ what: name })
    return [peers.length === 1 ? shown : `${name}: ${shown}`]
  })
  return given.length === 0 ? undefined : given.join('\n\n')
}
