/** One live connection to a server. Loaded on first use: the client library is large. */
import { resolve } from 'node:path'
import {
  type CallToolResult,
  Client,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  type Progress,
  type RequestMethod,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
} from '@modelcontextprotocol/client'
import { packageVersion } from '../../base/package.ts'
import { present } from '../../base/present.ts'
import { HEADER_VALUE, type McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import { scrubEnv } from '../guard/process.ts'
import { type Definition, definitionOf } from './definition.ts'
import { httpLink } from './http.ts'
import { storedLogin } from './login.ts'
import { StdioTransport } from './stdio.ts'

const version = packageVersion()

/** A server of the older protocol may not answer the newer protocol's first request. */
const PROBE_MS = 5_000
/** Of the time for connecting: the rest is for the older protocol. */
const PROBE_SHARE = 1 / 3
const END_SESSION_MS = 1_000
const MAX_TOOLS = 256

export interface LinkDeps {
  env: Readonly<Record<string, string | undefined>>
  workspace: string
  name: string
  /** The file with the logins of servers. */
  logins?: string | undefined
  /** The time for connecting. */
  ms: number
  host?: Host | undefined
}

/** What a server may ask of the side that called it, and tell it. */
export interface Host {
  /** A change or a log line. */
  onNotice?(server: string, notice: Notice): void
  elicit?(server: string, request: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult>
  /** Asks the model of a client, never ours. */
  sample?(server: string, request: CreateMessageRequest['params']): Promise<CreateMessageResult>
}

export interface Notice {
  method: string
  params?: Record<string, unknown> | undefined
}

export interface CallOptions {
  signal: AbortSignal
  onProgress?: ((progress: Progress) => void) | undefined
}

/** A server beside its tools: resources, prompts and what it says about itself. */
export interface Peer {
  capabilities: ServerCapabilities
  instructions: string | undefined
  request(
    method: RequestMethod,
    params: Record<string, unknown> | undefined,
    how: CallOptions,
  ): Promise<Record<string, unknown>>
}

export interface Link {
  lost: boolean
  /** Tools beyond the limit per server. */
  leftOut: number
  /** Concurrent callers share one request; cached until the server reports a change. */
  list(): Promise<readonly Definition[]>
  call(tool: string, args: Record<string, unknown>, how: CallOptions): Promise<CallToolResult>
  readonly peer: Peer
  close(): Promise<void>
}

export async function openLink(server: McpServer, deps: LinkDeps, signal: AbortSignal): Promise<Link> {
  try {
    return await connect(server, deps, { signal, mode: 'auto' })
  } catch (error) {
    // Some programs of the older protocol exit on the newer one's request: start again with the older one.
    if (!SdkError.isInstance(error) || error.code !== SdkErrorCode.EraNegotiationFailed) throw error
    return await connect(server, deps, { signal, mode: 'legacy' })
  }
}

async function connect(
  server: McpServer,
  deps: LinkDeps,
  { signal, mode }: { signal: AbortSignal; mode: 'auto' | 'legacy' },
): Promise<Link> {
  let listed: Promise<readonly Definition[]> | undefined
  const { host, name } = deps
  const onNotice = (notice: Notice) => host?.onNotice?.(name, notice)
  // A server cannot make requests to the model or the files, and to a person only where there is one.
  const client = new Client(
    { name: 'writ', version },
    {
      capabilities: {
        ...(host?.elicit && { elicitation: { form: {} } }),
        ...(host?.sample && { sampling: {} }),
      },
      versionNegotiation: { mode, probe: { timeoutMs: Math.min(PROBE_MS, Math.ceil(deps.ms * PROBE_SHARE)) } },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            listed = undefined
            onNotice({ method: 'notifications/tools/list_changed' })
          },
        },
        ...(host?.onNotice && {
          resources: told('notifications/resources/list_changed', onNotice),
          prompts: told('notifications/prompts/list_changed', onNotice),
        }),
      },
    },
  )
  const { elicit, sample } = host ?? {}
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }, ctx) => elicit(name, params, ctx.mcpReq.signal))
  }
  if (sample !== undefined) client.setRequestHandler('sampling/createMessage', ({ params }) => sample(name, params))
  for (const method of TOLD) client.setNotificationHandler(method, ({ params }) => onNotice({ method, params }))
  const { transport, endSession, release, lastStderr } = await transportOf(server, deps)
  const link: Link = {
    lost: false,
    leftOut: 0,
    list() {
      listed ??= definitions(client, link, deps.ms).catch((error: unknown) => {
        listed = undefined
        throw error
      })
      return listed
    },
    call: (tool, args, how) => client.callTool({ name: tool, arguments: args }, withoutLimit(how)),
    peer: {
      get capabilities() {
        return client.getServerCapabilities() ?? {}
      },
      get instructions() {
        return client.getInstructions()
      },
      request: (method, params, how) =>
        client.request({ method, ...present({ params }) }, withoutLimit(how)) as Promise<Record<string, unknown>>,
    },
    async close() {
      link.lost = true
      await endSession()
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
    const last = lastStderr()
    if (last !== '' && error instanceof Error) error.message = `${error.message} (stderr: ${last})`
    throw error
  }
}

const TOLD = ['notifications/resources/updated', 'notifications/message'] as const

function told(method: string, onNotice: (notice: Notice) => void) {
  return { autoRefresh: false, debounceMs: 0, onChanged: () => onNotice({ method }) } as const
}

/** The signal is the time limit; a second timer would race with it. */
function withoutLimit({ signal, onProgress }: CallOptions) {
  return { signal, timeout: 2_147_483_647, ...present({ onprogress: onProgress }) }
}

async function definitions(
  client: Client,
  link: Pick<Link, 'leftOut'>,
  timeout: number,
): Promise<readonly Definition[]> {
  const { tools } = await client.listTools(undefined, { timeout, cacheMode: 'refresh' })
  link.leftOut = Math.max(0, tools.length - MAX_TOOLS)
  return tools.slice(0, MAX_TOOLS).map(definitionOf)
}

async function transportOf(server: McpServer, { env, workspace, name, logins }: Omit<LinkDeps, 'ms'>) {
  if (server.command !== undefined) {
    const named = Object.fromEntries((server.env ?? []).map((name) => [name, variable(env, name)]))
    const transport = new StdioTransport({
      command: server.command,
      args: server.args ?? [],
      cwd: resolve(workspace, server.cwd ?? '.'),
      env: { ...scrubEnv(env), ...named },
    })
    return { transport, endSession: async () => {}, release: async () => {}, lastStderr: () => transport.lastStderr }
  }
  const headers = Object.entries(server.headers ?? {}).map(([name, value]) => {
    const { scheme = '', name: from = '' } = HEADER_VALUE.exec(value)?.groups ?? {}
    return [name, `${scheme}${variable(env, from)}`]
  })
  const { url = '' } = server
  const isOwn = headers.some(([header = '']) => /^authorization$/i.test(header))
  const login = logins === undefined || isOwn ? undefined : await storedLogin(logins, name, url)
  const { transport, release } = httpLink(url, Object.fromEntries(headers), login)
  return {
    transport,
    lastStderr: () => '',
    release,
    async endSession() {
      const timeout = new Promise((done) => setTimeout(done, END_SESSION_MS).unref())
      await Promise.race([transport.terminateSession().catch(() => {}), timeout])
    },
  }
}

function variable(env: LinkDeps['env'], name: string): string {
  const value = env[name]
  if (value !== undefined && value !== '') return value
  throw new WritError('MCP_VARIABLE_MISSING', { name })
}
