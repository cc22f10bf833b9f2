/** Questions that wait in the journals of their runs for somebody to answer them. */
import { canonical } from '../base/json.ts'
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
  filter: Pick<RunFilter, 'whose' | 'sessionId'>,
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

/** A time that a preview reckons from now is another at every look. */
const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g

/** Whether a yes to the one is a yes to the other, both as the journal keeps them. */
export function isSameQuestion(one: Question | undefined, other: Question): boolean {
  return one !== undefined && askedFor(one) === askedFor(other)
}

function askedFor({ message: _, preview, ...rest }: Question): string {
  return canonical({ ...rest, preview: preview.replace(INSTANTS, '') })
}

/**
 * Where the question of a call stands in its run: the latest, and the one that an answer from elsewhere is to. They
 * differ while the run is taken up with an answer and what it would do has become something else: a worker that dies
 * then leaves its answer to the next, and until the run was parked on the new question that answer is to the old one.
 */
export async function placesOfQuestion(
  store: Pick<Store, 'readOf'>,
  runId: string,
  callId: string,
): Promise<{ latest: number | undefined; shown: number | undefined }> {
  let latest: number | undefined
  let shown: number | undefined
  for (const { type, data, seq } of await store.readOf([runId], ['confirm.asked', 'run.parked'])) {
    if (type === 'confirm.asked' && data.question.callId === callId) {
      latest = seq
      shown ??= seq
    } else if (type === 'run.parked' && data.callId === callId) shown = latest
  }
  return { latest, shown }
}
