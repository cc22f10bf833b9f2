/** Compares the accepted tools of one server with its current ones. */
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Clock } from '../../base/clock.ts'
import { fingerprint } from '../../base/hash.ts'
import type { McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import { type ConnectionState, openConnection } from './connection.ts'
import { type Definition, display, markOf } from './definition.ts'
import { isChanged, type Known, mergeDefinitions, readKnown, writeKnown } from './known-tools.ts'
import type { CallOptions, Host, Peer } from './link.ts'
import { mcpTexts } from './texts.ts'

export interface WatchDeps {
  env: Readonly<Record<string, string | undefined>>
  lang: Lang
  clock: Clock
  workspace: string
  /** Folder for the known tools of each server; undefined: nothing is stored. */
  storePath: string | undefined
  /** The file with the logins of servers. */
  logins?: string | undefined
  /** Answers the servers, where there is someone to ask or tell. */
  host?: Host | undefined
}

export interface Change {
  /** Hash of the new definition. */
  mark: string
  preview: string
}

export interface Checked {
  change: Change | undefined
  /** Reaches the server instance that was checked, or fails. */
  call(args: Record<string, unknown>, how: CallOptions): Promise<CallToolResult>
}

export interface Watch {
  known(): Known
  /** Connects if needed, so the answer is current. */
  check(tool: string, signal?: AbortSignal): Promise<Checked>
  /** Connects if needed, and compares all tools. */
  connect(signal: AbortSignal): Promise<void>
  /** Connects if needed. */
  peer(signal?: AbortSignal): Promise<Peer>
  state(): ConnectionState
  close(): Promise<void>
}

/** Uses the stored tools if there are any, and connects only if there are none. */
export async function openWatch(name: string, server: McpServer, deps: WatchDeps): Promise<Watch> {
  const texts = mcpTexts(deps.lang)
  const file = deps.storePath === undefined ? undefined : join(deps.storePath, `${name}.json`)
  const { command, args, cwd, url } = server
  const origin = fingerprint([command, args, cwd, url])
  const before = file === undefined ? undefined : await readKnown(file)
  const connection = openConnection(name, server, deps)
  let known = before?.origin === origin ? before : undefined
  let lastListed: readonly Definition[] | undefined

  async function refresh(definitions: readonly Definition[]): Promise<Known> {
    if (known !== undefined && definitions === lastListed) return known
    lastListed = definitions
    known = mergeDefinitions(known, definitions, { origin, now: deps.clock.now() })
    if (file !== undefined) await writeKnown(file, known)
    return known
  }

  let initial: Known
  try {
    initial = known ?? (await refresh((await connection.session()).definitions))
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    known: () => known ?? initial,
    async check(tool, signal) {
      const session = await connection.session(signal)
      const entry = (await refresh(session.definitions)).tools[tool]
      if (entry === undefined || entry.seen === null) {
        throw new WritError('MCP_TOOL_GONE', { server: name, tool })
      }
      const call: Checked['call'] = (args, how) => session.call(tool, args, how)
      if (!isChanged(entry)) return { change: undefined, call }
      const { accepted, seen } = entry
      const at = { server: name, tool }
      const what =
        accepted === null ? [texts.isNew(at), display(seen)] : [texts.changed(at), await difference(accepted, seen)]
      const preview = [...what, texts.accept({ file })].join('\n')
      return { change: { mark: markOf(seen), preview }, call }
    },
    async connect(signal) {
      await refresh((await connection.session(signal)).definitions)
    },
    peer: connection.peer,
    state: connection.state,
    close: connection.close,
  }
}

async function difference(accepted: Definition, seen: Definition): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  return createTwoFilesPatch(accepted.name, seen.name, display(accepted), display(seen), '', '', { context: 2 })
}
