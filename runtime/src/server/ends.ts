/** How runs ended, read from their journals. */
import type { RunResult } from '../assembly/agent.ts'
import { fold } from '../journal/fold.ts'
import type { Workflow } from '../workflow/document.ts'
import type { WorkflowResult } from '../workflow/job.ts'
import { endsIn } from '../workflow/resume.ts'
import type { ReadEnd } from './jobs.ts'

const PARKED = { reply: '', notices: [], stopReason: 'parked' as const }

/** Committed, or parked with a question. */
export const turnEnd: ReadEnd<RunResult> = async (store, { runId, after }) => {
  const last = (await store.readOf([runId], ['turn.committed', 'run.parked', 'run.resumed'])).at(-1)
  if (last === undefined || last.seq <= after || last.type === 'run.resumed') return undefined
  const events = await store.readRun(runId)
  const started = events.find((event) => event.type === 'run.started')
  const { steps, toolCalls, usage, hits, taskIntent, sessionId } = fold(events, { history: [] })
  const { reply, notices, stopReason } = last.type === 'turn.committed' ? last.data : PARKED
  const model = started?.data.model ?? ''
  const execution = { stopReason, model, steps, toolCalls, usage, intent: taskIntent.label, hits }
  return { reply, stopReason, notices, sessionId, runId, metadata: { execution } }
}

export const workflowEnd: ReadEnd<WorkflowResult> = async (store, { runId }) => {
  const [stopped] = await store.readOf([runId], ['run.stopped'])
  if (stopped?.type !== 'run.stopped') return undefined
  const events = await store.readRun(runId)
  const started = events.find((event) => event.type === 'workflow.started')
  const order = ((started?.data.document ?? { nodes: [] }) as Workflow).nodes.map(({ id }) => id)
  const ends = [...endsIn(events)].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const { reason } = stopped.data.stop
  return {
    runId,
    sessionId: stopped.sessionId,
    ok: reason === 'final',
    stopReason: reason,
    outputs: Object.fromEntries(ends.flatMap(([id, { outputs }]) => (outputs === undefined ? [] : [[id, outputs]]))),
    nodes: Object.fromEntries(
      ends.map(([id, { state, elapsedMs, error }]) => [
        id,
        { state, elapsedMs, ...(error === undefined ? {} : { error }) },
      ]),
    ),
  }
}
