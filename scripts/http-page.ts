/** The reference of the HTTP interface, from the contract that validates requests. */
import type { SchemaNode } from '../runtime/src/config/keys.ts'
import { contract } from '../runtime/src/server/contract/contract.ts'
import type { Endpoint } from '../runtime/src/server/contract/route.ts'
import { keyRow, row, typeOf } from './schema-rows.ts'

/** Deeper fields are in /openapi.json. */
const DEEPEST = 2

export function httpPage(): string {
  const endpoints = Object.entries(contract) as [string, Endpoint][]
  const groups = Map.groupBy(endpoints, ([key]) => groupOf(key))
  const parts = [...groups].map(
    ([group, members]) => `## ${group}\n\n${members.map(([key, endpoint]) => endpointPart(key, endpoint)).join('\n')}`,
  )
  return `# HTTP

Generated from the contract by \`npm run reference\`; do not edit. How to use it: [the guide](../guides/server.md). The same
as OpenAPI, with every field: \`GET /openapi.json\`. In TypeScript, \`writ/client\` is typed by the same contract: [Library](api.md).

- Send the token as \`Authorization: Bearer …\`, and JSON as \`Content-Type: application/json\`.
- **scope** is what the token needs. It reaches what its principal owns; \`admin\` and the scopes ending in \`:all\` reach everything.
- An answer that is not a success is \`{ "error": { "code", "message", "hint" } }\`: [all codes](errors.md).
- Endpoints that stream send server-sent events if the request says \`Accept: text/event-stream\`.

${parts.join('\n')}`
}

function groupOf(key: string): string {
  const [, first = '', second = ''] = (key.split(' ')[1] ?? '').split('/')
  if (first === 'v1') return 'OpenAI-compatible'
  return first === 'api' && !['info', 'stats'].includes(second) ? `/api/${second}` : 'Server'
}

function endpointPart(key: string, { scope, summary, query, body, returns, status, streams, type }: Endpoint): string {
  const facts = [
    scope === 'none' ? 'no token needed' : `scope \`${scope}\``,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(type === undefined ? [] : [`\`${type}\``]),
    ...(streams === true ? ['can stream'] : []),
  ]
  return [
    `### ${key}\n`,
    `${summary}. (${facts.join(', ')})\n`,
    ...(query === undefined ? [] : ['Query:\n', `${table(schemaOf(query, 'input'))}\n`]),
    ...(body === undefined ? [] : ['Body:\n', `${table(schemaOf(body, 'input'))}\n`]),
    ...(type === undefined ? [answer(schemaOf(returns, 'output'))] : []),
  ].join('\n')
}

function schemaOf(schema: Endpoint['returns'], io: 'input' | 'output'): SchemaNode {
  return schema.toJSONSchema({ io, unrepresentable: 'any', reused: 'inline' }) as SchemaNode
}

function table(node: SchemaNode): string {
  const rows = inner(node).flatMap(([key, each]) => [keyRow(key, each), ...nested(key, each, 1)])
  return [row(['field', 'type', 'default', 'meaning']), row(['---', '---', '---', '---']), ...rows].join('\n')
}

function nested(prefix: string, node: SchemaNode, depth: number): string[] {
  if (depth >= DEEPEST) return []
  const list = node.type === 'array' ? '[]' : ''
  return inner(node).flatMap(([key, each]) => [
    keyRow(`${prefix}${list}.${key}`, each),
    ...nested(`${prefix}${list}.${key}`, each, depth + 1),
  ])
}

function inner(node: SchemaNode): [string, SchemaNode][] {
  return Object.entries((node.type === 'array' ? node.items?.properties : node.properties) ?? {})
}

/** What comes back is mostly read by programs, which have its types: the names are enough. */
function answer(node: SchemaNode): string {
  const names = inner(node).map(([key, each]) => `\`${key}\` (${shortType(each)})`)
  return names.length === 0 ? '' : `Answer: ${names.join(', ')}.\n`
}

function shortType(node: SchemaNode): string {
  if (node.type === 'array') return 'list'
  return node.enum !== undefined && node.enum.length > 4 ? 'text' : typeOf(node)
}
