/** `writ mcp …`: the configured MCP servers. */
import { join } from 'node:path'
import { styleText } from 'node:util'
import { loadWorkspace, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { openServers } from '../../assembly/toolbox.ts'
import { loginsFile } from '../../config/mcp-logins.ts'
import type { McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { readKnown } from '../../tool/mcp/known-tools.ts'
import type { McpStatus } from '../../tool/mcp/open.ts'
import { hasJournal } from '../data.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { mcpTexts } from '../mcp-texts.ts'
import { connectingLine } from '../progress.ts'
import { textTable } from '../table.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const CANCELLED = 130

interface Listed {
  server: string
  enabled: boolean
  /** The program with its arguments, or the address. */
  at: string
  /** Tools of the last contact; null: never contacted. */
  tools: number | null
}

/** Contacts no server. */
export async function mcpList(given: Given, io: Io): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  const texts = mcpTexts(context.loaded.lang)
  const servers = await Promise.all(
    Object.entries(context.loaded.config.mcp.servers).map(([name, server]) => listed(name, server, context.data)),
  )
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ servers })}\n`)
  else if (servers.length === 0) io.stdout(`${texts.none}\n`)
  else {
    const { server, state, tools, at } = texts.columns
    const rows = servers.map((one) => [
      oneLine(one.server),
      one.enabled ? texts.on : texts.off,
      one.tools === null ? texts.neverContacted : String(one.tools),
      oneLine(one.at),
    ])
    io.stdout(`${textTable([[server, state, tools, at], ...rows])}\n`)
  }
  return 0
}

async function listed(name: string, server: McpServer, data: string | undefined): Promise<Listed> {
  const { command, args = [], url = '', enabled } = server
  // An unreadable file is reported by `mcp check`, which needs its contents.
  const known =
    data === undefined ? undefined : await readKnown(join(data, 'mcp', `${name}.json`)).catch(() => undefined)
  const tools = known === undefined ? null : Object.values(known.tools).filter(({ seen }) => seen !== null).length
  return { server: name, enabled, at: command === undefined ? url : [command, ...args].join(' '), tools }
}

export async function mcpCheck(given: Given, io: Io): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  const texts = mcpTexts(context.loaded.lang)
  const statuses = await checkServers(context, { names: given.words, signal: given.signal, io })
  if (given.switches.has('json')) io.stdout(`${JSON.stringify({ servers: statuses })}\n`)
  else if (statuses.length === 0) io.stdout(`${texts.none}\n`)
  else for (const status of statuses) io.stdout(`${lineOf(status, context)}\n`)
  return statuses.every(({ state }) => state === 'connected') ? 0 : 1
}

function lineOf({ server, state, tools, descriptions, notes }: McpStatus, { loaded }: WorkspaceContext): string {
  const texts = mcpTexts(loaded.lang)
  const works = state === 'connected'
  const word = styleText(works ? 'green' : 'red', works ? texts.works : texts.fails, { stream: process.stdout })
  const named = tools.map((tool) => `    ${oneLine(tool)}  ${oneLine(descriptions[tool] ?? '')}`.trimEnd())
  const found = works ? [`  ${texts.tools({ n: tools.length })}`, ...named] : []
  return [`${word}  ${oneLine(server)}`, ...found, ...notes.map((note) => `  ${oneLine(note)}`)].join('\n')
}

/** Connects to the enabled servers, all or those named. Creates no data folder. */
export async function checkServers(
  context: WorkspaceContext,
  { names = [], signal, io }: { names?: readonly string[]; signal: AbortSignal; io: Io },
): Promise<McpStatus[]> {
  const { servers } = context.loaded.config.mcp
  const unknown = names.find((name) => !Object.hasOwn(servers, name))
  if (unknown !== undefined) throw new WritError('MCP_UNKNOWN', { server: unknown, known: Object.keys(servers) })
  if (Object.keys(servers).length === 0) return []
  const data = hasJournal(context) ? context.data : undefined
  const chosen = Object.entries(servers).filter(([name]) => names.length === 0 || names.includes(name))
  const mcp = await openServers(
    { ...context, data },
    { servers: Object.fromEntries(chosen), onConnecting: connectingLine(io) },
  )
  try {
    await mcp?.connect(signal)
    return mcp?.status() ?? []
  } finally {
    await mcp?.close()
  }
}

/** Shows an address to open in a browser, and waits for the browser to come back. */
export async function mcpLogin(given: Given, io: Io): Promise<number> {
  const { loaded, configHome } = await loadWorkspace(workspaceFlags(given, io))
  const { servers } = loaded.config.mcp
  const [server = ''] = given.words
  const found = Object.hasOwn(servers, server) ? servers[server] : undefined
  if (found === undefined) throw new WritError('MCP_UNKNOWN', { server, known: Object.keys(servers) })
  if (found.url === undefined) throw new WritError('MCP_LOGIN_PROGRAM', { server })
  const texts = mcpTexts(loaded.lang)
  const { signIn } = await import('../../tool/mcp/login.ts')
  const file = loginsFile(configHome)
  const onAddress = ({ href }: URL) => io.stderr(`${texts.signIn({ server })}\n${visible(href)}\n`)
  const { signal } = given
  let isSignedIn: boolean
  try {
    isSignedIn = await signIn({
      server,
      url: found.url,
      file,
      onAddress,
      page: texts.signedInPage,
      timeoutMs: found.timeoutMs,
      signal,
    })
  } catch (error) {
    if (signal.aborted) return CANCELLED
    throw error
  }
  io.stdout(`${isSignedIn ? texts.signedIn({ server, file }) : texts.noSignIn({ server })}\n`)
  return 0
}
