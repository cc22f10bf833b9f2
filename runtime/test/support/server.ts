/** A real server on loopback with a scripted model, for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentOptions } from '../../src/assembly/agent.ts'
import type { Completion, Model, ModelRequest, RawCall } from '../../src/model/model.ts'
import { type Client, createClient, type Frame } from '../../src/server/client.ts'
import { contract, type RouteKey } from '../../src/server/contract/contract.ts'
import type { Endpoint } from '../../src/server/contract/route.ts'
import { type Serving, startServer } from '../../src/server/listen.ts'

export interface TestServer extends Serving {
  api: Client
  token: string
  /** Lines of its log. */
  log: Record<string, unknown>[]
  /** A plain request with the first token, or with another authorization. */
  request(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>
  as(token: string): Client
}

export interface TestPlace {
  /** The home folder of its servers' user. */
  home: string
  workspace: string
  data: string
  start(
    options?: Partial<AgentOptions> & {
      token?: string
      drainMs?: number
      arrivalMs?: number
      consoleFolder?: string
      docsFolder?: string
    },
  ): Promise<TestServer>
  /** Stops all servers and removes the folder. */
  remove(): Promise<void>
}

export function makeServerPlace(): TestPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-server-')))
  const workspace = join(root, 'workspace')
  const data = join(root, 'data')
  const serving = new Set<Serving>()
  mkdirSync(workspace)
  return {
    home: root,
    workspace,
    data,
    async start({ token, drainMs = 200, arrivalMs, consoleFolder, docsFolder, ...agent } = {}) {
      const log: Record<string, unknown>[] = []
      const env = { HOME: root, PATH: process.env.PATH }
      const server = await startServer({
        agent: { workspace, data, env, config: {}, lang: 'en', model: 'rules', ...agent },
        port: 0,
        write: (line) => log.push(JSON.parse(line)),
        json: true,
        drainMs,
        ...(arrivalMs === undefined ? {} : { arrivalMs }),
        ...(consoleFolder === undefined ? {} : { consoleFolder }),
        ...(docsFolder === undefined ? {} : { docsFolder }),
      })
      serving.add(server)
      const secret = token ?? server.firstToken ?? ''
      const as = (bearer: string) => checked(createClient({ base: server.url, token: () => bearer }))
      return {
        ...server,
        async stop(rest) {
          serving.delete(server)
          await server.stop(rest)
        },
        api: as(secret),
        token: secret,
        log,
        as,
        request: (path, { token: bearer = secret, ...init } = {}) =>
          fetch(`${server.url}${path}`, {
            ...init,
            headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...init.headers },
          }),
      }
    },
    async remove() {
      await Promise.all([...serving].map((each) => each.stop()))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Checks every response against the contract. */
function checked(client: Client): Client {
  return {
    ...client,
    async call(key, input) {
      const answer = await client.call(key, input)
      const endpoint: Endpoint = contract[key as RouteKey]
      endpoint.returns.parse(answer)
      return answer
    },
  }
}

export async function framesIn(stream: AsyncIterable<Frame>): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const each of stream) frames.push(each)
  return frames
}

/** Reads until a frame of this type arrives. */
export async function readUntil(stream: AsyncGenerator<Frame>, event: string): Promise<Frame[]> {
  const frames: Frame[] = []
  for (;;) {
    const next = await stream.next()
    if (next.done) throw new Error(`the stream ended before ${event}: ${frames.map((each) => each.event).join(' ')}`)
    frames.push(next.value)
    if (next.value.event === event) return frames
  }
}

export type Part = string | { calls: RawCall[] } | Promise<unknown>

/** Sends these parts step by step; waits for promises among them. */
export function speaking(steps: readonly (readonly Part[])[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  let n = 0
  return {
    id: 'test/spoken',
    route: 'CloudLlm',
    reasoning: 'clear',
    requests,
    async *ask(request, signal): AsyncGenerator<string, Completion> {
      const usage = { inputTokens: 3, outputTokens: 2 }
      if (request.purpose !== 'main') return { text: '{"direct":true}', calls: [], usage, truncated: false }
      requests.push({ ...request, messages: [...request.messages] })
      let text = ''
      let calls: RawCall[] = []
      for (const part of steps[n++] ?? ['done']) {
        if (part instanceof Promise) {
          const { promise, reject } = Promise.withResolvers<never>()
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          signal.throwIfAborted()
          await Promise.race([part, promise])
        } else if (typeof part === 'string') {
          text += part
          yield part
        } else calls = part.calls
      }
      return { text, calls, usage, truncated: false }
    },
  }
}

let calls = 0
export function call(tool: string, args: unknown): RawCall {
  return { id: `c${++calls}`, tool, args }
}
