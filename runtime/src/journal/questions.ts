/** Questions that wait in the journals of their runs for somebody to answer them. */
import type { Event, EventOf, EventType } from '../protocol/event.ts'
import type { Question } from '../protocol/verdict.ts'
import type { RunFilter, Store } from './store.ts'

export interface WaitingQuestion {
  runId: string
  sessionId: string
  task: string
  askedAt: number
  question: Question
}

const MARKS: readonly EventType[] = ['run.started', 'confirm.asked', 'confirm.answered', 'run.parked', 'run.resumed']

/** The oldest first: of runs that are parked, and of runs that were cut off while they asked. */
export async function waitingQuestions(
  store: Pick<Store, 'listRuns' | 'readOf'>,
  filter: Pick<RunFilter, 'owner' | 'sessionId'>,
): Promise<WaitingQuestion[]> {
  const rows = await store.listRuns({ ...filter, open: true })
  const waiting = await askedIn(
    store,
    rows.map(({ runId }) => runId),
  )
  return waiting.sort((a, b) => a.askedAt - b.askedAt)
}

export async function questionOf(store: Pick<Store, 'readOf'>, runId: string): Promise<Question | undefined> {
  return (await askedIn(store, [runId]))[0]?.question
}

async function askedIn(store: Pick<Store, 'readOf'>, runIds: readonly string[]): Promise<WaitingQuestion[]> {
  const runs = Map.groupBy(await store.readOf(runIds, MARKS), ({ runId }) => runId)
  return [...runs.values()].flatMap((marks): WaitingQuestion[] => {
    const asked = marks.findLast(
      (event): event is EventOf<'confirm.asked'> & typeof event => event.type === 'confirm.asked',
    )
    const last = marks.findLast((event) => !isRevocation(event))
    const started = marks.find((event) => event.type === 'run.started')
    // Whoever has taken it up is about to say what was answered.
    if (asked === undefined || (last?.type !== 'confirm.asked' && last?.type !== 'run.parked')) return []
    const { runId, sessionId, timestamp, data } = asked
    const task = started?.type === 'run.started' ? started.data.task : ''
    return [{ runId, sessionId, task, askedAt: timestamp, question: data.question }]
  })
}

/** An "always" taken back is noted in the session's latest run, whatever that waits for; it answers nothing. */
export function isRevocation({ type, data }: Event): boolean {
  return type === 'confirm.answered' && data.callId === ''
}
