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

export interface WorkflowResult {
  runId: string
  sessionId: string
  ok: boolean
  stopReason: StopReason
  /** What it comes to, where it is ok: what its last agent answered, else the main output of the last node that is done. */
  output?: Json
  /** Of every node that has any; an agent that did not answer says here how far it came. */
  outputs: Record<string, JsonObject>
  nodes: Record<string, { state: NodeState; elapsedMs: number; error?: { code: string; message: string } }>
}

/** Everything a workflow under way is made of. */
export interface WorkflowRun {
  engine: Engine
  /** Whom it works for: the owner of its session. */
  owner: Principal
  workflow: Workflow
  input: JsonObject
  grants: WorkflowGrants
  log: RunLog
  startedAt: number
  ended: Map<string, NodeEnd>
  /** Attempts that were cut off: the events each left, under the run it was. */
  cutOff: Map<string, { runId: string; attempt: number; events: StoredEvent[] }>
}
