/** Open approval questions, read from the journals. */
import { canonical } from '../base/json.ts'
import { present } from '../base/present.ts'
import type { Event, EventOf, EventType } from '../protocol/event.ts'
import type { Question } from '../protocol/verdict.ts'
import type { RunFilter, Store } from './store.ts'

export interface WaitingQuestion {
  runId: string
  sessionId: string
  task: string
  askedAt: number
  /** The number of its event: a changed question has another. */
  asked: number
  question: Question
  /** The outside agent that asks. It makes the call itself, so the call cannot be edited. */
  outside?: OutsideAgent
}

type OutsideAgent = NonNullable<EventOf<'run.started'>['data']['outside']>

const MARKS: readonly EventType[] = [
  'run.started',
  'confirm.asked',
  'confirm.answered',
  'confirm.edited',
  'run.parked',
  'run.resumed',
]

/** Oldest first: questions of parked runs, and of runs that were cut off while asking. */
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

export async function askedIn(store: Pick<Store, 'readOf'>, runIds: readonly string[]): Promise<WaitingQuestion[]> {
  const runs = Map.groupBy(await store.readOf(runIds, MARKS), ({ runId }) => runId)
  return [...runs.values()].flatMap((marks): WaitingQuestion[] => {
    const asked = marks.findLast(
      (event): event is EventOf<'confirm.asked'> & typeof event => event.type === 'confirm.asked',
    )
    const last = marks.findLast((event) => !isRevocation(event))
    const started = marks.find((event) => event.type === 'run.started')
    // A worker has resumed it and is about to record the answer.
    if (asked === undefined || (last?.type !== 'confirm.asked' && last?.type !== 'run.parked')) return []
    const { runId, sessionId, timestamp, seq, data } = asked
    const { task = '', outside } = started?.type === 'run.started' ? started.data : {}
    const { args, ...unchangeable } = data.question
    const question = outside === undefined ? data.question : unchangeable
    return [{ runId, sessionId, task, askedAt: timestamp, asked: seq, question, ...present({ outside }) }]
  })
}

/** A revoked standing approval is recorded in the session's latest run; it is not an answer to an open question. */
export function isRevocation({ type, data }: Event): boolean {
  return type === 'confirm.answered' && data.callId === ''
}

/** A relative time in a preview changes with every view. */
const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g

/** Whether an approval of one question covers the other, both as journaled. */
export function isSameQuestion(one: Question | undefined, other: Question): boolean {
  if (one === undefined) return false
  // Journals before there were offers: their open questions stay answered by the same answer.
  const { args: _, offers: __, ...older } = other
  return askedFor(one) === askedFor(one.args === undefined ? older : other)
}

function askedFor({ message: _, preview, ...rest }: Question): string {
  return canonical({ ...rest, preview: preview.replace(INSTANTS, '') })
}

/**
 * Where the question of a call is in its run: the latest, and the one that an external answer refers to. They differ
 * when a run was resumed with an answer and its call had changed: if that worker dies, the answer still refers to the
 * old question until the run is parked on the new one.
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
