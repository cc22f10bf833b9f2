import type { JsonObject } from '../../base/json.ts'
import { packageVersion } from '../../base/package.ts'
import { sandboxStatus } from '../guard/sandbox.ts'
import { maskSecrets } from '../guard/secrets.ts'
import { defineTool, type Tool } from '../tool.ts'

/** `read` returns what the runtime knows about itself: model, autonomy, tools. */
export function selfInfoTool(read: () => JsonObject): Tool<Record<string, never>> {
  return defineTool<Record<string, never>>({
    name: 'self_info',
    description: 'Tell what this runtime is: version, model, autonomy, tools, and whether commands are sandboxed.',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    family: 'task',
    risk: 'Low',
    trust: 'internal',
    readOnly: true,
    async execute(_args, { world }) {
      const version = packageVersion()
      const sandbox = await sandboxStatus(world.sandbox)
      return JSON.stringify({ name: 'writ', version, ...maskSecrets(read()), sandbox: { ...sandbox } }, null, 2)
    },
  })
}
