/** The TypeScript types of `agent.config.json`, written from its schema, so that a typo in a program does not compile. */
import type { SchemaNode } from '../runtime/src/config/keys.ts'

type Node = SchemaNode & { $schema?: string; required?: readonly string[]; const?: unknown }

interface Shape {
  name: string
  body: string
}

/** Text of one module per group of settings: each stays short enough to read. */
export function configTypes(schema: SchemaNode): Record<string, string> {
  const shapes: Shape[] = []
  const lists: Shape[] = []
  const places = new Map<string, string>()

  function typeOf(node: Node, path: readonly string[], into: Shape[]): string {
    if (node.enum !== undefined) return node.enum.map((value) => `'${value}'`).join(' | ')
    if (node.const !== undefined) return JSON.stringify(node.const)
    if (node.anyOf !== undefined) {
      return [...new Set(node.anyOf.map((one) => typeOf(one, path, into)))].join(' | ')
    }
    // The entries of lists and records have many keys of their own.
    if (node.type === 'array') return `readonly ${grouped(typeOf(node.items ?? {}, entryOf(path), lists))}[]`
    if (Object.keys(node.properties ?? {}).length > 0) return interfaceOf(node, path, into)
    if (typeof node.additionalProperties === 'object') {
      return `Readonly<Record<string, ${typeOf(node.additionalProperties, entryOf(path), lists)}>>`
    }
    return [node.type ?? 'unknown'].flat().map(plainType).join(' | ')
  }

  function interfaceOf(node: Node, path: readonly string[], into: Shape[]): string {
    const isShared = path.at(-2) === 'intents' || path.at(-2) === 'profiles'
    const lines = Object.entries(node.properties ?? {}).map(([key, child]: [string, Node]) => {
      const mark = node.required?.includes(key) === true ? '' : '?'
      const doc = docOf(child, { withDefault: !isShared && child.properties === undefined })
      return `${doc}  ${key}${mark}: ${typeOf(child, [...path, key], into)}\n`
    })
    const body = `{\n${lines.join('')}}`
    const known = [...shapes, ...lists].find((shape) => shape.body === body)
    if (known !== undefined) return known.name
    const name = nameOf(path)
    places.set(name, path.filter((part) => part !== ENTRY).join('.'))
    into.push({ name, body })
    return name
  }

  const aboutOf = (name: string) => {
    const place = places.get(name)
    return place === '' ? 'The contents of an `agent.config.json`.' : `Settings of \`${place}\`.`
  }
  interfaceOf(schema, [], shapes)
  const module = (about: string, all: readonly Shape[], head = '') =>
    `/** ${about} Generated from the schema by \`npm run reference\`; do not edit. */\n${head}\n${all
      .map(({ name, body }) => `/** ${aboutOf(name)} */\nexport interface ${name} ${body}\n`)
      .join('\n')}`
  const used = lists.map(({ name }) => name).filter((name) => shapes.some(({ body }) => body.includes(name)))
  return {
    'config-file.ts': module(
      'The contents of `agent.config.json`.',
      shapes.toReversed(),
      `import type { ${used.sort().join(', ')} } from './config-entries.ts'\n`,
    ),
    'config-entries.ts': module('Entries of the lists and records in `agent.config.json`.', lists.toReversed()),
  }
}

/** Stands in a path for any entry of a list or record. */
const ENTRY = '*'

function entryOf(path: readonly string[]): string[] {
  return [...path, ENTRY]
}

const NAMES: Readonly<Record<string, string>> = {
  '': 'ConfigFile',
  agent: 'AgentSettings',
  'agent.execution': 'ExecutionSettings',
  'agent.security.rules.*': 'RuleSettings',
  'agent.security.rules.*.when': 'RuleConditions',
  'agent.security.rules.*.when.args.*': 'RuleArgument',
  'agent.security.rules.*.examples': 'RuleExamples',
  'agent.security.rules.*.examples.match.*': 'RuleExampleCall',
}

/** `McpServerSettings` for an entry of `agent.mcp.servers`. */
function nameOf(path: readonly string[]): string {
  const known = NAMES[path.join('.')]
  if (known !== undefined) return known
  if (path.at(-2) === 'intents') return 'IntentSettings'
  if (path.at(-2) === 'profiles') return 'ScoutProfileSettings'
  const parts = path
    .map((part, i) => (path[i + 1] === ENTRY ? part.replace(/s$/, '') : part))
    .filter((part) => part !== 'agent' && part !== 'execution' && part !== ENTRY)
  return `${parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')}Settings`
}

function docOf({ description, default: preset }: Node, { withDefault }: { withDefault: boolean }): string {
  const shown = withDefault && preset !== undefined ? `Default: \`${JSON.stringify(preset)}\`.` : ''
  const text = [description, shown].filter(Boolean).join(' ').replaceAll('*/', '*\\/')
  return text === '' ? '' : `  /** ${text} */\n`
}

function grouped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}

function plainType(type: string): string {
  return type === 'integer'
    ? 'number'
    : type === 'object'
      ? 'Record<string, unknown>'
      : type === 'array'
        ? 'unknown[]'
        : type
}
