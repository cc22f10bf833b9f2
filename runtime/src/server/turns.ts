/** A turn from message to result, and what it left open. */
import type { Context } from 'hono'
import type { RunResult } from '../assembly/agent.ts'
import { drain } from '../base/wait.ts'
import { askToEnd } from '../dispatch/lease.ts'
import { runAtWork } from '../dispatch/standing.ts'
import { hitsFor } from '../intent/guard.ts'
import { PRICES, type PriceTable } from '../journal/prices.ts'
import { questionOf, waitingQuestions } from '../journal/questions.ts'
import { totalOf } from '../journal/totals.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'
import type { Whose } from '../protocol/principal.ts'
import type { OpenQuestion } from './contract/governance.ts'
import type { RunResultView } from './contract/shapes.ts'
import { failureOf, Refusal } from './failure.ts'
import type { Work } from './hub.ts'
import type { Setup } from './setup.ts'
import { followSession, frame, streamed } from './stream.ts'
import { serverTexts } from './texts.ts'

/** Waiting in their journals, the oldest first. */
export async function openQuestions(
  { store, hub }: Pick<Setup, 'store' | 'hub'>,
  filter: { whose: Whose } | { sessionId: string },
): Promise<OpenQuestion[]> {
  return (await waitingQuestions(store, filter)).filter(({ runId }) => !hub.isLive(runId))
}

/** Throws while a question is open: the next message would leave it behind unanswered. */
export async function demandNoQuestion(setup: Setup, sessionId: string): Promise<void> {
  if ((await openQuestions(setup, { sessionId })).length === 0) return
  throw new Refusal(409, 'SESSION_WAITING', {
    message: (t) => t.sessionWaiting,
    hint: (t) => t.sessionWaitingHint,
  })
}

/** A message's turn, looked at once more when it has come: the one before it may have left a question. */
export async function* inTurn<R>(
  setup: Setup,
  sessionId: string,
  open: () => AsyncGenerator<Event, R>,
): AsyncGenerator<Event, R> {
  await demandNoQuestion(setup, sessionId)
  return yield* open()
}

/** Whether somebody works on it, here or in another process. A run that waits for an answer is nobody's. */
export async function isAtWork(setup: Setup, { runId, sessionId }: StoredEvent): Promise<boolean> {
  const { hub, store, leases } = setup
  if (hub.isLive(runId)) return true
  return runId === (await runAtWork(store, leases, sessionId))
}

/** Ends runs of a session: those under way at once, those that wait or were cut off by taking them up to end them. */
export async function abort(
  setup: Setup,
  which: { sessionId: string } | { runId: string; sessionId: string },
): Promise<string[]> {
  const { hub, store, leases } = setup
  const { sessionId } = which
  const ended = hub.abort('runId' in which ? { runId: which.runId } : which)
  const open = (await store.listRuns({ sessionId, open: true })).filter(
    ({ runId, parentRunId }) =>
      parentRunId === undefined && !hub.isLive(runId) && (!('runId' in which) || which.runId === runId),
  )
  const elsewhere = await runAtWork(store, leases, sessionId)
  for (const { runId } of open) {
    const [first] = await store.readRun(runId, 0, 1)
    if (first === undefined || !TAKEN_UP.has(first.mode)) continue
    const isAsked = runId === elsewhere && (await askToEnd(leases, sessionId))
    if (!isAsked) await drain(endOf(setup, first))
    ended.push(runId)
  }
  return ended
}

/** Others live and die with the request that began them. */
const TAKEN_UP: ReadonlySet<string> = new Set(['chat', 'routine', 'workflow'])

function endOf({ desk }: Setup, { runId, mode }: StoredEvent): AsyncGenerator<Event, unknown> {
  const over = { signal: AbortSignal.abort() }
  return mode === 'workflow' ? desk.agent.workflows.resume(runId, over) : desk.agent.resume(runId, over)
}

export async function viewOf(setup: Setup, result: RunResult): Promise<RunResultView> {
  const { metadata, ...rest } = result
  const { execution } = metadata
  const { intentGuard: policy } = setup.desk.agent.config.policy
  const hits = hitsFor({ label: execution.intent, policy }, execution.hits)
  const question = result.stopReason === 'parked' ? await questionOf(setup.store, result.runId) : undefined
  return {
    ...rest,
    ...(question === undefined ? {} : { question }),
    metadata: {
      execution: {
        ...execution,
        hits: hits as Record<string, number>,
        total: await totalOf(setup.store, result.runId, pricesOf(setup)),
      },
    },
  }
}

export function pricesOf({ desk }: Setup): PriceTable {
  return { ...PRICES, ...desk.agent.config.config.prices }
}

/** The events of the turn as they are stored, then its result. Whoever leaves can come back by the last id. */
export function turnStream<R>(
  setup: Setup,
  work: Work<R>,
  { after, c, view }: { after: number; c: Context; view(result: R): Promise<unknown> },
): Response {
  async function* frames(): AsyncGenerator<string> {
    const { turnId } = await work.started.catch(() => ({ turnId: '' }))
    const only = (event: { turnId: string }) => event.turnId === turnId
    yield* followSession(setup, work.sessionId, { after, signal: c.req.raw.signal, until: work.result, only })
    try {
      yield frame('result', await view(await work.result))
    } catch (error) {
      yield frame('error', failureOf(error, serverTexts(c.get('lang'))))
    }
  }
  return streamed(frames(), c)
}
