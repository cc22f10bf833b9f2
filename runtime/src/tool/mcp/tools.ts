/** A server's tool as a Writ tool: external, judged by the gate, and never changed without an approval. */
import { isAbsolute, resolve } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { fingerprint } from '../../base/hash.ts'
import { clip } from '../../base/text.ts'
import type { McpServer } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { PathFact, TargetFact } from '../../protocol/facts.ts'
import { unsandboxed } from '../guard/boundary.ts'
import { describePath, isWithin } from '../guard/paths.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput, type World } from '../tool.ts'
import type { Askers } from './askers.ts'
import { type Definition, definitionHash } from './definition.ts'
import type { CallOptions } from './link.ts'
import { outputOf } from './result.ts'
import { aloneIn } from './server-text.ts'
import { ELSEWHERE, localPath, traitsOf } from './traits.ts'
import type { Watch } from './watch.ts'

type Args = Record<string, unknown>

export interface Offer {
  /** The name for the model. */
  name: string
  /** As accepted: a changed definition never reaches the model. */
  definition: Definition
  server: string
  config: McpServer
  watch: Watch
  askers: Askers
}

const MAX_PREVIEW = 8_000
/** So much of each argument is shown, however many there are. */
const MIN_ARGUMENT = 80
const IDENTITY_CHARS = 24
const HEAD_CHARS = 200
const MOST_KEPT = 16

export type Untimed = NonNullable<ToolContext['untimed']>

/** For a call that is made for a client, which gets the result as the server gave it. */
export interface Relay extends Pick<CallOptions, 'onProgress'> {
  signal: AbortSignal
  /** The call begins: from now on its server may ask the client, outside the time limit. Returns how that ends. */
  enter(untimed: Untimed): () => void
  /** Returns every text of the result, for inspection. */
  read(result: CallToolResult): string
}

export function mcpTool({ name, definition, server, config, watch, askers }: Offer, relay?: Relay): Tool<Args> {
  const declared = Object.hasOwn(config.declare, definition.name) ? config.declare[definition.name] : undefined
  const traits = traitsOf(name, definition, declared)
  /** Changed tools that were shown for approval: the hash of the arguments, and of the definition that was shown. */
  const shown = new Map<string, string>()
  // Without the server's identity, an "always" would also cover another program configured under the same name.
  const identity = fingerprint([watch.known().origin, definitionHash(definition)]).slice(0, IDENTITY_CHARS)
  const usesFiles = config.command !== undefined && !ELSEWHERE.has(traits.family)

  /** Of the latest results: several calls can run at once. */
  const kept: { mark: string; head: string; alone: readonly string[] }[] = []

  async function attempt(args: Args, signal: AbortSignal): Promise<ToolOutput> {
    const { change, call } = await watch.check(definition.name, signal)
    if (change !== undefined && shown.get(fingerprint(args)) !== change.mark) {
      throw new WritError('MCP_TOOL_CHANGED', { server, tool: definition.name })
    }
    if (relay === undefined) {
      const result = await call(args, { signal })
      const output = outputOf(result)
      const text = output.ok ? output.text : output.error
      kept.unshift({ mark: fingerprint(text), head: text.slice(0, HEAD_CHARS), alone: aloneIn('', result) })
      kept.length = Math.min(kept.length, MOST_KEPT)
      return output
    }
    const { onProgress } = relay
    const result = await call(args, { signal: AbortSignal.any([signal, relay.signal]), onProgress })
    const text = relay.read(result)
    return result.isError === true ? { ok: false, error: text } : { ok: true, text }
  }

  const tool = defineTool<Args>({
    name,
    description: definition.description === '' ? `${definition.name} (MCP server ${server})` : definition.description,
    schema: definition.schema,
    family: traits.family,
    risk: traits.risk,
    trust: config.trust,
    readOnly: traits.readOnly,
    idempotent: definition.annotations.idempotentHint === true && traits.readOnly,
    callMs: config.timeoutMs,
    callSetting: `agent.mcp.servers.${server}.timeoutMs`,

    async preValidate(args, world) {
      const targets = traits.targets(args)
      const paths = usesFiles ? await pathsOf(targets, { config, world, readOnly: traits.readOnly }) : []
      const call = previewOf(`${definition.name} @ ${server}`, args)
      const facts = {
        targets,
        deed: traits.deedOf(args),
        approvalKeys: [identity],
        ...(paths.length === 0 ? {} : { paths }),
      }
      // A server that is down is reported when the call runs.
      const { change } = await watch.check(definition.name).catch(() => ({ change: undefined }))
      if (change === undefined) return { ...facts, preview: call }
      shown.set(fingerprint(args), change.mark)
      return { ...facts, risk: 'High', readOnly: false, preview: `${clip(change.preview, MAX_PREVIEW)}\n\n${call}` }
    },

    async execute(args, { signal, world, elicit, untimed = (work) => work() }): Promise<ToolOutput> {
      const leaves = [askers.enter(server, elicit), relay?.enter(untimed)]
      // A local program could write to the agent's own files.
      const call = () =>
        config.command === undefined ? attempt(args, signal) : unsandboxed(world, () => attempt(args, signal))
      try {
        return await call()
      } catch (error) {
        // The server has certainly not acted. The retry checks the tool again first.
        if (!(error instanceof WritError) || error.code !== 'MCP_STALE') throw error
        return await call()
      } finally {
        shown.delete(fingerprint(args))
        for (const leave of leaves) leave?.()
      }
    },
  })
  return {
    ...tool,
    alone(shown) {
      const exact = kept.find(({ mark }) => mark === fingerprint(shown))
      // Cut, it is known by its beginning alone.
      const own = exact === undefined ? kept.filter(({ head }) => shown.startsWith(head)) : [exact]
      return own.length === 0 ? aloneIn(shown, undefined) : own.flatMap(({ alone }) => alone)
    },
  }
}

