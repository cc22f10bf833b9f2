/** The configured MCP servers, as tools. */

import { clip } from '../../base/text.ts'
import type { McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Tool } from '../tool.ts'
import { Askers } from './askers.ts'
import { type Definition, type Flaw, flawOf } from './definition.ts'
import { failureOf } from './failure.ts'
import { isChanged } from './known-tools.ts'
import { offeredName } from './name.ts'
import { mcpTexts } from './texts.ts'
import { mcpTool, type Offer } from './tools.ts'
import { openWatch, type Watch, type WatchDeps } from './watch.ts'

export interface McpStatus {
  server: string
  state: 'idle' | 'connected' | 'failed'
  /** Names under which its tools are offered. */
  tools: string[]
  /** The first line of what the server says about each of them. */
  descriptions: Record<string, string>
  /** For people: a failure, and tools that are withheld, changed, new or gone. */
  notes: string[]
}

export interface Mcp {
  tools: Tool[]
  /** The servers that could be opened, with what is offered of each. */
  servers(): readonly OpenServer[]
  /** Compares the tools again, and offers what is new. */
  refresh(signal: AbortSignal): Promise<void>
  status(): McpStatus[]
  /** Connects to every server now; `status` then tells which of them failed. */
  connect(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface OpenServer {
  name: string
  config: McpServer
  watch: Watch
  offers: readonly Offer[]
}

interface Opened {
  name: string
  server: McpServer
  /** Undefined: the server could not be opened. */
  watch?: Watch
  problem?: WritError
  offered: Definition[]
  withheld: { tool: string; flaw: Flaw }[]
}

/** Starting more programs at once makes each of them slower than its time limit allows. */
const MAX_CONNECTING = 4

export interface McpDeps extends WatchDeps {
  /** Called when a server starts or stops being connected to, with those in progress. */
  onConnecting?: ((servers: readonly string[]) => void) | undefined
}

/** Known servers are not contacted until one of their tools is called. A failing server does not affect the others. */
export async function openMcp(servers: Readonly<Record<string, McpServer>>, deps: McpDeps): Promise<Mcp> {
  const enabled = Object.entries(servers).filter(([, { enabled }]) => enabled)
  const inTurn = limitedTo(MAX_CONNECTING, deps.onConnecting)
  const askers = new Askers()
  // A gateway has clients to ask.
  const host = deps.host ?? { elicit: askers.elicit }
  const opened = await Promise.all(
    enabled.map(([name, server]) => inTurn(name, () => openServer(name, server, { ...deps, host }))),
  )
  let offers = offersOf(opened, askers)
  return {
    tools: offers.map((offer) => mcpTool(offer)) as Tool[],
    servers: () =>
      opened.flatMap(({ name, server: config, watch }) =>
        watch === undefined ? [] : [{ name, config, watch, offers: offers.filter(({ server }) => server === name) }],
      ),
    async refresh(signal) {
      await Promise.all(opened.map((one) => connectTo(one, signal)))
      for (const one of opened) await choose(one)
      offers = offersOf(opened, askers)
    },
    status: () =>
      opened.map((one) => {
        const own = offers.filter(({ server }) => server === one.name)
        const described = own.map(({ name, definition }) => [name, firstLine(definition.description)])
        const tools = own.map(({ name }) => name)
        return { ...statusOf(one, deps), tools, descriptions: Object.fromEntries(described) }
      }),
    async connect(signal) {
      await Promise.all(opened.map((one) => inTurn(one.name, () => connectTo(one, signal))))
    },
    async close() {
      await Promise.all(opened.map(({ watch }) => watch?.close()))
    },
  }
}

const LINE_MAX = 120

function firstLine(text = ''): string {
  return clip(text.trim().split('\n', 1)[0] ?? '', LINE_MAX)
}

type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Runs at most `most` works at once, in the order of the calls. */
function limitedTo(most: number, onChange: McpDeps['onConnecting']): InTurn {
  const active: string[] = []
  const waiting: (() => void)[] = []
  return async (name, work) => {
    if (active.length >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    active.push(name)
    onChange?.([...active])
    try {
      return await work()
    } finally {
      active.splice(active.indexOf(name), 1)
      onChange?.([...active])
      waiting.shift()?.()
    }
  }
}

async function connectTo(opened: Opened, signal: AbortSignal): Promise<void> {
  try {
    await opened.watch?.connect(signal)
  } catch (error) {
    signal.throwIfAborted()
    opened.problem = error instanceof WritError ? error : failureOf(error, opened.name)
  }
}

function offersOf(opened: readonly Opened[], askers: Askers): Offer[] {
  const taken = new Set<string>()
  return opened.flatMap(({ name: server, server: config, watch, offered }) => {
    if (watch === undefined) return []
    return offered.map((definition) => {
      const name = offeredName(server, definition.name, taken)
      taken.add(name)
      return { name, definition, server, config, watch, askers }
    })
  })
}

async function openServer(name: string, server: McpServer, deps: WatchDeps): Promise<Opened> {
  const opened: Opened = { name, server, offered: [], withheld: [] }
  try {
    opened.watch = await openWatch(name, server, deps)
  } catch (error) {
    opened.problem = error instanceof WritError ? error : failureOf(error, name)
    return opened
  }
  await choose(opened)
  return opened
}

/** Which of its tools are offered. */
async function choose(opened: Opened): Promise<void> {
  const { server, watch } = opened
  opened.offered = []
  opened.withheld = []
  for (const [tool, { accepted, seen }] of Object.entries(watch?.known().tools ?? {})) {
    const definition = accepted ?? seen
    if (definition === null || seen === null || server.tools?.includes(tool) === false) continue
    const flaw = await flawOf(definition)
    if (flaw === undefined) opened.offered.push(definition)
    else opened.withheld.push({ tool, flaw })
  }
}

function statusOf(
  { name, server, watch, problem, withheld }: Opened,
  { lang }: WatchDeps,
): Omit<McpStatus, 'tools' | 'descriptions'> {
  const texts = mcpTexts(lang)
  const { connected = false, problem: lost, leftOut = 0 } = watch?.state() ?? {}
  const failure = problem ?? lost
  const known = Object.entries(watch?.known().tools ?? {})
  const notes = [
    ...(failure === undefined ? [] : [texts.problem({ server: name, ...failure.textIn(lang) })]),
    ...(leftOut === 0 ? [] : [texts.leftOut({ server: name, n: leftOut })]),
    ...withheld.map((one) => texts.withheld({ server: name, ...one })),
    ...known.flatMap(([tool, entry]) => {
      const at = { server: name, tool }
      if (entry.seen === null) return entry.accepted === null ? [] : [texts.gone(at)]
      if (!isChanged(entry)) return []
      return [entry.accepted === null ? texts.isNew(at) : texts.changed(at)]
    }),
    ...(watch === undefined ? [] : (server.tools ?? []).filter((tool) => watch.known().tools[tool] === undefined)).map(
      (tool) => texts.notThere({ server: name, tool }),
    ),
  ]
  return {
    server: name,
    state: failure !== undefined ? 'failed' : connected ? 'connected' : 'idle',
    notes,
  }
}
