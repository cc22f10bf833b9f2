/**
 * What a workflow does next, computed only from what has ended: a resumed workflow continues exactly where it was. A
 * node is due when everything before it has ended. It runs if at least one edge to it was taken and no unhandled
 * failure comes before it.
 */
import type { Json, JsonObject } from '../base/json.ts'
import type { Trust } from '../protocol/facts.ts'
import type { Origin } from '../protocol/state.ts'
import { holds, parseCondition } from './condition.ts'
import type { Workflow, WorkflowEdge, WorkflowNode } from './document.ts'
import { at, type Lookup } from './variables.ts'

/** Where a node is in its life. */
export type NodeState = 'done' | 'failed' | 'skipped'

/** How a node ended. */
export interface NodeEnd {
  state: NodeState
  elapsedMs: number
  outputs?: JsonObject
  /** Which of them is the main one, where its tool has one. */
  primary?: string
  /** Which of them stands for all, where the tool says so and names no main one. */
  main?: string
  /** Of external outputs: the part that the author or the caller wrote. */
  own?: JsonObject
  error?: { code: string; message: string }
  trust: Trust
  inspection: Origin['inspection']
  /** Skipped because something before it failed, and no error edge handled that. */
  blocked?: true
}

export type Ended = ReadonlyMap<string, NodeEnd>

export type Due = { node: WorkflowNode; do: 'run' } | { node: WorkflowNode; do: 'skip'; why: Skip }
export type Skip = 'condition' | 'branch' | 'failure'

export function dueNodes(workflow: Workflow, ended: Ended, lookup: Lookup): Due[] {
  const entering = Map.groupBy(workflow.edges, ({ to }) => to)
  return workflow.nodes.flatMap((node): Due[] => {
    const edges = entering.get(node.id) ?? []
    if (ended.has(node.id) || !edges.every(({ from }) => ended.has(from))) return []
    if (edges.some((edge) => isBroken(edge, { workflow, ended, lookup }))) return [{ node, do: 'skip', why: 'failure' }]
    if (edges.length > 0 && !edges.some((edge) => isTaken(edge, ended, lookup)))
      return [{ node, do: 'skip', why: 'branch' }]
    const meant = node.when === undefined || holds(parseCondition(node.when), lookup)
    return [meant ? { node, do: 'run' } : { node, do: 'skip', why: 'condition' }]
  })
}

/** True if one of its error edges was taken. */
export function isHandled(id: string, { workflow, ended, lookup }: Standing): boolean {
  return workflow.edges.some((edge) => edge.from === id && edge.on !== 'success' && isTaken(edge, ended, lookup))
}

export interface Standing {
  workflow: Workflow
  ended: Ended
  lookup: Lookup
}

function isTaken({ from, on, when }: WorkflowEdge, ended: Ended, lookup: Lookup): boolean {
  const state = ended.get(from)?.state
  const fits = on === 'always' ? state === 'done' || state === 'failed' : state === (on === 'error' ? 'failed' : 'done')
  return fits && (when === undefined || holds(parseCondition(when), lookup))
}

/** An unhandled failure blocks everything after it. */
function isBroken({ from, on }: WorkflowEdge, standing: Standing): boolean {
  if (on !== 'success') return false
  const end = standing.ended.get(from)
  return end?.blocked === true || (end?.state === 'failed' && !isHandled(from, standing))
}

/** Looks up the values of variables. */
export function lookupIn(given: {
  workflow: Pick<Workflow, 'inputs'>
  input: JsonObject
  env: Readonly<Record<string, string | undefined>>
  ended: Ended
}): Lookup {
  const { workflow, input, env, ended } = given
  return (reference): Json | undefined => {
    switch (reference.kind) {
      case 'external': {
        const { name, path } = reference
        return at(Object.hasOwn(input, name) ? input[name] : (workflow.inputs[name]?.default as Json | undefined), path)
      }
      case 'env':
        return env[reference.name]
      case 'node': {
        const end = ended.get(reference.node)
        if (reference.field === 'state') return end?.state
        if (reference.field === 'error') return end?.error?.message
        const { path } = reference
        if (reference.field === 'outputs') return at(end?.outputs, path)
        // `{{nodes.check.output.status}}`, if the output is a text made of several values.
        const value = at(mainOutputOf(end), path)
        return value === undefined && end?.primary === undefined ? at(end?.outputs, path) : value
      }
    }
  }
}

/** For a node without a main output: the output its tool names, else its text, else everything it returned. */
export function mainOutputOf({
  outputs,
  primary,
  main,
}: Pick<NodeEnd, 'outputs' | 'primary' | 'main'> = {}): Json | undefined {
  const name = primary ?? main
  if (name !== undefined) return at(outputs, [name])
  return Object.keys(outputs ?? {}).join() === 'text' ? outputs?.text : outputs
}
