/** Resumes an interrupted workflow: finished nodes are not run again, and calls that may have had an effect are not repeated. */
import type { Engine } from '../agent/turn.ts'
import { fingerprint } from '../base/hash.ts'
import type { JsonObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import { hasRedaction } from '../journal/redact.ts'
import { closeInterrupted, continueLog } from '../journal/run-lifecycle.ts'
import type { Event, EventOf, StoredEvent } from '../protocol/event.ts'
import type { Workflow } from './document.ts'
import { demandRunnable } from './examine.ts'
import type { NodeEnd } from './plan.ts'
import { checkedWorkflow } from './read.ts'
import type { WorkflowGrants, WorkflowResult, WorkflowRun } from './run.ts'
import { runNodes } from './scheduler.ts'
import { checkDepsOf } from './start.ts'

export interface ResumeInput extends WorkflowGrants {
  runId: string
  /** Needed only if they contained a secret, which the journal does not store. */
  document?: unknown
  input?: JsonObject
  signal?: AbortSignal
}

export async function* resumeWorkflow(engine: Engine, given: ResumeInput): AsyncGenerator<Event, WorkflowResult> {
  const { runId, signal = new AbortController().signal } = given
  const events = await engine.store.readRun(runId)
  const { last, started } = demandOpen(events, runId)
  const { workflow, input } = documentOf(started, given)
  demandRunnable(workflow, checkDepsOf(engine, given, input), workflow.name)
  const log = continueLog(engine, last, events)
  yield log.note('run.resumed', { steps: 0 })
  // A second process that resumes it is rejected here, before anything is done.
  await log.flush()
  const ended = endsIn(events)
  const cutOff = await cutOffIn(events, ended, engine)
  const owner = await engine.ownerOf(last.sessionId)
  const begun = { engine, owner, workflow, input, grants: given, log, startedAt: started.timestamp }
  const run: WorkflowRun = { ...begun, ended, cutOff: new Map(cutOff) }
  const result = yield* runNodes(run, signal)
  for (const node of cutOff.values()) await closeWithin(node.runId, engine)
  return result
}

function demandOpen(events: readonly StoredEvent[], runId: string) {
  const last = events.at(-1)
  if (last === undefined) throw new WritError('RUN_UNKNOWN', { run: runId })
  const started = events.find((event) => event.type === 'workflow.started')
  if (started === undefined) throw new WritError('RUN_NOT_RESUMABLE.notAWorkflow', { run: runId })
  const stopped = events.find((event) => event.type === 'run.stopped')
  if (stopped !== undefined) {
    const { reason } = stopped.data.stop
    throw new WritError('RUN_ENDED.workflow', { run: runId, reason })
  }
  return { last, started }
}

function documentOf(
  { data }: EventOf<'workflow.started'>,
  given: ResumeInput,
): { workflow: Workflow; input: JsonObject } {
  const kept = given.document === undefined
  if (kept && hasRedaction([data.document, data.input])) {
    throw new WritError('WORKFLOW_MASKED')
  }
  const workflow = checkedWorkflow(given.document ?? data.document, { origin: data.workflow })
  const input = kept ? ((data.input ?? {}) as JsonObject) : (given.input ?? {})
  if (fingerprint({ workflow, input }) !== data.fingerprint) {
    throw new WritError('WORKFLOW_CHANGED')
  }
  return { workflow, input }
}

export function endsIn(events: readonly StoredEvent[]): Map<string, NodeEnd> {
  const finished = events.filter((event) => event.type === 'node.finished')
  return new Map(
    finished.map(({ data }) => {
      const { primary, main, own, blocked } = data
      const { node, elapsedMs, outputs, code, message = '', trust = 'external', inspection = 'pass' } = data
      const end: NodeEnd = {
        state: data.state ?? (data.ok ? 'done' : 'failed'),
        elapsedMs,
        trust,
        inspection,
        ...(outputs === undefined ? {} : { outputs: outputs as JsonObject }),
        ...(primary === undefined ? {} : { primary }),
        ...(main === undefined ? {} : { main }),
        ...(own === undefined ? {} : { own: own as JsonObject }),
        ...(code === undefined ? {} : { error: { code, message } }),
        ...(blocked === undefined ? {} : { blocked }),
      }
      return [node, end]
    }),
  )
}

/** The last attempt at each node that began and did not end, with its events. */
async function cutOffIn(
  events: readonly StoredEvent[],
  ended: ReadonlyMap<string, NodeEnd>,
  engine: Engine,
): Promise<WorkflowRun['cutOff']> {
  const { store } = engine
  const begun = events.filter((event) => event.type === 'node.started')
  const open = new Map(begun.filter(({ data }) => !ended.has(data.node)).map(({ data }) => [data.node, data]))
  const cutOff: WorkflowRun['cutOff'] = new Map()
  for (const [node, { runId, attempt = 1 }] of open) {
    if (runId === undefined) continue
    cutOff.set(node, { runId, attempt, events: await store.readRun(runId) })
  }
  return cutOff
}

/** Closes the run of an agent whose node was interrupted and is not resumed: it must not look active. */
async function closeWithin(parentRunId: string, engine: Engine): Promise<void> {
  for (const { runId } of await engine.store.listRuns({ parentRunId, open: true }))
    await closeInterrupted(engine, runId)
}
