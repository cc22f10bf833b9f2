/** Workflows on an agent: its tools, its gate and its journal. */
import type { Engine } from '../agent/turn.ts'
import type { JsonObject } from '../base/json.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Event } from '../protocol/event.ts'
import { neededInputs, problemsIn } from '../workflow/check.ts'
import { runWorkflow, surroundingsOf } from '../workflow/engine.ts'
import type { WorkflowResult } from '../workflow/job.ts'
import { checkedWorkflow, type Problem } from '../workflow/read.ts'
import { resumeWorkflow } from '../workflow/resume.ts'
import type { Alone } from './alone.ts'

export interface WorkflowOptions {
  sessionId?: string
  /** Chosen beforehand, by whoever must be able to find the run again. */
  runId?: string
  signal?: AbortSignal
}

export interface WorkflowDesk {
  /** Runs a document to its end; one that cannot run is refused before anything happens. */
  run(document: unknown, input?: JsonObject, options?: WorkflowOptions): Promise<WorkflowResult>
  /** The same, watched. */
  stream(document: unknown, input?: JsonObject, options?: WorkflowOptions): AsyncGenerator<Event, WorkflowResult>
  /** Takes up one that was cut off. Document and input are needed only where they held a secret. */
  resume(
    runId: string,
    options?: { document?: unknown; input?: JsonObject; signal?: AbortSignal },
  ): AsyncGenerator<Event, WorkflowResult>
  /** What would keep it from running, and what must be given to it. Throws where it is no workflow at all. */
  check(document: unknown, input?: JsonObject): { problems: Problem[]; inputs: string[] }
}

export function workflowDesk(engine: Engine, { config }: LoadedConfig, alone: Alone): WorkflowDesk {
  const grants = { disabledTools: config.tools.disabled, envNames: config.workflow.env }
  const never = new AbortController().signal
  const stream: WorkflowDesk['stream'] = (document, input = {}, options = {}) => {
    const { sessionId = engine.newId('ses'), signal = never } = options
    const given = { document, input, ...options, sessionId, ...grants }
    return alone({ sessionId, signal }, (held) => runWorkflow(held, given))
  }
  return {
    stream,
    run: (document, input, options) => drain(stream(document, input, options)),
    async *resume(runId, options = {}) {
      const { signal = never } = options
      const [first] = await engine.store.readRun(runId, 0, 1)
      const taken = (held: Engine) => resumeWorkflow(held, { runId, ...options, ...grants })
      return yield* first === undefined ? taken(engine) : alone({ sessionId: first.sessionId, signal }, taken)
    },
    check(document, input) {
      const workflow = checkedWorkflow(document, { origin: 'workflow', lang: engine.lang })
      return { problems: problemsIn(workflow, surroundingsOf(engine, grants, input)), inputs: neededInputs(workflow) }
    },
  }
}
