/** Reading a resource or a prompt of a server, as a call that the gate judges and the journal records. */
import type { JsonObject } from '../../base/json.ts'
import { clipPreview } from '../../protocol/preview.ts'
import { unsandboxed } from '../guard/boundary.ts'
import { defineTool, type Tool } from '../tool.ts'
import { offeredName } from './name.ts'
import type { OpenServer } from './open.ts'
import { pathsOf, type Relay } from './tools.ts'

export type ReadMethod = 'resources/read' | 'prompts/get'

/** As `Relay` of a tool. */
export interface ReadRelay extends Pick<Relay, 'onProgress' | 'signal' | 'enter'> {
  read(result: Record<string, unknown>): string
}

const MAX_PREVIEW = 8_000

const SCHEMAS: Readonly<Record<ReadMethod, JsonObject>> = {
  'resources/read': { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
  'prompts/get': {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object', additionalProperties: { type: 'string' } } },
    required: ['name'],
  },
}

export function readTool({ name, config, watch }: OpenServer, method: ReadMethod, relay: ReadRelay): Tool<JsonObject> {
  return defineTool<JsonObject>({
    // With a slash in it, no tool of the server can have this name.
    name: offeredName(name, method, new Set()),
    description: `${method} (MCP server ${name})`,
    schema: SCHEMAS[method],
    family: 'task',
    readOnly: true,
    trust: config.trust,
    callMs: config.timeoutMs,
    callSetting: `agent.mcp.servers.${name}.timeoutMs`,
    async preValidate(args, world) {
      const preview = clipPreview(`${method} @ ${name}\n${JSON.stringify(args, undefined, 2)}`, MAX_PREVIEW)
      if (method !== 'resources/read' || config.command === undefined) return { preview }
      const paths = await pathsOf([{ kind: 'url', value: String(args.uri) }], { config, world, readOnly: true })
      return { preview, ...(paths.length > 0 && { paths }) }
    },
    async execute(args, { signal, world, untimed = (work) => work() }) {
      const peer = await watch.peer(signal)
      const { onProgress } = relay
      const how = { signal: AbortSignal.any([signal, relay.signal]), onProgress }
      const request = () => peer.request(method, args, how)
      const leave = relay.enter(untimed)
      try {
        // As a call: a local program could write to the agent's own files.
        const result = await (config.command === undefined ? request() : unsandboxed(world, request))
        return { ok: true, text: relay.read(result) }
      } finally {
        leave()
      }
    },
  })
}
