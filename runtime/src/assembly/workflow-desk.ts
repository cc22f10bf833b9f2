/** Workflows on an agent: its tools, its gate and its journal. */
import type { Engine } from '../agent/turn.ts'
import type { JsonObject } from '../base/json.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Lang } from '../i18n/locale.ts'
import { PRICES } from '../journal/prices.ts'
import { type Totals, totalOf } from '../journal/totals.ts'
import type { Event } from '../protocol/event.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { closeOrphans } from '../scout/orphans.ts'
import { neededInputs } from '../workflow/check.ts'
import { runWorkflow, surroundingsOf } from '../workflow/engine.ts'
import { examine } from '../workflow/examine.ts'
import { type Problem, WorkflowInvalid } from '../workflow/read.ts'
import { resumeWorkflow } from '../workflow/resume.ts'
import type { WorkflowResult } from '../workflow/run.ts'
import type { Alone } from './alone.ts'
import type { DemandOwn } from './own-session.ts'

export interface WorkflowOptions {
  sessionId?: string
  /** Who asks; the session has to be theirs. The local user when absent. */
  principal?: Principal
  /** Chosen beforehand, by whoever must be able to find the run again. */
  runId?: string
  signal?: AbortSignal
  /** What its texts are written in; the configured language when absent. */
  lang?: Lang
}

/** With what its nodes and the agents in them spent. */
export type WorkflowEnd = WorkflowResult & { total: Totals }

export interface WorkflowDesk {
  /** Runs a document to its end; one that cannot run is refused before anything happens. */
  run(document: unknown, input?: JsonObject, options?: WorkflowOptions): Promise<WorkflowEnd>
  /** The same, watched. */
  stream(document: unknown, input?: JsonObject, options?: WorkflowOptions): AsyncGenerator<Event, WorkflowEnd>
  /** Takes up one that was cut off. Document and input are needed only where they held a secret. */
  resume(
    runId: string,
    options?: { document?: unknown; input?: JsonObject; signal?: AbortSignal },
  ): AsyncGenerator<Event, WorkflowEnd>
  /** What would keep it from running, and what must be given to it. Throws where it is no workflow at all. */
  check(document: unknown, input?: JsonObject): { problems: Problem[]; inputs: string[] }
}

/** Of the agents in its nodes: whoever holds the session knows that none of them is at work any more. */
async function closeScouts(engine: Engine, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return
  const open = await engine.store.listRuns({ sessionId, open: true })
  for (const { runId } of open) await closeOrphans(engine, runId)
}

export function workflowDesk(
  engine: Engine,
  { config }: LoadedConfig,
  { alone, demandOwn }: { alone: Alone; demandOwn: DemandOwn },
): WorkflowDesk {
  const grants = { disabledTools: config.tools.disabled, envNames: config.workflow.env }
  const prices = { ...PRICES, ...config.prices }
  const withTotal = async (result: WorkflowResult) => ({
    ...result,
    total: await totalOf(engine.store, result.runId, prices),
  })
  const never = new AbortController().signal
  const stream: WorkflowDesk['stream'] = async function* (document, input = {}, options = {}) {
    const { sessionId = engine.newId('ses'), signal = never, lang = engine.lang, principal = LOCAL, ...own } = options
    await demandOwn(sessionId, principal)
    const given = { document, input, ...own, sessionId, ...grants }
    const result = yield* alone({ sessionId, signal }, (held, ending) =>
      runWorkflow({ ...held, lang }, { ...given, signal: ending }),
    )
    return withTotal(result)
  }
  return {
    stream,
    run: (document, input, options) => drain(stream(document, input, options)),
    async *resume(runId, options = {}) {
      const { signal = never } = options
      const [first] = await engine.store.readRun(runId, 0, 1)
      const taken = async function* (held: Engine, ending: AbortSignal) {
        await closeScouts(held, first?.sessionId)
        return yield* resumeWorkflow(held, { runId, ...options, signal: ending, ...grants })
      }
      const result = yield* first === undefined
        ? taken(engine, signal)
        : alone({ sessionId: first.sessionId, signal }, taken)
      return withTotal(result)
    },
    check(document, input) {
      const { workflow, problems } = examine(document, surroundingsOf(engine, grants, input))
      if (workflow === undefined) throw new WorkflowInvalid(problems, { origin: 'workflow', lang: engine.lang })
      return { problems, inputs: neededInputs(workflow) }
    },
  }
}
