/** How a run begins in the journal, how its log is continued, and how one is closed whose process died. */
import { present } from '../base/present.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import type { EventData, EventOf, StoredEvent } from '../protocol/event.ts'
import { LOCAL } from '../protocol/principal.ts'
import { fold } from './fold.ts'
import { type LogDeps, RunLog } from './journal.ts'
import { RunAccount } from './run-account.ts'
import type { Store } from './store.ts'

type Started = EventData['run.started']
type Always = 'task' | 'profile' | 'model' | 'lang' | 'route'

/** A key that is undefined here is absent in the journal; so is the owner when it is the local user. */
export type RunStart = Pick<Started, Always> & { [K in Exclude<keyof Started, Always>]?: Started[K] | undefined }

export function beginRun(log: RunLog, start: RunStart): StoredEvent & EventOf<'run.started'> {
  const { tools = [], history = 0, approvals = [], owner, ...rest } = start
  const data = { ...rest, tools, history, approvals, owner: owner === LOCAL ? undefined : owner }
  return log.note('run.started', present(data) as Started) as StoredEvent & EventOf<'run.started'>
}

/** Appends to the run whose last stored event this is. With all its events, the run is counted on. */
export function continueLog(deps: LogDeps, last: StoredEvent, events?: readonly StoredEvent[]): RunLog {
  const { sessionId, turnId, runId, scoutId, mode, seq, hash } = last
  const account = events && RunAccount.of(events)
  return new RunLog(deps, { sessionId, turnId, runId, scoutId, mode }, { seq, hash, account })
}

export interface CloseDeps extends LogDeps {
  store: Pick<Store, 'append' | 'readRun'>
  lang: Lang
}

/** Ends a run that is not resumed. The caller holds its session: nothing else works on it. */
export async function closeInterrupted(deps: CloseDeps, runId: string): Promise<void> {
  const events = await deps.store.readRun(runId)
  const last = events.at(-1)
  if (last === undefined || events.some(({ type }) => type === 'run.stopped')) return
  const log = continueLog(deps, last, events)
  noteInterrupted(log, { ...fold(events, { history: [] }), lang: deps.lang })
  await log.flush()
}

/** The caller flushes. */
export function noteInterrupted(
  log: RunLog,
  { steps, toolCalls, usage, lang }: Pick<EventData['run.stopped'], 'steps' | 'toolCalls' | 'usage'> & { lang: Lang },
): void {
  const stop = { reason: 'interrupted', text: messages(lang).stop.interrupted } as const
  log.note('run.interrupted', {}, stop.reason)
  log.note('run.stopped', { stop, steps, toolCalls, usage }, stop.reason)
}
