/**
 * Runs what is due, once per due time however many processes watch the same routines. A due time is claimed in the
 * database before anything runs; one that cannot be run in time is left out, and the journal says so.
 */
import { WritError } from '../base/errors.ts'
import type { IdSource } from '../base/id.ts'
import type { Lang } from '../i18n/locale.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import type { EventData } from '../protocol/event.ts'
import type { Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal } from '../protocol/principal.ts'
import type { Stage } from '../protocol/verdict.ts'
import type { RoutineArchive } from '../storage/routine-archive.ts'
import type { Routine } from '../storage/routine-port.ts'
import { nextAfter, parseSchedule } from './schedule.ts'
import { routineTexts } from './texts.ts'
import type { Timer } from './timer.ts'

export interface Firing {
  routineName: string
  /** Whom the run works for. */
  owner: Principal
  task: string
  dueAt: number
  autonomy?: Autonomy
  approvals?: string[]
  signal: AbortSignal
}

export interface Outcome {
  /** With the stop reason `clarification` it is a question that nobody was there to answer. */
  reply: string
  stopReason: string
  runId: string
  /** Calls that were refused. */
  denials?: readonly { stage: Stage }[]
}

/** What there is to tell while the engine runs, under the names the journal has for it. */
export type News =
  | { type: 'routine.fired'; name: string; dueAt: number }
  | ({ type: 'routine.finished'; name: string; refused?: true } & Omit<Outcome, 'denials'>)
  | ({ type: 'routine.skipped' } & EventData['routine.skipped'])
  | { type: 'error'; name?: string; error: unknown }

export interface EngineDeps {
  archive: RoutineArchive
  store: Store
  redact: Redact
  timer: Timer
  newId: IdSource
  lang: Lang
  /** Runs one task unattended, with the events of its routine in the journal of its run. */
  runTask(firing: Firing): Promise<Outcome>
  tell?(news: News): void
}

export interface RoutineEngine {
  /** Until `signal` says stop; what runs then is waited for, unless `cut` ends it too. */
  start(signal: AbortSignal, options?: { cut?: AbortSignal }): Promise<void>
  /** Outside the schedule, which it leaves as it is. Throws ROUTINE_BUSY while the routine is running. */
  runNow(routine: Routine, signal: AbortSignal): Promise<Outcome>
}

/** Routines are added and changed by other processes too. */
const POLL_MS = 1000
const RETRY_MS = 10_000
/** Later than this, the process was down or asleep and the due time is over. */
const LATE_MS = 5000
const HOLD_MS = 60_000
const RENEW_MS = 20_000

/** Refusals that a model cannot heal by asking better: what the routine needs was not allowed. */
const LASTING: readonly Stage[] = ['authority', 'scope', 'content', 'human']

/** It came to an end by itself, and yet went without something it wanted to do. */
export function wasRefused({ stopReason, denials = [] }: Pick<Outcome, 'stopReason' | 'denials'>): boolean {
  const isGoodEnd = stopReason === 'final' || stopReason === 'reported' || stopReason === 'clarification'
  return isGoodEnd && denials.some(({ stage }) => LASTING.includes(stage))
}

