import type { Engine } from '../agent/turn.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { RunLog } from '../journal/journal.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Principal } from '../protocol/principal.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Workflow } from './document.ts'
import type { NodeEnd, NodeState } from './plan.ts'

/** What a workflow may use beyond the engine's own. */
export interface WorkflowGrants {
  /** `agent.tools.disabled` */
  disabledTools: readonly string[]
  /** `agent.workflow.env` */
  envNames: readonly string[]
}

/** How a workflow ended. */
export interface WorkflowResult {
  runId: string
  sessionId: string
  ok: boolean
  stopReason: StopReason
  /** The result, if it is ok: the answer of its last agent, else the main output of the last node that finished. */
  output?: Json
  /** Of every node that has any; for an agent without an answer, how far it came. */
  outputs: Record<string, JsonObject>
  nodes: Record<string, { state: NodeState; elapsedMs: number; error?: { code: string; message: string } }>
}

/** Everything a running workflow needs. */
export interface WorkflowRun {
  engine: Engine
  /** The owner of its session. */
  owner: Principal
  workflow: Workflow
  input: JsonObject
  grants: WorkflowGrants
  log: RunLog
  startedAt: number
  ended: Map<string, NodeEnd>
  /** Interrupted attempts: their events, by run id. */
  cutOff: Map<string, { runId: string; attempt: number; events: StoredEvent[] }>
}
