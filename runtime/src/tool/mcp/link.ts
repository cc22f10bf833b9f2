/** One live connection to a server. Loaded at the first use: the client library is heavy. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { type CallToolResult, Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { WritError } from '../../base/errors.ts'
import { HEADER_VALUE, type McpServer } from '../../config/schema.ts'
import { scrubEnv } from '../guard/process.ts'
import { type Definition, definitionOf } from './definition.ts'
import { httpLink } from './http.ts'
import { StdioTransport } from './stdio.ts'

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** A server of the older protocol may stay silent at the question of the newer one. */
const PROBE_MS = 5_000
const LIST_MS = 20_000
const GOODBYE_MS = 1_000
const MAX_TOOLS = 256

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  workspace: string
}

export interface Link {
  lost: boolean
  /** How many of its tools are more than one server may bring. */
  leftOut: number
  /** One question for all who ask; the same list until the server tells of a change. */
  list(): Promise<readonly Definition[]>
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>
  close(): Promise<void>
}

export async function openLink(server: McpServer, around: Surroundings, signal: AbortSignal): Promise<Link> {
  try {
    return await connect(server, around, { signal, mode: 'auto' })
  } catch (error) {
    // Some programs of the older protocol end at the newer one's question; a fresh one is asked the old way.
    if (!SdkError.isInstance(error) || error.code !== SdkErrorCode.EraNegotiationFailed) throw error
    return await connect(server, around, { signal, mode: 'legacy' })
  }
}

async function connect(
  server: McpServer,
  around: Surroundings,
  { signal, mode }: { signal: AbortSignal; mode: 'auto' | 'legacy' },
): Promise<Link> {
  let listed: Promise<readonly Definition[]> | undefined
  // No capability is declared: a server can ask nothing of the model, of the person or of the files.
  const client = new Client(
    { name: 'writ', version },
    {
      capabilities: {},
      versionNegotiation: { mode, probe: { timeoutMs: PROBE_MS } },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            listed = undefined
          },
        },
      },
    },
  )
  const { transport, farewell, release, said } = transportOf(server, around)
  const link: Link = {
    lost: false,
    leftOut: 0,
    list() {
      listed ??= definitions(client, link).catch((error: unknown) => {
        listed = undefined
        throw error
      })
      return listed
    },
    // The signal is the limit; a second clock here would race it.
    call: (name, args, callSignal) =>
      client.callTool({ name, arguments: args }, { signal: callSignal, timeout: 2_147_483_647 }),
    async close() {
      link.lost = true
      await farewell()
      await client.close()
      await release()
    },
  }
  client.onclose = () => {
    link.lost = true
  }
  try {
    await client.connect(transport, { signal })
    return link
  } catch (error) {
    await link.close().catch(() => {})
    const last = said()
    if (last !== '' && error instanceof Error) error.message = `${error.message} (it said: ${last})`
    throw error
  }
}

async function definitions(client: Client, link: Pick<Link, 'leftOut'>): Promise<readonly Definition[]> {
  const { tools } = await client.listTools(undefined, { timeout: LIST_MS, cacheMode: 'refresh' })
  link.leftOut = Math.max(0, tools.length - MAX_TOOLS)
  return tools.slice(0, MAX_TOOLS).map(definitionOf)
}

function transportOf(server: McpServer, { env, workspace }: Surroundings) {
  if (server.command !== undefined) {
    const named = Object.fromEntries((server.env ?? []).map((name) => [name, variable(env, name)]))
    const transport = new StdioTransport({
      command: server.command,
      args: server.args ?? [],
      cwd: resolve(workspace, server.cwd ?? '.'),
      env: { ...scrubEnv(env), ...named },
    })
    return { transport, farewell: async () => {}, release: async () => {}, said: () => transport.said }
  }
  const headers = Object.entries(server.headers ?? {}).map(([name, value]) => {
    const { scheme = '', name: from = '' } = HEADER_VALUE.exec(value)?.groups ?? {}
    return [name, `${scheme}${variable(env, from)}`]
  })
  const { transport, release } = httpLink(server.url ?? '', Object.fromEntries(headers))
  return {
    transport,
    said: () => '',
    release,
    async farewell() {
      const goodbye = new Promise((done) => setTimeout(done, GOODBYE_MS).unref())
      await Promise.race([transport.terminateSession().catch(() => {}), goodbye])
    },
  }
}

function variable(env: Surroundings['env'], name: string): string {
  const value = env[name]
  if (value !== undefined && value !== '') return value
  throw new WritError('MCP_VARIABLE_MISSING', `the variable ${name} is not set`, {
    hint: `Set ${name}, or take it out of agent.mcp.servers.`,
  })
}
