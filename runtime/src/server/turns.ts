/** A turn from message to result, and what it left open. */
import type { Context } from 'hono'
import type { RunResult } from '../assembly/agent.ts'
import { drain } from '../base/wait.ts'
import type { Store } from '../journal/store.ts'
import type { EventOf, StoredEvent } from '../protocol/event.ts'
import type { Question } from '../protocol/verdict.ts'
import type { OpenQuestion } from './contract/governance.ts'
import type { RunResultView } from './contract/shapes.ts'
import { failureOf, Refusal } from './failure.ts'
import type { Work } from './hub.ts'
import type { Setup } from './setup.ts'
import { followSession, frame, streamed } from './stream.ts'

/** Waiting in their journals, the oldest first: runs that are parked, and runs a crash cut off while they asked. */
export async function openQuestions(
  { store, hub }: Pick<Setup, 'store' | 'hub'>,
  filter: { owner?: string; sessionId?: string },
): Promise<OpenQuestion[]> {
  const rows = (await store.listRuns({ ...filter, open: true })).filter(({ runId }) => !hub.isLive(runId))
  const asking = await asked(
    store,
    rows.map(({ runId }) => runId),
  )
  return rows
    .flatMap(({ runId, sessionId }) => {
      const { task, last } = asking.get(runId) ?? {}
      if (last?.type !== 'confirm.asked') return []
      return [{ runId, sessionId, task: task ?? '', askedAt: last.timestamp, question: last.data.question }]
    })
    .sort((a, b) => a.askedAt - b.askedAt)
}

type Asking = { task: string; last?: EventOf<'confirm.asked'> | EventOf<'confirm.answered'> }

async function asked(store: Store, runIds: readonly string[]): Promise<Map<string, Asking>> {
  const events = await store.readOf(runIds, ['run.started', 'confirm.asked', 'confirm.answered'])
  const found = new Map<string, Asking>()
  for (const event of events) {
    const { task = '' } = found.get(event.runId) ?? {}
    if (event.type === 'run.started') found.set(event.runId, { task: event.data.task })
    else if (event.type === 'confirm.asked' || event.type === 'confirm.answered') {
      found.set(event.runId, { task, last: event })
    }
  }
  return found
}

export async function questionOf(store: Store, runId: string): Promise<Question | undefined> {
  const { last } = (await asked(store, [runId])).get(runId) ?? {}
  return last?.type === 'confirm.asked' ? last.data.question : undefined
}

/** Throws while a question is open: the next message would leave it behind unanswered. */
export async function demandNoQuestion(setup: Setup, sessionId: string): Promise<void> {
  const { texts } = setup
  if ((await openQuestions(setup, { sessionId })).length === 0) return
  const about = { message: texts.sessionWaiting, hint: texts.sessionWaitingHint }
  throw new Refusal(409, 'SESSION_WAITING', about)
}

/** Goes on with a run that was cut off or waits. */
export function resume(
  setup: Setup,
  { runId, sessionId }: StoredEvent,
  by?: { callId: string; answer: 'y' | 'n' | 'a'; by: string },
) {
  const { hub, desk } = setup
  return hub.start(
    sessionId,
    (signal) => {
      if (by === undefined) return desk.agent.resume(runId, { signal })
      const { callId, ...said } = by
      // An answer is to one question; the next one waits for its own.
      return desk.agent.resume(runId, {
        signal,
        confirm: async (question) => (question.callId === callId ? said : 'later'),
      })
    },
    runId,
  )
}

/** Ends runs of a session: those under way at once, those that wait for an answer by taking them up to end them. */
export async function abort(
  setup: Setup,
  which: { sessionId: string } | { runId: string; sessionId: string },
): Promise<string[]> {
  const { hub, desk, store } = setup
  const live = hub.abort('runId' in which ? { runId: which.runId } : which)
  const open = (await store.listRuns({ sessionId: which.sessionId, mode: 'chat', open: true })).filter(
    ({ runId, parentRunId }) =>
      parentRunId === undefined && !hub.isLive(runId) && (!('runId' in which) || which.runId === runId),
  )
  for (const { runId } of open) await drain(desk.agent.resume(runId, { signal: AbortSignal.abort() }))
  return [...live, ...open.map(({ runId }) => runId)]
}

export async function viewOf(setup: Setup, result: RunResult): Promise<RunResultView> {
  const { metadata, ...rest } = result
  const { execution } = metadata
  const question = result.stopReason === 'parked' ? await questionOf(setup.store, result.runId) : undefined
  return {
    ...rest,
    ...(question === undefined ? {} : { question }),
    metadata: { execution: { ...execution, hits: execution.hits as Record<string, number> } },
  }
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
      yield frame('error', failureOf(error, setup.texts))
    }
  }
  return streamed(frames(), c)
}