export function routineEngine(deps: EngineDeps): RoutineEngine {
  const { archive, timer, newId, runTask, tell = () => {} } = deps
  const holdBy = (holder: string) => ({ holder, now: timer.now(), until: timer.now() + HOLD_MS })

  /** Runs a routine that is held already, and lets go of it whatever happens. */
  async function run(routine: Routine, at: { dueAt: number; holder: string; signal: AbortSignal }): Promise<Outcome> {
    const { name, task, autonomy, approvals, owner } = routine
    const { dueAt, holder } = at
    const over = new AbortController()
    const lost = new AbortController()
    const signal = AbortSignal.any([at.signal, lost.signal])
    const holding = keepHolding(name, holder, over.signal).then((kept) => kept || lost.abort())
    tell({ type: 'routine.fired', name, dueAt })
    let end: { runId?: string; stop: string } = { stop: 'internal_error' }
    try {
      const held = {
        ...(autonomy === undefined ? {} : { autonomy }),
        ...(approvals === undefined ? {} : { approvals }),
      }
      const firing = { routineName: name, owner, task, dueAt, signal, ...held }
      const result = await runTask(firing)
      end = { runId: result.runId, stop: wasRefused(result) ? 'refused' : result.stopReason }
      return result
    } catch (error) {
      if (error instanceof WritError && error.code === 'RUN_INTERRUPTED') end = { stop: 'interrupted' }
      throw error
    } finally {
      over.abort()
      await holding
      await archive.finish(name, { holder, ...end })
    }
  }

  /** False when the hold ran out, as after a long sleep, and somebody else has the routine now. */
  async function keepHolding(name: string, holder: string, over: AbortSignal): Promise<boolean> {
    for (;;) {
      await timer.sleep(RENEW_MS, over)
      if (over.aborted) return true
      try {
        if (!(await archive.renew(name, holdBy(holder)))) return false
      } catch (error) {
        tell({ type: 'error', name, error })
      }
    }
  }

  async function skip(data: EventData['routine.skipped']): Promise<void> {
    const { name, why } = data
    const place = { sessionId: `routine_${name}`, turnId: newId('turn'), runId: newId('run'), scoutId: null }
    const log = new RunLog({ ...deps, clock: timer }, { ...place, mode: 'routine' })
    log.note('routine.skipped', data, why)
    await log.flush()
    tell({ type: 'routine.skipped', ...data })
  }

  /** Runs or leaves out a due time that has come; answers with the one after it. */
  async function meet(routine: Routine, at: { cut: AbortSignal; running: Set<Promise<void>> }): Promise<number> {
    const { name, nextDueAt: dueAt } = routine
    const schedule = parseSchedule(routine.schedule, routine.timeZone)
    const now = timer.now()
    const following = nextAfter(schedule, dueAt)
    const missed = now - dueAt > LATE_MS || following <= now
    const due = { name, dueAt, nextDueAt: missed ? nextAfter(schedule, now) : following }
    const holder = newId('hold')
    const claimed = missed ? undefined : await archive.claim(due, holdBy(holder))
    if (claimed !== undefined) {
      const ended = run(claimed, { dueAt, holder, signal: at.cut })
        .then((outcome) => {
          const { reply, stopReason, runId } = outcome
          const refused = wasRefused(outcome) ? ({ refused: true } as const) : {}
          tell({ type: 'routine.finished', name, reply, stopReason, runId, ...refused })
        })
        .catch((error: unknown) => tell({ type: 'error', name, error }))
        .finally(() => at.running.delete(ended))
      at.running.add(ended)
      return due.nextDueAt
    }
    const passed = await archive.pass(due)
    if (passed !== undefined) {
      await skip({ name, dueAt, why: passed.paused ? 'paused' : missed ? 'missed' : 'overlap' })
    }
    return due.nextDueAt
  }

  return {
    async start(signal, { cut = new AbortController().signal } = {}) {
      const running = new Set<Promise<void>>()
      while (!signal.aborted) {
        let wakeAt = timer.now() + POLL_MS
        const failed = (name?: string) => (error: unknown) => {
          tell({ type: 'error', error, ...(name === undefined ? {} : { name }) })
          return wakeAt
        }
        try {
          for (const routine of await archive.list(EVERYONE)) {
            const { name, nextDueAt } = routine
            const isDue = nextDueAt <= timer.now() && !signal.aborted
            const next = isDue ? await meet(routine, { cut, running }).catch(failed(name)) : nextDueAt
            wakeAt = Math.min(wakeAt, next)
          }
        } catch (error) {
          failed()(error)
          wakeAt = timer.now() + RETRY_MS
        }
        await timer.sleep(wakeAt - timer.now(), signal)
      }
      await Promise.all(running)
    },

    async runNow(routine, signal) {
      const { name } = routine
      const holder = newId('hold')
      if (!(await archive.hold(name, holdBy(holder)))) {
        const texts = routineTexts(deps.lang)
        throw new WritError('ROUTINE_BUSY', texts.busy({ name }), { hint: texts.busyHint })
      }
      return run(routine, { dueAt: timer.now(), holder, signal })
    },
  }
}
