/** MCP servers for tests: our plain one, whose tools a test can rewrite, and the published ones. */

import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configFile, type McpServer } from '../../src/config/schema.ts'
import { type Mcp, type McpDeps, openMcp } from '../../src/tool/mcp/open.ts'
import type { Tool, ToolOutput, World } from '../../src/tool/tool.ts'
import { callIn } from './call.ts'

const PLAIN = fileURLToPath(new URL('./mcp-server.ts', import.meta.url))
const load = createRequire(import.meta.url)

/** The program of a published server. */
export function published(name: 'everything' | 'filesystem'): string {
  return join(dirname(load.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js')
}

export interface WireTool {
  name: string
  description?: string
  inputSchema?: object
  annotations?: object
}

export interface Bench {
  folder: string
  store: string
  world: World
  /** Configuration of the plain server with these tools. */
  plain(tools: readonly WireTool[], more?: object): object
  rewrite(tools: readonly WireTool[]): void
  open(
    servers: Record<string, object>,
    more?: Partial<Pick<McpDeps, 'env' | 'lang' | 'onConnecting' | 'logins' | 'host'>>,
  ): Promise<Mcp>
  remembered(server: string): string
  remove(): Promise<void>
}

export function makeBench(): Bench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-mcp-')))
  const definitions = join(folder, 'tools.json')
  const store = join(folder, 'data/mcp')
  const open: Mcp[] = []
  const rewrite = (tools: readonly WireTool[]) => {
    const wire = tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }))
    writeFileSync(definitions, JSON.stringify(wire))
  }
  return {
    folder,
    store,
    world: {
      workspace: folder,
      protectedPaths: [join(folder, 'data')],
      data: join(folder, 'data'),
      blockedPaths: [],
      allowedHosts: [],
      env: {},
      sandbox: 'off',
    },
    plain(tools, more = {}) {
      rewrite(tools)
      return { command: process.execPath, args: [PLAIN, definitions], ...more }
    },
    rewrite,
    async open(servers, { env = {}, lang = 'en', ...more } = {}) {
      const deps = { env, lang, clock: { now: () => 0 }, workspace: folder, storePath: store, ...more }
      const mcp = await openMcp(parsed(servers), deps)
      open.push(mcp)
      return mcp
    },
    remembered: (server) => readFileSync(join(store, `${server}.json`), 'utf8'),
    async remove() {
      await Promise.all(open.map((mcp) => mcp.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function parsed(servers: Record<string, object>): Record<string, McpServer> {
  return configFile.parse({ agent: { mcp: { servers } } }).agent.mcp.servers
}

export function toolOf(mcp: Mcp, name: string): Tool {
  const tool = mcp.tools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`${name} is not offered: ${mcp.tools.map((one) => one.name).join(', ')}`)
  return tool
}

export function run(
  tool: Tool,
  args: object,
  { world, signal = new AbortController().signal }: { world: World; signal?: AbortSignal },
): Promise<ToolOutput> {
  return tool.execute(args, callIn(world, { signal }))
}
