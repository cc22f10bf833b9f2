/** JSON Schema as rows of a table in Markdown. */
import type { SchemaNode } from '../runtime/src/config/keys.ts'

/** Every key with its path, including nested ones. */
export function schemaRows(properties: Record<string, SchemaNode>, prefix: string): string {
  return Object.entries(properties)
    .flatMap(([key, node]) => [
      row([`\`${prefix}${key}\``, typeOf(node), defaultOf(node), node.description ?? '']),
      ...(node.properties === undefined ? [] : [schemaRows(node.properties, `${prefix}${key}.`)]),
    ])
    .join('\n')
}

export function keyRow(key: string, node: SchemaNode): string {
  return row([`\`${key}\``, typeOf(node), defaultOf(node), node.description ?? ''])
}

export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

export function typeOf(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((value) => `\`"${value}"\``).join(', ')
  // A value or a list of such values.
  if (node.anyOf !== undefined) {
    const [one, many] = node.anyOf
    if (many?.type === 'array' && node.anyOf.length === 2) return `${typeOf(one ?? {})}, or a list`
    return node.anyOf.map(typeOf).join(' or ')
  }
  if (node.type === 'array') return `list of ${typeOf(node.items ?? {})}`
  const { minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = node
  const isBounded = minimum !== undefined || exclusiveMinimum !== undefined
  const bounds = [
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`> ${exclusiveMinimum}`]),
    ...(!isBounded || maximum === Number.MAX_SAFE_INTEGER ? [] : [`≤ ${maximum}`]),
  ]
  return `${[node.type ?? 'any'].flat().join(' or ')} ${bounds.join(', ')}`.trim()
}

function defaultOf(node: SchemaNode): string {
  return node.default === undefined ? 'unset' : `\`${JSON.stringify(node.default)}\``
}
