/** A workflow run, folded from its journal: every node of the document, also those that were skipped. */
import { isObject, type Json } from './paths.ts'
import type { Event } from './wire.ts'

export interface NodeRun {
  id: string
  tool: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped'
  /** As written in the document, with variables. */
  args?: Json
  when?: string
  attempts: number
  /** Of the last attempt. */
  runId?: string
  elapsedMs?: number
  /** Why it failed or was skipped. */
  message?: string
  code?: string
  outputs?: Json
  /** Its outputs contain text of others. */
  external: boolean
}

export interface WorkflowRunView {
  name: string
  description: string
  input: Json
  nodes: NodeRun[]
}

export function workflowRunOf(events: readonly Event[]): WorkflowRunView | undefined {
  const started = events.find((event) => event.type === 'workflow.started')
  if (started?.type !== 'workflow.started') return undefined
  const { workflow, document = {}, input = {} } = started.data
  const written = Array.isArray(document.nodes) ? document.nodes.filter(isObject) : []
  const nodes = new Map<string, NodeRun>(
    written.map(({ id, tool, args, when }) => [
      String(id),
      {
        id: String(id),
        tool: String(tool),
        state: 'waiting',
        attempts: 0,
        external: false,
        ...(isObject(args) && { args }),
        ...(typeof when === 'string' && { when }),
      },
    ]),
  )
  for (const event of events) {
    if (event.type === 'node.started') {
      const { node: id, tool, runId, attempt = 1 } = event.data
      const known = nodes.get(id) ?? { id, external: false }
      nodes.set(id, { ...known, tool, state: 'running', attempts: attempt, ...(runId !== undefined && { runId }) })
    }
    if (event.type === 'node.finished') {
      const { node: id, ok, elapsedMs, message, code, state = ok ? 'done' : 'failed', outputs, trust } = event.data
      const known = nodes.get(id) ?? { id, tool: '', attempts: 0 }
      const more = { ...(message && { message }), ...(code && { code }), ...(outputs && { outputs }) }
      nodes.set(id, { ...known, state, elapsedMs, external: trust === 'external', ...more })
    }
  }
  const description = typeof document.description === 'string' ? document.description : ''
  return { name: workflow, description, input: { ...presetsIn(document.inputs), ...input }, nodes: [...nodes.values()] }
}

/** Inputs that were not given have the values of the document. */
function presetsIn(inputs: unknown): Json {
  if (!isObject(inputs)) return {}
  const presets = Object.entries(inputs).flatMap(([name, input]) =>
    isObject(input) && input.default !== undefined ? [[name, input.default]] : [],
  )
  return Object.fromEntries(presets)
}
