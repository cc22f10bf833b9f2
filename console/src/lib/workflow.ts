/** Editing of workflow documents. They may be incomplete, and are never changed in place. */
import { isObject, type Json } from './paths.ts'

export interface DraftNode {
  id: string
  tool: string
  args?: Json
  when?: string
  timeout?: number
  [key: string]: unknown
}

export interface DraftEdge {
  from: string
  to: string
  on?: 'success' | 'error' | 'always'
  when?: string
}

export interface Draft {
  name: string
  description?: string
  inputs?: Record<string, { description?: string; default?: unknown }>
  nodes: DraftNode[]
  edges?: DraftEdge[]
  [key: string]: unknown
}

export const AGENT_CORE = 'agent_core'

export function newDraft(name: string): Draft {
  const args = {
    model: 'rules',
    max_steps: 5,
    allowed_tools: ['file_list', 'file_read'],
    prompt: '{{external.question}}',
  }
  return {
    name,
    inputs: { question: { description: '', default: 'list the files here' } },
    nodes: [{ id: AGENT_CORE, tool: AGENT_CORE, args }],
    edges: [],
  }
}

/** The part of a document that can be drawn and edited. JSON typed by a user may lack anything or contain anything. */
export function draftOf(json: Json): Draft {
  // Indexes must not change: problems refer to nodes and edges by index.
  const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : [])
  const { name, inputs, nodes, edges, ...others } = json
  return {
    ...onlyTexts(others, ['description']),
    name: textOf(name),
    ...(isObject(inputs) ? { inputs: mapValues(inputs, (input) => onlyTexts(objectOf(input), ['description'])) } : {}),
    nodes: list(nodes).map(({ args, ...node }) => ({
      ...onlyTexts(node, ['when']),
      id: textOf(node.id),
      tool: textOf(node.tool),
      ...(isObject(args) ? { args } : {}),
    })),
    edges: list(edges).map((edge) => ({
      ...onlyTexts(edge, ['when', 'on']),
      from: textOf(edge.from),
      to: textOf(edge.to),
    })),
  }
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Drops these keys where they hold something other than text. */
function onlyTexts(value: Json, keys: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([key, item]) => !keys.includes(key) || typeof item === 'string'),
  )
}

function mapValues<T>(value: Json, change: (item: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]))
}

export function withNode(draft: Draft, id: string, node: DraftNode): Draft {
  const renamed = (name: string) => (name === id ? node.id : name)
  return {
    ...draft,
    nodes: draft.nodes.map((other) => (other.id === id ? node : other)),
    edges: (draft.edges ?? []).map((edge) => ({ ...edge, from: renamed(edge.from), to: renamed(edge.to) })),
  }
}

export function withoutNode(draft: Draft, id: string): Draft {
  return {
    ...draft,
    nodes: draft.nodes.filter((node) => node.id !== id),
    edges: (draft.edges ?? []).filter((edge) => edge.from !== id && edge.to !== id),
  }
}

/** Appends a node with an unused id after the last one. */
export function withNewNode(draft: Draft, tool: string): { draft: Draft; id: string } {
  const taken = draft.nodes.map((node) => node.id)
  let id = tool
  for (let n = 2; taken.includes(id); n++) id = `${tool}_${n}`
  const last = draft.nodes.at(-1)
  const edges = [...(draft.edges ?? []), ...(last === undefined ? [] : [{ from: last.id, to: id }])]
  return { id, draft: { ...draft, nodes: [...draft.nodes, { id, tool, args: {} }], edges } }
}

/** All nodes that run before a node. */
export function nodesBefore({ nodes, edges = [] }: Draft, id: string): string[] {
  const found = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { from, to } of edges) {
      if (to !== next || found.has(from)) continue
      found.add(from)
      open.push(from)
    }
  }
  return nodes.map((node) => node.id).filter((name) => found.has(name) && name !== id)
}

/** The column of each node: its distance from a start node. Terminates on cycles. */
export function depthsIn({ nodes, edges = [] }: Draft): Map<string, number> {
  const depths = new Map(nodes.map((node) => [node.id, 0]))
  for (let round = 0; round < nodes.length; round++) {
    let moved = false
    for (const { from, to } of edges) {
      const behind = (depths.get(from) ?? 0) + 1
      if (!depths.has(to) || !depths.has(from) || (depths.get(to) ?? 0) >= behind || behind >= nodes.length) continue
      depths.set(to, behind)
      moved = true
    }
    if (!moved) break
  }
  return depths
}

/** Outputs besides the main output of a node. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  agent_core: ['final_answer', 'finish_reason', 'used_tools', 'trace'],
  context_prepare: ['messages_json'],
}

export interface Variable {
  kind: 'external' | 'env' | 'nodes'
  text: string
}

/** The variables that a text of a node may contain. */
export function variablesFor(draft: Draft, id: string, envNames: readonly string[]): Variable[] {
  const tools = new Map(draft.nodes.map((node) => [node.id, node.tool]))
  return [
    ...Object.keys(draft.inputs ?? {}).map((name) => ({ kind: 'external' as const, text: `{{external.${name}}}` })),
    ...envNames.map((name) => ({ kind: 'env' as const, text: `{{env.${name}}}` })),
    ...nodesBefore(draft, id).flatMap((node) =>
      ['output', ...(OUTPUTS[tools.get(node) ?? ''] ?? []).map((name) => `outputs.${name}`)].map((path) => ({
        kind: 'nodes' as const,
        text: `{{nodes.${node}.${path}}}`,
      })),
    ),
  ]
}
