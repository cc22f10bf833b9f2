/** Results of runs, read from their journals. */
import { type RunResult, runResult } from '../assembly/turns.ts'
import { fold } from '../journal/fold.ts'
import type { Workflow } from '../workflow/document.ts'
import { resultOf } from '../workflow/result.ts'
import { endsIn } from '../workflow/resume.ts'
import type { WorkflowResult } from '../workflow/run.ts'
import type { ReadEnd } from './jobs.ts'

/** The caller adds the cost; it knows the prices. */
const UNPRICED = {}
const PARKED = { reply: '', notices: [], stopReason: 'parked' as const }

/** Undefined until the turn is committed or parked. */
export const turnEnd: ReadEnd<RunResult> = async (store, { runId, after }) => {
  const last = (await store.readOf([runId], ['turn.committed', 'run.parked', 'run.resumed'])).at(-1)
  if (last === undefined || last.seq <= after || last.type === 'run.resumed') return undefined
  const events = await store.readRun(runId)
  const started = events.find((event) => event.type === 'run.started')
  const state = fold(events, { history: [] })
  const { reply, notices, stopReason } = last.type === 'turn.committed' ? last.data : PARKED
  const turn = { reply, notices, stopReason, sessionId: state.sessionId, runId, state }
  return runResult(turn, { store, prices: UNPRICED, model: started?.data.model ?? '', hits: state.hits })
}

export const workflowEnd: ReadEnd<WorkflowResult> = async (store, { runId }) => {
  const [stopped] = await store.readOf([runId], ['run.stopped'])
  if (stopped?.type !== 'run.stopped') return undefined
  const events = await store.readRun(runId)
  const started = events.find((event) => event.type === 'workflow.started')
  const workflow = (started?.data.document ?? { nodes: [] }) as Workflow
  const result = resultOf({ workflow, ended: endsIn(events) }, stopped.data.stop.reason)
  return { runId, sessionId: stopped.sessionId, ...result }
}
