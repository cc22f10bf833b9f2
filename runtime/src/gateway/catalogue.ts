/** What a client is offered: the tools, resources and prompts of the configured servers, and Writ's own tools. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerCapabilities,
  type Tool as WireTool,
} from '@modelcontextprotocol/server'
import { loadWorkspace } from '../agent/workspace-context.ts'
import type { Agent } from '../assembly/agent.ts'
import type { GuardAgents } from '../assembly/guard-agents.ts'
import { openServers } from '../assembly/toolbox.ts'
import { atMostEach } from '../base/at-most.ts'
import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { whyOf } from '../errors/writ-error.ts'
import { whyText } from '../i18n/why.ts'
import type { Host, Notice, Peer } from '../tool/mcp/link.ts'
import type { Mcp, OpenServer } from '../tool/mcp/open.ts'
import type { Offer } from '../tool/mcp/tools.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { isClean } from './inspection.ts'
import { refreshing } from './refresh.ts'
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
  /** Whether a call of the client is running. */
  isBusy(): boolean
  /** For the person who runs the gateway. */
  warn(line: string): void
}

/** An offered tool: of a server, or the name of one of ours. */
export type Entry = { wire: WireTool } & ({ offer: Offer; own?: never } | { offer?: never; own: string })

export interface Catalogue {
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
  /** As the settings are now, or throws: before every call. */
  renew(): Promise<void>
  tools(): Promise<WireTool[]>
  tool(name: string): Entry | undefined
  readonly list: Sources['list']
  readonly source: Sources['source']
  /** Of every server that can. */
  setLevel(level: string, signal: AbortSignal): Promise<void>
  onNotice(listener: (notice: Notice) => void): () => void
  close(): Promise<void>
}

/** Of one server in a second. */
const MOST_NOTICES = 100

/** They work only in a loop of our own, or tell about Writ itself. */
const NOT_OFFERED = new Set(['explore', 'agent_core', 'skill', 'routine', 'report_findings', 'self_info', 'config'])
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { agents, own, warn, lang } = options
  let agent = await agents.agentIn(options.cwd)
  const listeners = new Set<(notice: Notice) => void>()
  const shut = new AbortController()
  const tell = (notice: Notice) => {
    for (const listener of listeners) listener(notice)
  }
  let upstream: Upstream = { mcp: undefined, peers: [] }
  let entries = new Map<string, Entry>()
  const again = refreshing(refresh, shut.signal)
  const may = atMostEach(MOST_NOTICES)
  const tellHeldBack = heldBackTeller(options)
  const onNotice: NonNullable<Host['onNotice']> = (server, notice) => {
    if (notice.method === 'notifications/tools/list_changed') return again.soon()
    if (may(server) && (notice.params === undefined || isClean(notice.params))) tell(notice)
  }
  upstream = await openUpstream(options, agent, { onNotice, signal: shut.signal })
  let upstreamOf = serversIn(agent, options)
  // With several, a name alone does not tell whose it is. Names stay when a server is taken away.
  const isPrefixed = upstream.peers.length + (own ? 1 : 0) > 1
  const named = (server: string, name: string) => (isPrefixed ? `${server}__${name}` : name)
  entries = entriesNow()
  function entriesNow(): Map<string, Entry> {
    return entriesOf(agent, upstream.mcp, { own, named })
  }

  async function refresh(): Promise<void> {
    await upstream.mcp?.refresh(shut.signal)
    entries = entriesNow()
    tell({ method: 'notifications/tools/list_changed' })
  }

  async function rebuild(): Promise<void> {
    const now = await agents.agentIn(options.cwd)
    if (now === agent) return tellHeldBack(agent)
    const areOthers = serversIn(now, options) !== upstreamOf
    // A running call keeps its server.
    if (areOthers && options.isBusy()) return
    if (areOthers) {
      upstreamOf = ''
      const { mcp } = upstream
      upstream = { mcp: undefined, peers: [] }
      await mcp?.close()
      upstream = await openUpstream(options, now, { onNotice, signal: shut.signal })
      upstreamOf = serversIn(now, options)
    }
    agent = now
    entries = entriesNow()
    for (const kind of ['tools', 'resources', 'prompts']) tell({ method: `notifications/${kind}/list_changed` })
  }

  const compare = sharing(rebuild)
  async function renew(): Promise<void> {
    await compare().catch((error: unknown) => {
      const message = gatewayTexts(lang).failed({ why: whyText(whyOf(error), lang) })
      throw new ProtocolError(ProtocolErrorCode.InternalError, message)
    })
  }

  again.open()
  const able = (capability: 'resources' | 'prompts' | 'logging' | 'completions') =>
    upstream.peers.filter(({ peer }) => peer?.capabilities[capability] !== undefined).map(({ server }) => server)

  const sources = new Sources({ able, named, warn, lang })
  return {
    capabilities: capabilitiesOf(upstream.peers.flatMap(({ peer }) => peer ?? [])),
    instructions: instructionsOf(upstream.peers, lang),
    renew,
    // A list does nothing: it is shown as it was while the settings cannot be opened.
    async tools() {
      await renew().catch(() => {})
      return [...entries.values()].map(({ wire }) => wire)
    },
    tool: (name) => entries.get(name),
    async list(...wanted) {
      await renew()
      return withCleanCursor(await sources.list(...wanted))
    },
    source: sources.source,
    async setLevel(level, signal) {
      await renew()
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
      await upstream.mcp?.close()
    },
  }
}

