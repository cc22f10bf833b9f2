/** Whether an open run still has a worker: a dead process cannot record that itself. */
import { questionOf } from '../journal/questions.ts'
import { firstEvent } from '../journal/read.ts'
import type { RunRow, Store } from '../journal/store.ts'
import { type Standing, traceOf } from '../journal/trace.ts'
import { readNewestTrace, type TraceWindow } from '../journal/trace-window.ts'
import type { Trace } from '../protocol/trace.ts'
import type { Leases } from '../storage/leases.ts'
import { isSessionHeld } from './lease.ts'

/** The running run of a session, in any process: a session runs one turn at a time. */
export async function runAtWork(store: Store, leases: Leases, sessionId: string): Promise<string | undefined> {
  if (!(await isSessionHeld(leases, sessionId))) return undefined
  const open = await store.listRuns({ sessionId, open: true })
  const latest = open.find(({ parentRunId }) => parentRunId === undefined)
  if (latest === undefined || (await questionOf(store, latest.runId)) !== undefined) return undefined
  return latest.runId
}

/** Undefined when the run has ended. Scouts and nodes have the liveness of the run that started them. */
export async function standingOf(
  store: Store,
  leases: Leases,
  { runId, sessionId }: Pick<RunRow, 'runId' | 'sessionId'>,
): Promise<Standing | undefined> {
  // Checked first: a worker records the end before it releases its lease, and that must not look like a crash.
  const atWork = await runAtWork(store, leases, sessionId)
  if (atWork !== undefined && atWork === (await rootOf(store, { runId, sessionId }))) return 'at-work'
  if ((await questionOf(store, runId)) !== undefined) return 'waiting'
  const [last] = (await store.readOf([runId], ['run.started', 'run.stopped'])).reverse()
  return last?.type === 'run.stopped' ? undefined : 'cut-off'
}

async function rootOf(store: Store, { runId, sessionId }: Pick<RunRow, 'runId' | 'sessionId'>): Promise<string> {
  const parents = new Map((await store.listRuns({ sessionId })).map((row) => [row.runId, row.parentRunId]))
  let root = runId
  for (let above = parents.get(root); above !== undefined; above = parents.get(above)) root = above
  return root
}

/** S3's trace of a run, with its current liveness. */
export async function traceRun(store: Store, leases: Leases, runId: string): Promise<Trace> {
  const standing = await currentStanding(store, leases, runId)
  return traceOf(await store.readRun(runId), standing)
}

/** With its newest calls only: a long run has more than anyone reads at once. */
export async function traceNewest(
  store: Store,
  leases: Leases,
  { runId, atLeast }: { runId: string; atLeast: number },
): Promise<TraceWindow> {
  const standing = await currentStanding(store, leases, runId)
  return readNewestTrace(store, runId, { standing, atLeast })
}

async function currentStanding(store: Store, leases: Leases, runId: string): Promise<Standing | undefined> {
  const first = await firstEvent(store, runId)
  return first === undefined ? undefined : standingOf(store, leases, first)
}