/** Every argument is in it: long ones are cut, each with a mark. */
function previewOf(head: string, args: Args): string {
  const whole = `${head}\n${JSON.stringify(args, null, 2)}`
  if (whole.length <= MAX_PREVIEW) return whole
  const entries = Object.entries(args)
  const each = Math.max(Math.floor(MAX_PREVIEW / entries.length), MIN_ARGUMENT)
  const lines = entries.map(([name, value]) => {
    const text = (JSON.stringify(value, null, 2) ?? '').replaceAll('\n', '\n  ')
    return `  ${clip(JSON.stringify(name), MIN_ARGUMENT)}: ${clip(text, each)}`
  })
  return clip(`${head}\n{\n${lines.join(',\n')}\n}`, 2 * MAX_PREVIEW)
}

/**
 * Local files that a program would touch. Absolute folders in its configured arguments count as opened by the user,
 * like the workspace; blocked and protected paths in them stay closed.
 */
export async function pathsOf(
  targets: readonly TargetFact[],
  { config, world, readOnly }: { config: McpServer; world: World; readOnly: boolean },
): Promise<PathFact[]> {
  const from = resolve(world.workspace, config.cwd ?? '.')
  const opened = await Promise.all(
    (config.args ?? [])
      .filter(isAbsolute)
      .map(async (path) => (await describePath({ path, access: 'read' }, world)).real),
  )
  const paths = targets.flatMap(localPath)
  return Promise.all(
    paths.map(async (path) => {
      const home = path.replace(/^~(?=\/|$)/, world.env.HOME ?? '~')
      const fact = await describePath({ path: home, access: readOnly ? 'read' : 'write', from }, world)
      const inside = fact.insideWorkspace || opened.some((folder) => folder !== '/' && isWithin(fact.real, folder))
      return { ...fact, path, insideWorkspace: inside }
    }),
  )
}
