/** Workflows run with the tools, the gate and the journal of an agent. */
import type { Engine } from '../agent/turn.ts'
import type { JsonObject } from '../base/json.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Lang } from '../i18n/locale.ts'
import { PRICES } from '../journal/prices.ts'
import { firstEvent } from '../journal/read.ts'
import { type Totals, totalOf } from '../journal/totals.ts'
import type { Event } from '../protocol/event.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { closeOrphans } from '../scout/orphans.ts'
import { neededInputs } from '../workflow/check.ts'
import { examine } from '../workflow/examine.ts'
import { type Problem, WorkflowInvalid } from '../workflow/invalid.ts'
import { resumeWorkflow } from '../workflow/resume.ts'
import type { WorkflowResult } from '../workflow/run.ts'
import { checkDepsOf, runWorkflow } from '../workflow/start.ts'
import type { CheckOwner } from './own-session.ts'
import { type RunStream, runStream } from './run-stream.ts'
import type { UnderLease } from './session-lease.ts'

/** How one workflow is run. */
export interface WorkflowOptions {
  sessionId?: string
  /** Who asks; the session must belong to this principal. The local user when absent. */
  principal?: Principal
  /** Chosen by the caller, who needs it to find the run. A new id when absent. */
  runId?: string
  signal?: AbortSignal
  /** The language of its texts; the configured language when absent. */
  lang?: Lang
}

/** What resuming a workflow needs. */
export interface ResumeOptions {
  document?: unknown
  input?: JsonObject
  signal?: AbortSignal
}

/** `total` includes its nodes and the agents in them. */
export type WorkflowEnd = WorkflowResult & { total: Totals }

/**
 * Runs workflows with the tools, the gate and the journal of the agent; see docs/guides/workflows.md.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const document = { name: 'w', nodes: [{ id: 'read', tool: 'file_read', args: { path: 'notes.txt' } }] }
 * console.log(agent.workflows.check(document).problems) // []
 * const { ok } = await agent.workflows.run(document)
 * console.log(ok) // true
 * ```
 */
export interface AgentWorkflows {
  /** Runs a document to its end; an invalid document is rejected before anything runs. */
  run(document: unknown, input?: JsonObject, options?: WorkflowOptions): Promise<WorkflowEnd>
  /** The same, streamed. */
  stream(document: unknown, input?: JsonObject, options?: WorkflowOptions): RunStream<WorkflowEnd>
  /** Resumes an interrupted workflow. Document and input are needed only where they contained a secret. */
  resume(runId: string, options?: ResumeOptions): RunStream<WorkflowEnd>
  /** What prevents it from running, and the inputs it needs. Throws where the document is not a workflow. */
  check(document: unknown, input?: JsonObject): { problems: Problem[]; inputs: string[] }
}

/** Closes scouts of the agents in its nodes. The caller holds the session's lease, so none of them is running. */
async function closeScouts(engine: Engine, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return
  const open = await engine.store.listRuns({ sessionId, open: true })
  for (const { runId } of open) await closeOrphans(engine, runId)
}

export function agentWorkflows(
  engine: Engine,
  { config }: LoadedConfig,
  { underLease, checkOwner }: { underLease: UnderLease; checkOwner: CheckOwner },
): AgentWorkflows {
  const grants = { disabledTools: config.tools.disabled, envNames: config.workflow.env }
  const prices = { ...PRICES, ...config.prices }
  const withTotal = async (result: WorkflowResult) => ({
    ...result,
    total: await totalOf(engine.store, result.runId, prices),
  })
  const never = new AbortController().signal
  async function* stream(
    document: unknown,
    input: JsonObject = {},
    options: WorkflowOptions = {},
  ): AsyncGenerator<Event, WorkflowEnd> {
    const { sessionId = engine.newId('ses'), signal = never, lang = engine.lang, principal = LOCAL, ...own } = options
    await checkOwner(sessionId, principal)
    const given = { document, input, ...own, sessionId, ...grants }
    const result = yield* underLease({ sessionId, signal }, (held, ending) =>
      runWorkflow({ ...held, lang }, { ...given, signal: ending }),
    )
    return withTotal(result)
  }
  async function* resume(runId: string, options: ResumeOptions = {}): AsyncGenerator<Event, WorkflowEnd> {
    const { signal = never } = options
    const first = await firstEvent(engine.store, runId)
    const resumed = async function* (held: Engine, ending: AbortSignal) {
      await closeScouts(held, first?.sessionId)
      return yield* resumeWorkflow(held, { runId, ...options, signal: ending, ...grants })
    }
    const result = yield* first === undefined
      ? resumed(engine, signal)
      : underLease({ sessionId: first.sessionId, signal }, resumed)
    return withTotal(result)
  }
  return {
    stream: (document, input, options) => runStream(stream(document, input, options)),
    run: (document, input, options) => drain(stream(document, input, options)),
    resume: (runId, options) => runStream(resume(runId, options)),
    check(document, input) {
      const { workflow, problems } = examine(document, checkDepsOf(engine, grants, input))
      if (workflow === undefined) throw new WorkflowInvalid(problems, { origin: 'workflow' })
      return { problems, inputs: neededInputs(workflow) }
    },
  }
}
