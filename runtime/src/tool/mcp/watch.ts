/** Watches one server: what its tools were accepted as, and whether they still are. */
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Clock } from '../../base/clock.ts'
import { WritError } from '../../base/errors.ts'
import { fingerprint } from '../../base/hash.ts'
import type { McpServer } from '../../config/schema.ts'
import type { Lang } from '../../i18n/locale.ts'
import { type ConnectionState, openConnection } from './connection.ts'
import { type Definition, display, markOf } from './definition.ts'
import { isChanged, type Known, meet, recall, remember } from './known-tools.ts'
import { mcpTexts } from './texts.ts'

export interface WatchDeps {
  env: Readonly<Record<string, string | undefined>>
  lang: Lang
  clock: Clock
  workspace: string
  /** Folder for what is known of each server; undefined: nothing is remembered. */
  storePath: string | undefined
}

export interface Change {
  /** Of the new definition. */
  mark: string
  preview: string
}

export interface Checked {
  change: Change | undefined
  /** Reaches the very server that was checked, or nobody. */
  call(args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>
}

export interface Watch {
  known(): Known
  /** Connects if need be, so that the answer is the server's own and of now. */
  check(tool: string, signal?: AbortSignal): Promise<Checked>
  state(): ConnectionState
  close(): Promise<void>
}

/** Knows the tools at once where they were met before, and connects only where they were not. */
export async function openWatch(name: string, server: McpServer, deps: WatchDeps): Promise<Watch> {
  const texts = mcpTexts(deps.lang)
  const file = deps.storePath === undefined ? undefined : join(deps.storePath, `${name}.json`)
  const { command, args, cwd, url } = server
  const origin = fingerprint([command, args, cwd, url])
  const before = file === undefined ? undefined : await recall(file)
  const connection = openConnection(name, server, deps)
  let known = before?.origin === origin ? before : undefined
  let heard: readonly Definition[] | undefined

  async function refresh(definitions: readonly Definition[]): Promise<Known> {
    if (known !== undefined && definitions === heard) return known
    heard = definitions
    known = meet(known, definitions, { origin, now: deps.clock.now() })
    if (file !== undefined) await remember(file, known)
    return known
  }

  let first: Known
  try {
    first = known ?? (await refresh((await connection.session()).definitions))
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    known: () => known ?? first,
    async check(tool, signal) {
      const session = await connection.session(signal)
      const entry = (await refresh(session.definitions)).tools[tool]
      if (entry === undefined || entry.seen === null) {
        throw new WritError('MCP_TOOL_GONE', texts.gone({ server: name, tool }))
      }
      const call: Checked['call'] = (args, callSignal) => session.call(tool, args, callSignal)
      if (!isChanged(entry)) return { change: undefined, call }
      const { accepted, seen } = entry
      const at = { server: name, tool }
      const what =
        accepted === null ? [texts.isNew(at), display(seen)] : [texts.changed(at), await difference(accepted, seen)]
      const preview = [...what, texts.accept({ file })].join('\n')
      return { change: { mark: markOf(seen), preview }, call }
    },
    state: connection.state,
    close: connection.close,
  }
}

async function difference(accepted: Definition, seen: Definition): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  return createTwoFilesPatch(accepted.name, seen.name, display(accepted), display(seen), '', '', { context: 2 })
}
