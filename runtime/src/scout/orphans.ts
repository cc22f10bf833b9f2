/** Scouts whose process died. Their runs are closed, so that they no longer appear to be running. */
import type { Engine } from '../agent/turn.ts'
import { messages } from '../i18n/locale.ts'
import { fold } from '../journal/fold.ts'
import { firstEvent } from '../journal/read.ts'
import { continueLog } from '../journal/run-lifecycle.ts'
import { scoutStates } from '../journal/scout-states.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { openRecorder } from './recorder.ts'

/** The scouts a run had sent; called before the run is resumed. */
export async function closeOrphans(engine: Engine, parentRunId: string): Promise<number> {
  const first = await firstEvent(engine.store, parentRunId)
  if (first === undefined) return 0
  const events = await engine.store.readSession(first.sessionId)
  const chains = Map.groupBy(
    events.filter(({ scoutId }) => scoutId !== null),
    ({ runId }) => runId,
  )
  const orphans = [...chains.values()].filter(
    (chain) =>
      chain.some((event) => event.type === 'SCOUT_TRIGGERED' && event.data.parentRunId === parentRunId) &&
      !chain.some(({ type }) => type === 'run.stopped'),
  )
  for (const chain of orphans) await close(engine, chain)
  return orphans.length
}

async function close(engine: Engine, chain: StoredEvent[]): Promise<void> {
  const last = chain.at(-1)
  const [scout] = scoutStates(chain)
  if (last === undefined || scout === undefined) return
  const log = continueLog(engine, last, chain)
  const began = chain.some(({ type }) => type === 'run.started')
  const { steps, toolCalls, usage } = began ? fold(chain, { history: [] }) : NO_WORK
  const text = messages(engine.lang).stop.interrupted
  if (began) log.note('run.interrupted', {}, 'interrupted')
  log.note('run.stopped', { stop: { reason: 'interrupted', text }, steps, toolCalls, usage }, 'interrupted')
  const recorder = openRecorder(log, () => {}, scout.state)
  // A queued scout had not started, so it did not fail.
  const waited = scout.state === 'QUEUED'
  recorder.move(waited ? 'ABORTED' : 'FAILED', 'interrupted')
  const status = waited ? 'aborted' : 'failed'
  const error = { code: 'INTERRUPTED', message: text }
  const result = { scoutId: last.scoutId, task: scout.task, status, summary: '', evidence: [], confidence: 0, error }
  recorder.say(waited ? 'SCOUT_ABORTED' : 'SCOUT_FAILED', { result }, 'interrupted')
  if (chain.some(({ type }) => type === 'SCOUT_SLOT_ACQUIRED')) recorder.say('SCOUT_SLOT_RELEASED', {}, status)
  await log.flush()
}

const NO_WORK = { steps: 0, toolCalls: 0, usage: { inputTokens: 0, outputTokens: 0 } }
