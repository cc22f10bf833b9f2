import { isObject, type JsonObject } from '../../base/json.ts'
import { nearest } from '../../base/text.ts'
import { nodeAt } from '../../config/keys.ts'
import { maskSecrets } from '../guard/secrets.ts'
import { valueOutputs } from '../outputs.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'

interface ConfigArgs {
  action: 'get' | 'set'
  key?: string
  value?: unknown
}

/** `read` returns the effective configuration. Nothing here can change it: an attempt to is a fact for the gate. */
export function configTool(read: () => JsonObject): Tool<ConfigArgs> {
  return defineTool<ConfigArgs>({
    name: 'config',
    description: 'Read the effective configuration, all of it or one dotted key. It cannot be changed from here.',
    schema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['get', 'set'] },
        key: { type: 'string', minLength: 1, description: 'Dotted key, for example `agent.security.autonomy`.' },
        value: {},
      },
      required: ['action'],
      additionalProperties: false,
    },
    family: 'task',
    risk: 'Low',
    trust: 'internal',
    readOnly: true,
    touchesFiles: false,
    outputs: valueOutputs,

    preValidate({ action, key = '*', value }) {
      if (action === 'get') return { risk: 'Low', readOnly: true }
      return { risk: 'High', readOnly: false, configKeys: [key], preview: `set ${key} to ${JSON.stringify(value)}` }
    },

    execute({ action, key }): ToolOutput {
      if (action === 'set')
        return { ok: false, error: 'the configuration is locked for the agent', code: 'CONFIG_LOCKED' }
      let at: unknown = maskSecrets(read())
      for (const part of key?.split('.') ?? []) {
        if (!isObject(at) || !Object.hasOwn(at, part)) {
          const known = key === undefined ? undefined : nodeAt(key.split('.'))
          if (known !== undefined) return { ok: true, text: unset(key ?? '', known.default) }
          const near = isObject(at) ? nearest(part, Object.keys(at)) : undefined
          return { ok: false, error: `there is no ${key}${near === undefined ? '' : `; did you mean ${near}?`}` }
        }
        at = at[part]
      }
      return { ok: true, text: JSON.stringify(at, null, 2) ?? 'null' }
    },
  })
}

function unset(key: string, preset: unknown): string {
  return `${key} is not set; ${preset === undefined ? 'it has no fixed default' : `the default is ${JSON.stringify(preset)}`}.`
}
