/** One scout from the queue to its result. Whatever happens, it ends in one final state and releases its slot. */
import { type ChildEnd, type ChildRun, runChild } from '../agent/child.ts'
import type { Engine } from '../agent/turn.ts'
import { messageOf } from '../base/errors.ts'
import { RunLog } from '../journal/journal.ts'
import type { Event } from '../protocol/event.ts'
import type { Principal } from '../protocol/principal.ts'
import type { ScoutState } from '../protocol/scout.ts'
import type { Stop } from '../protocol/stop.ts'
import { conclude } from './conclusion.ts'
import type { Release, Slots } from './concurrency.ts'
import type { ScoutTaskInput, ScoutTaskResult } from './contracts.ts'
import { Notebook } from './notebook.ts'
import { type ScoutConfig, scoutProfile } from './profile.ts'
import { openRecorder, type Recorder } from './recorder.ts'
import { scoutTexts } from './texts.ts'

export interface ScoutRun {
  input: ScoutTaskInput
  /** With the policy of the run that sent it. */
  engine: Engine
  config: ScoutConfig
  slots: Slots
  /** Which of the sending run's scouts it is, counted from 1. */
  n: number
  runId: string
  turnId: string
  parentRunId: string
  callId: string
  /** The owner of the run that sent it. */
  owner: Principal
  signal: AbortSignal
  /** Streams the scout's events and updates its entry in the list of live scouts. */
  emit(event: Event): void
}

export async function runScout(scout: ScoutRun): Promise<ScoutTaskResult> {
  const { input, engine, slots, config, signal, n, runId, turnId, parentRunId, callId } = scout
  const { sessionId, scoutId, task, constraints } = input
  const log = new RunLog(engine, { sessionId, turnId, runId, scoutId, mode: 'scout' })
  const recorder = openRecorder(log, scout.emit)
  const notebook = new Notebook()
  recorder.say('SCOUT_TRIGGERED', { n, task, constraints, parentRunId, callId }, config.dispatchToolName)
  const { running, waiting } = slots.load(sessionId)
  recorder.say('SCOUT_QUEUED', { n, running, waiting }, 'submitted')
  // Queued before anything is awaited: the order of submission is the order of the queue.
  const slot = slots.acquire(sessionId, { limit: config.maxConcurrentScouts, owner: scout.owner, signal })
  slot.catch(() => {})
  let release: Release | undefined
  let started = false
  const finish = async (ending: Stop): Promise<ScoutTaskResult> => {
    const { result, path } = conclude(ending, { scout, notebook, forced: recorder.forced })
    for (const state of path) recorder.move(state, ending.reason)
    recorder.say(ENDS[recorder.state] ?? 'SCOUT_FAILED', { result }, endReason(result))
    if (release !== undefined) recorder.say('SCOUT_SLOT_RELEASED', { n }, result.status)
    if (!started) scout.emit(log.note('run.stopped', { stop: ending, ...NO_WORK }, ending.reason))
    // Stored together with `run.stopped`, which seals the journal.
    await log.flush()
    return result
  }
  try {
    await log.flush()
    release = await slot.catch(() => undefined)
    if (release === undefined) return await finish(CANCELLED)
    recorder.say('SCOUT_SLOT_ACQUIRED', { n }, 'free')
    recorder.move('PREPARE', 'slot')
    const child = prepare(scout, log)
    if (signal.aborted) return await finish(CANCELLED)
    recorder.move('RUNNING', 'prepared')
    recorder.say('SCOUT_STARTED', { n, task, ...constraints }, 'running')
    started = true
    return await finish(await follow(runChild(engine, child), { notebook, recorder }))
  } catch (error) {
    const ending: Stop = { reason: 'internal_error', text: messageOf(error) }
    // When the store fails, the main session still gets the result.
    return finish(ending).catch(() => conclude(ending, { scout, notebook, forced: false }).result)
  } finally {
    if (release === undefined)
      void slot.then(
        (releaseLate) => releaseLate(),
        () => {},
      )
    else release()
  }
}

function prepare({ input, engine, config, n, parentRunId, owner, signal }: ScoutRun, log: RunLog): ChildRun {
  const { task, constraints, allowedTools, contextSnapshot } = input
  const { maxSteps, maxToolCalls, timeoutMs } = constraints
  const limits = { calls: maxToolCalls, steps: maxSteps, seconds: Math.ceil(timeoutMs / 1000), tools: allowedTools }
  const { prompt, examples } = scoutTexts(engine.lang)
  return {
    log,
    parentRunId,
    owner,
    task,
    profile: scoutProfile(config, { constraints, allowedTools }),
    system: prompt(limits),
    examples,
    purpose: `scout:${n}`,
    signal,
    given: contextSnapshot.length === 0 ? undefined : { history: contextSnapshot },
  }
}

async function follow(
  run: AsyncGenerator<Event, ChildEnd>,
  { notebook, recorder }: { notebook: Notebook; recorder: Recorder },
): Promise<Stop> {
  for (;;) {
    const next = await run.next()
    if (next.done) return next.value.stop
    notebook.take(next.value)
    recorder.follow(next.value)
  }
}

const CANCELLED: Stop = { reason: 'aborted', text: '' }
const NO_WORK = { steps: 0, toolCalls: 0, usage: { inputTokens: 0, outputTokens: 0 } }

const ENDS: Partial<Record<ScoutState, Parameters<Recorder['say']>[0]>> = {
  COMPLETED: 'SCOUT_COMPLETED',
  TIMEOUT: 'SCOUT_TIMEOUT',
  ABORTED: 'SCOUT_ABORTED',
}

function endReason({ status, reason, error }: ScoutTaskResult): string {
  return error?.code ?? reason ?? status
}
