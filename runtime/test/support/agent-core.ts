/** Runs an `agent_core` node the way a workflow does: as a call of a run, through the gate, with a scripted model. */
import { PROFILES } from '../../src/agent/profile.ts'
import { type Engine, startTurn } from '../../src/agent/turn.ts'
import type { Model, ModelRequest } from '../../src/model/model.ts'
import type { Event, EventOf, StoredEvent } from '../../src/protocol/event.ts'
import type { Observation } from '../../src/protocol/observation.ts'
import type { Profile } from '../../src/protocol/profile.ts'
import type { Trace } from '../../src/protocol/trace.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { type AgentCoreOptions, agentCoreTool } from '../../src/workflow/nodes/agent-core.ts'
import type { AgentCoreArgs } from '../../src/workflow/nodes/agent-core-config.ts'
import { callIn } from './call.ts'
import { collect, engineWith, type Line, saying } from './engine.ts'

/** A run that can call the node and reads its whole output. */
const AROUND: Profile = {
  ...PROFILES.chat,
  taskIntent: 'general',
  routing: false,
  exposure: { hidden: [] },
  human: false,
  observationMaxLen: 10_000_000,
}

export interface Node {
  /** The node's model replies, in order; text is sent unchanged. */
  says?: readonly (string | Line)[]
  model?: Model
  tools?: Tool[]
  engine?: Partial<Engine>
  options?: AgentCoreOptions
  signal?: AbortSignal
  /** The arguments as the author wrote them, before untrusted values were filled in. */
  authored?: Record<string, unknown>
}

export interface NodeRun {
  output: Trace
  observation: Observation
  /** The requests to the node's model. */
  requests: ModelRequest[]
  events: Event[]
  /** The journal of the node's own run, as stored. */
  journal: StoredEvent[]
}

export const BASIC = { model: 'test/said', max_steps: 5, allowed_tools: [] as string[] }

export function final(answer: string): string {
  return JSON.stringify({ type: 'final', answer })
}

export function action(tool: string, args: unknown = {}): string {
  return JSON.stringify({ type: 'action', tool, args })
}

/** A model that also records its requests. */
export function listening(model: Model): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    ...model,
    requests,
    ask(request, signal) {
      requests.push(request)
      return model.ask(request, signal)
    },
  }
}

export async function runNode(args: Record<string, unknown>, node: Node = {}): Promise<NodeRun> {
  const lines = (node.says ?? []).map((line) => (typeof line === 'string' ? { text: line } : line))
  const inner = listening(node.model ?? saying(lines))
  const core = agentCoreTool(() => ({ ...engine, model: inner }), node.options) as Tool
  const engine: Engine = await engineWith({
    ...node.engine,
    model: saying([{ calls: [{ id: '1', tool: core.name, args }] }]),
    tools: [core, ...(node.tools ?? [])],
  })
  const { events } = await collect(
    startTurn(engine, {
      task: 'run the workflow',
      sessionId: undefined,
      profile: AROUND,
      signal: node.signal ?? new AbortController().signal,
      confirm: undefined,
      stream: false,
    }),
  )
  const of = events.find((event): event is EventOf<'tool.result'> => {
    return event.type === 'tool.result' && event.data.tool === core.name
  })
  const inside = events.find((event) => event.mode === 'workflow')
  if (of === undefined) throw new Error('the node has no result')
  const { observation } = of.data
  return {
    output: accountIn(observation),
    observation,
    requests: inner.requests,
    events,
    journal: inside === undefined ? [] : await engine.store.readRun(inside.runId),
  }
}

/** The complete output, however the node's run ended; absent if it did not start. */
function accountIn({ outcome, text, partial = 'null' }: Observation): Trace {
  return JSON.parse(outcome === 'ok' ? text : partial) ?? undefined
}

/** Calls the node's tool directly, like a workflow that knows the source of each argument. */
export async function callNode(args: AgentCoreArgs, node: Node): Promise<Pick<NodeRun, 'output' | 'requests'>> {
  const lines = (node.says ?? []).map((line) => (typeof line === 'string' ? { text: line } : line))
  const inner = listening(saying(lines))
  const engine: Engine = await engineWith({ ...node.engine, model: inner, tools: node.tools ?? [] })
  const core = agentCoreTool(() => engine, node.options)
  const done = await core.execute(args, callIn(engine.world, { policy: engine.policy, authored: node.authored }))
  return { output: JSON.parse(done.ok ? done.text : (done.partial ?? '')), requests: inner.requests }
}
