/** Decisions whose process died. Their window is over, so they are ended and not taken up again. */
import { messages } from '../i18n/locale.ts'
import { fold } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import type { Journaling } from './log.ts'

/** The caller holds the run's session: nothing else is at work on it. */
export async function closeInterrupted(at: Journaling, runId: string): Promise<void> {
  const events = await at.store.readRun(runId)
  const last = events.at(-1)
  if (last === undefined || events.some(({ type }) => type === 'run.stopped')) return
  const { sessionId, turnId, scoutId, mode, seq, hash } = last
  const { steps, toolCalls, usage } = fold(events, { history: [] })
  const log = new RunLog(at, { sessionId, turnId, runId, scoutId, mode }, { seq, hash })
  const stop = { reason: 'interrupted', text: messages(at.lang).stop.interrupted } as const
  log.note('run.interrupted', {}, stop.reason)
  log.note('run.stopped', { stop, steps, toolCalls, usage }, stop.reason)
  await log.flush()
}
