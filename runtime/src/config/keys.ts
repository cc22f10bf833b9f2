/** Access to configurations by key path, following the schema. */
import { isObject } from '../base/json.ts'
import { configJsonSchema } from './schema.ts'

/** A configuration as written: validated, without defaults. */
export type Raw = Record<string, unknown>

export interface SchemaNode {
  type?: string | readonly string[]
  description?: string
  default?: unknown
  enum?: readonly string[]
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  items?: SchemaNode
  anyOf?: readonly SchemaNode[]
  properties?: Record<string, SchemaNode>
  /** For a record with keys chosen by the user. */
  additionalProperties?: SchemaNode | boolean
}

export interface SchemaKey {
  path: string
  node: SchemaNode
}

const SERVERS = 'agent.mcp.servers'
export const RULES = 'agent.security.rules'
const root: SchemaNode = configJsonSchema()

/** All settings, in the order of the schema. */
export const SCHEMA_KEYS: readonly SchemaKey[] = leavesOf(root, [])

function leavesOf(node: SchemaNode, path: string[]): SchemaKey[] {
  if (node.properties === undefined) return [{ path: path.join('.'), node }]
  return Object.entries(node.properties).flatMap(([key, child]) =>
    key === '$schema' ? [] : leavesOf(child, [...path, key]),
  )
}

/** The only path with this key name; undefined when there is none, or more than one. */
export function placeOf(key: string): string | undefined {
  const places = new Set(
    SCHEMA_KEYS.flatMap(({ path }) => {
      const parts = path.split('.')
      const at = parts.indexOf(key)
      return at < 0 ? [] : [parts.slice(0, at + 1).join('.')]
    }),
  )
  const [only, another] = places
  return another === undefined ? only : undefined
}

/** The schema at a path; any index for list items, any name for records. */
export function nodeAt(path: readonly PropertyKey[], schema: SchemaNode = root): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema
  for (const key of path) node = childOf(node, String(key))
  return node
}

function childOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  const either = node?.anyOf?.map((one) => childOf(one, key)).find((child) => child !== undefined)
  return propertyOf(node, key) ?? node?.items ?? entryOf(node) ?? either
}

/** Own keys only: `constructor` is no setting. */
function propertyOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  return node?.properties !== undefined && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined
}

function entryOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined
}

export function valueAt(value: unknown, path: string): unknown {
  let here = value
  for (const key of path.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined
    here = here[key]
  }
  return here
}

/** A copy of `target` with one value set; missing objects are created. */
export function withValue(target: Raw, path: string, value: unknown): Raw {
  const [key = '', ...rest] = path.split('.')
  const child = target[key]
  if (rest.length === 0) return { ...target, [key]: value }
  return { ...target, [key]: withValue(isObject(child) ? child : {}, rest.join('.'), value) }
}

export function withoutValue(target: Raw, path: string): Raw {
  const [key = '', ...rest] = path.split('.')
  const { [key]: child, ...others } = target
  if (rest.length === 0 || !isObject(child)) return others
  return { ...others, [key]: withoutValue(child, rest.join('.')) }
}

/** Lists of forbidden things: no file can shorten the list of another file. */
export const FORBIDDING: readonly string[] = [
  'agent.security.blockedPaths',
  'agent.decision.blockedActions',
  'agent.tools.disabled',
]

/** The later one wins, key by key. Lists and MCP servers are replaced, rules and lists of forbidden things are merged. */
export function merge(under: Raw, over: Raw, path = ''): Raw {
  const merged: Raw = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    const place = path === '' ? key : `${path}.${key}`
    const deep = isObject(below) && isObject(value) && path !== SERVERS
    const added = Array.isArray(below) && Array.isArray(value) && (FORBIDDING.includes(place) || place === RULES)
    merged[key] = deep ? merge(below, value, place) : added ? [...new Set([...below, ...value])] : value
  }
  return merged
}