/** Says once for each change that what is looser in it does not hold: a program of a server could have made it. */
function heldBackTeller({ agents, cwd, isBusy, lang, warn }: CatalogueOptions): (agent: Agent) => Promise<void> {
  let told = ''
  return async (agent) => {
    const changed = await agents.changedSince(agent, cwd)
    const seen = changed === undefined || isBusy() ? '' : changed.fingerprint
    if (seen !== '' && seen !== told) warn(gatewayTexts(lang).settingsChanged({ files: changed?.files ?? [] }))
    told = seen
  }
}

/** One after the other. Those that wait share the next one, which begins after all of them have come. */
function sharing(work: () => Promise<void>): () => Promise<void> {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  return () => {
    waiting ??= turn.then(() => {
      waiting = undefined
      return work()
    })
    turn = waiting.catch(() => {})
    return waiting
  }
}

/** The mark of the next page is a server's text too. Instead of it, the next server is listed. */
function withCleanCursor(page: Result): Result {
  const { nextCursor } = page
  if (typeof nextCursor !== 'string' || isClean(nextCursor)) return page
  return { ...page, nextCursor: `${Number.parseInt(nextCursor, 10) + 1}:` }
}

function entriesOf(
  agent: Agent,
  mcp: Mcp | undefined,
  { own, named }: { own: boolean; named(server: string, name: string): string },
): Map<string, Entry> {
  const { disabled } = agent.config.config.tools
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

interface Upstream {
  mcp: Mcp | undefined
  peers: { server: OpenServer; peer: Peer | undefined }[]
}

async function openUpstream(
  options: CatalogueOptions,
  agent: Agent,
  { onNotice, signal }: Required<Pick<Host, 'onNotice'>> & { signal: AbortSignal },
): Promise<Upstream> {
  const { agents, config, cwd, host, warn } = options
  const { env, data } = agents
  const context = await loadWorkspace({ workspace: cwd, env, data, ...present({ config }) })
  const servers = chosenIn(agent, options)
  const mcp = await openServers(context, { servers, host: { elicit: host.elicit, sample: host.sample, onNotice } })
  await mcp?.refresh(signal)
  for (const { notes } of mcp?.status() ?? []) for (const note of notes) warn(note)
  const opened = mcp?.servers() ?? []
  return {
    mcp,
    peers: await Promise.all(opened.map(async (server) => ({ server, peer: await peerOf(server, signal) }))),
  }
}

function chosenIn({ config }: Agent, { servers }: CatalogueOptions) {
  return Object.fromEntries(Object.entries(config.config.mcp.servers).filter(([name]) => servers.includes(name)))
}

/** To compare. */
function serversIn(agent: Agent, options: CatalogueOptions): string {
  return JSON.stringify(chosenIn(agent, options))
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
