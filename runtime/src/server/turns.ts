/** Turns, open questions and aborts, as the endpoints need them. */

import type { Context } from 'hono'
import type { RunResult } from '../assembly/turns.ts'
import { drain } from '../base/wait.ts'
import { askToEnd } from '../dispatch/lease.ts'
import { runAtWork } from '../dispatch/liveness.ts'
import { WritError } from '../errors/writ-error.ts'
import { hitsFor } from '../intent/guard.ts'
import { PRICES, type PriceTable } from '../journal/prices.ts'
import { waitingQuestions } from '../journal/questions.ts'
import { firstEvent } from '../journal/read.ts'
import { totalOf } from '../journal/totals.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'
import type { Whose } from '../protocol/principal.ts'
import type { OpenQuestion } from './contract/governance.ts'
import type { RunResultView } from './contract/shapes.ts'
import { failureOf } from './failure.ts'
import type { Work } from './live-runs.ts'
import type { ServerDeps } from './server-deps.ts'
import { followSession, frame, streamed } from './stream.ts'

/** Oldest first. */
export async function openQuestions(
  { store, liveRuns }: Pick<ServerDeps, 'store' | 'liveRuns'>,
  filter: { whose: Whose } | { sessionId: string },
): Promise<OpenQuestion[]> {
  return (await waitingQuestions(store, filter)).filter(({ runId }) => !liveRuns.isLive(runId))
}

/** Throws while a question is open: the next message would leave it unanswered. */
export async function assertNoQuestion(deps: ServerDeps, sessionId: string): Promise<void> {
  if ((await openQuestions(deps, { sessionId })).length === 0) return
  throw new WritError('SESSION_WAITING.http')
}

/** Checks again when the turn starts: the turn before it may have left an open question. */
export async function* whenNoQuestion<R>(
  deps: ServerDeps,
  sessionId: string,
  open: () => AsyncGenerator<Event, R>,
): AsyncGenerator<Event, R> {
  await assertNoQuestion(deps, sessionId)
  return yield* open()
}

/** Whether this or another process is working on the run. A parked run is not being worked on. */
export async function isInProgress(deps: ServerDeps, { runId, sessionId }: StoredEvent): Promise<boolean> {
  const { liveRuns, store, leases } = deps
  if (liveRuns.isLive(runId)) return true
  return runId === (await runAtWork(store, leases, sessionId))
}

/** Stops runs of a session: live runs are aborted, parked and interrupted ones are resumed only to be stopped. */
export async function abort(
  deps: ServerDeps,
  which: { sessionId: string } | { runId: string; sessionId: string },
): Promise<string[]> {
  const { liveRuns, store, leases } = deps
  const { sessionId } = which
  const stopped = liveRuns.abort('runId' in which ? { runId: which.runId } : which)
  const open = (await store.listRuns({ sessionId, open: true })).filter(
    ({ runId, parentRunId }) =>
      parentRunId === undefined && !liveRuns.isLive(runId) && (!('runId' in which) || which.runId === runId),
  )
  const elsewhere = await runAtWork(store, leases, sessionId)
  for (const { runId } of open) {
    const first = await firstEvent(store, runId)
    if (first === undefined || !RESUMABLE.has(first.mode)) continue
    const isNotified = runId === elsewhere && (await askToEnd(leases, sessionId))
    if (!isNotified) await drain(resumeToStop(deps, first))
    stopped.push(runId)
  }
  return stopped
}

/** Other runs end with the request that started them. */
const RESUMABLE: ReadonlySet<string> = new Set(['chat', 'routine', 'workflow'])

function resumeToStop({ current }: ServerDeps, { runId, mode }: StoredEvent): AsyncGenerator<Event, unknown> {
  const aborted = { signal: AbortSignal.abort() }
  return mode === 'workflow' ? current.agent.workflows.resume(runId, aborted) : current.agent.resume(runId, aborted)
}

export async function viewOf(deps: ServerDeps, result: RunResult): Promise<RunResultView> {
  const { metadata, ...rest } = result
  const { execution } = metadata
  const { intentGuard: policy } = deps.current.agent.config.policy
  const hits = hitsFor({ label: execution.intent, policy }, execution.hits)
  return {
    ...rest,
    metadata: {
      execution: {
        ...execution,
        hits: hits as Record<string, number>,
        total: await totalOf(deps.store, result.runId, pricesOf(deps)),
      },
    },
  }
}

export function pricesOf({ current }: ServerDeps): PriceTable {
  return { ...PRICES, ...current.agent.config.config.prices }
}

/** Streams the events of the turn, then its result. A client that disconnects can continue after the last id. */
export function turnStream<R>(
  deps: ServerDeps,
  work: Work<R>,
  { after, c, view }: { after: number; c: Context; view(result: R): Promise<unknown> },
): Response {
  async function* frames(): AsyncGenerator<string> {
    const { turnId } = await work.started.catch(() => ({ turnId: '' }))
    const only = (event: { turnId: string }) => event.turnId === turnId
    yield* followSession(deps, work.sessionId, { after, signal: c.req.raw.signal, until: work.result, only })
    try {
      yield frame('result', await view(await work.result))
    } catch (error) {
      yield frame('error', failureOf(error, c.get('lang')))
    }
  }
  return streamed(frames(), c)
}
