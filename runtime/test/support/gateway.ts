/** The gateway with a client of the official library, in this process: its own folders, servers and policy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { type GuardAgents, openGuardAgents } from '../../src/assembly/guard-agents.ts'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/id.ts'
import { serveOverHttp } from '../../src/gateway/http.ts'
import type { GatewayOptions } from '../../src/gateway/session.ts'
import { serveOverStdio } from '../../src/gateway/stdio.ts'
import type { Event } from '../../src/index.ts'
import { type Keyring, openKeyring } from '../../src/server/tokens.ts'
import { tokenArchive } from '../../src/storage/token-archive.ts'
import { published, type WireTool } from './mcp.ts'
import { makeOutsidePlace, type OutsidePlace } from './outside-place.ts'

const PLAIN = fileURLToPath(new URL('./mcp-server.ts', import.meta.url))

/** Everything a user of these tests allows. */
export const OPEN = { autonomy: 'Full', allowedCommands: ['*'] } as const

export interface Served {
  url: string
  keyring: Keyring
  stop(): Promise<void>
  connect(token: string, client?: ClientOptions): Promise<Client>
}

export interface GatewayPlace extends OutsidePlace {
  warnings: string[]
  /** Configuration of the plain server with these tools. */
  plain(tools: readonly WireTool[]): object
  rewrite(tools: readonly WireTool[]): void
  everything: object
  configure(servers: Record<string, object>, security?: object | string, more?: object): void
  options(own?: Partial<GatewayOptions>): GatewayOptions
  connect(own?: Partial<GatewayOptions>, client?: ClientOptions, name?: string): Promise<Client>
  serve(own?: Partial<GatewayOptions>): Promise<Served>
  /** The gateway ends, and starts with the next client. */
  restart(): Promise<void>
  of<T extends Event['type']>(type: T): Extract<Event, { type: T }>['data'][]
  remove(): Promise<void>
}

export function makeGatewayPlace(): GatewayPlace {
  const place = makeOutsidePlace('gateway')
  const { root, project, data, env, events, onAppend } = place
  const definitions = join(root, 'tools.json')
  const config = join(root, 'config.json')
  const warnings: string[] = []
  const stops: (() => Promise<unknown>)[] = []
  let agents: GuardAgents | undefined
  const rewrite = (tools: readonly WireTool[]) =>
    writeFileSync(definitions, JSON.stringify(tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }))))
  const options: GatewayPlace['options'] = (own) => {
    agents ??= openGuardAgents({ data, env, config, lang: 'en', onAppend, onlyTightens: true })
    const warn = (line: string) => void warnings.push(line)
    return { agents, config, cwd: project, lang: 'en', servers: [], own: false, task: '', warn, ...own }
  }
  return {
    ...place,
    warnings,
    plain(tools) {
      rewrite(tools)
      return { command: process.execPath, args: [PLAIN, definitions] }
    },
    rewrite,
    everything: { command: process.execPath, args: [published('everything'), 'stdio'] },
    configure(servers, security = OPEN, more = {}) {
      writeFileSync(config, JSON.stringify({ agent: { security, mcp: { servers }, ...more } }))
    },
    options,
    async connect(own, clientOptions, name = 'tester') {
      const [there, back] = [new PassThrough(), new PassThrough()]
      const leaving = new AbortController()
      const serving = serveOverStdio(options(own), { input: there, output: back, signal: leaving.signal })
      const client = new Client({ name, version: '1' }, clientOptions)
      stops.push(async () => {
        await client.close()
        leaving.abort()
        await serving
      })
      await client.connect(new StdioServerTransport(back, there))
      return client
    },
    async serve(own) {
      const made = options(own)
      const { db } = await made.agents.agentIn(project)
      const keyring = openKeyring({ archive: tokenArchive(db), clock: systemClock, newId: randomIds })
      const http = { host: '127.0.0.1', port: 0, allowedHosts: [], keyring, log: () => {}, lang: 'en' } as const
      const { url, stop } = await serveOverHttp(made, http)
      stops.push(stop)
      return {
        url,
        keyring,
        stop,
        async connect(token, clientOptions) {
          const client = new Client({ name: 'tester', version: '1' }, clientOptions)
          stops.push(() => client.close())
          const requestInit = { headers: { Authorization: `Bearer ${token}` } }
          await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
          return client
        },
      }
    },
    async restart() {
      for (const stop of stops.splice(0).toReversed()) await stop()
      agents?.shut()
      await agents?.close()
      agents = undefined
    },
    of: (type) => events.filter((event) => event.type === type).map((event) => event.data) as never,
    async remove() {
      await this.restart()
      place.removeFolders()
    },
  }
}

export function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  return client.callTool({ name, arguments: args })
}

export function textOf(result: { content: unknown }): string {
  return (result.content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
