/**
 * Runs due routines, once per due time however many processes watch them. A due time is claimed in the database before
 * anything runs; one that cannot run in time is skipped, and the journal records that.
 */
import type { IdSource } from '../base/id.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import type { Routine } from '../ports/routines.ts'
import type { EventData } from '../protocol/event.ts'
import type { Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal } from '../protocol/principal.ts'
import type { Stage } from '../protocol/verdict.ts'
import type { RoutineArchive } from '../storage/routine-archive.ts'
import { nextAfter, parseSchedule } from './schedule.ts'
import type { Timer } from './timer.ts'

export interface Firing {
  routineName: string
  /** The principal the run works for. */
  owner: Principal
  task: string
  dueAt: number
  autonomy?: Autonomy | undefined
  approvals?: string[] | undefined
  signal: AbortSignal
}

export interface Outcome {
  /** With the stop reason `clarification`, a question that no person could answer. */
  reply: string
  stopReason: string
  runId: string
  /** Denied calls. */
  denials?: readonly { stage: Stage }[]
}

/** What the engine reports while it runs; the types are those of the journal. */
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
  /** Runs one task unattended; its run records the routine's events. */
  runTask(firing: Firing): Promise<Outcome>
  tell?(news: News): void
}

export interface RoutineEngine {
  /** Works until `signal` is aborted, then waits for running tasks unless `cut` aborts them. */
  start(signal: AbortSignal, options?: { cut?: AbortSignal }): Promise<void>
  /** Outside the schedule, which does not change. Throws ROUTINE_BUSY while the routine is running. */
  runNow(routine: Routine, signal: AbortSignal): Promise<Outcome>
}

/** Other processes add and change routines too. */
const POLL_MS = 1000
const RETRY_MS = 10_000
/** Later than this, the process was down or suspended, and the due time is missed. */
const LATE_MS = 5000
const HOLD_MS = 60_000
const RENEW_MS = 20_000

/** Denials that a better call cannot avoid: the routine lacks an approval. */
const PERMISSION_STAGES: readonly Stage[] = ['authority', 'scope', 'content', 'human']

/** The run finished, but calls it needed were denied. */
export function wasRefused({ stopReason, denials = [] }: Pick<Outcome, 'stopReason' | 'denials'>): boolean {
  const isGoodEnd = stopReason === 'final' || stopReason === 'reported' || stopReason === 'clarification'
  return isGoodEnd && denials.some(({ stage }) => PERMISSION_STAGES.includes(stage))
}

type Reporting = EngineDeps & Required<Pick<EngineDeps, 'tell'>>

export function routineEngine({ tell = () => {}, ...given }: EngineDeps): RoutineEngine {
  const deps: Reporting = { ...given, tell }
  const { archive, timer, newId } = deps

  /** Runs or skips a due time; returns the next one. */
  async function handleDue(routine: Routine, at: { cut: AbortSignal; running: Set<Promise<void>> }): Promise<number> {
    const { name, nextDueAt: dueAt } = routine
    const schedule = parseSchedule(routine.schedule, routine.timeZone)
    const now = timer.now()
    const following = nextAfter(schedule, dueAt)
    const missed = now - dueAt > LATE_MS || following <= now
    const due = { name, dueAt, nextDueAt: missed ? nextAfter(schedule, now) : following }
    const holder = newId('hold')
    const claimed = missed ? undefined : await archive.claim(due, holdBy(holder, timer))
    if (claimed !== undefined) {
      const ended = run(deps, claimed, { dueAt, holder, signal: at.cut })
        .then((outcome) => {
          const { reply, stopReason, runId } = outcome
          const refused = wasRefused(outcome) ? (true as const) : undefined
          tell({ type: 'routine.finished', name, reply, stopReason, runId, ...present({ refused }) })
        })
        .catch((error: unknown) => tell({ type: 'error', name, error }))
        .finally(() => at.running.delete(ended))
      at.running.add(ended)
      return due.nextDueAt
    }
    const passed = await archive.pass(due)
    if (passed !== undefined) {
      await skip(deps, { name, dueAt, why: passed.paused ? 'paused' : missed ? 'missed' : 'overlap' })
    }
    return due.nextDueAt
  }

  return {
    async start(signal, { cut = new AbortController().signal } = {}) {
      const running = new Set<Promise<void>>()
      while (!signal.aborted) {
        let wakeAt = timer.now() + POLL_MS
        const failed = (name?: string) => (error: unknown) => {
          tell({ type: 'error', error, ...present({ name }) })
          return wakeAt
        }
        try {
          for (const routine of await archive.list(EVERYONE)) {
            const { name, nextDueAt } = routine
            const isDue = nextDueAt <= timer.now() && !signal.aborted
            const next = isDue ? await handleDue(routine, { cut, running }).catch(failed(name)) : nextDueAt
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
      if (!(await archive.hold(name, holdBy(holder, timer)))) {
        throw new WritError('ROUTINE_BUSY', { name })
      }
      return run(deps, routine, { dueAt: timer.now(), holder, signal })
    },
  }
}

/** Runs a routine this process holds, and releases it whatever happens. */
async function run(
  { archive, timer, runTask, tell }: Reporting,
  routine: Routine,
  at: { dueAt: number; holder: string; signal: AbortSignal },
): Promise<Outcome> {
  const { name, task, autonomy, approvals, owner } = routine
  const { dueAt, holder } = at
  const over = new AbortController()
  const lost = new AbortController()
  const signal = AbortSignal.any([at.signal, lost.signal])
  const holding = keepHolding({ archive, timer, tell }, { name, holder, over: over.signal }).then(
    (isHeld) => isHeld || lost.abort(),
  )
  tell({ type: 'routine.fired', name, dueAt })
  let end: { runId?: string; stop: string } = { stop: 'internal_error' }
  try {
    const result = await runTask({ routineName: name, owner, task, dueAt, signal, autonomy, approvals })
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

/** False when the hold expired, as after a long suspension, and another process holds the routine now. */
async function keepHolding(
  { archive, timer, tell }: Pick<Reporting, 'archive' | 'timer' | 'tell'>,
  { name, holder, over }: { name: string; holder: string; over: AbortSignal },
): Promise<boolean> {
  for (;;) {
    await timer.sleep(RENEW_MS, over)
    if (over.aborted) return true
    try {
      if (!(await archive.renew(name, holdBy(holder, timer)))) return false
    } catch (error) {
      tell({ type: 'error', name, error })
    }
  }
}

async function skip(deps: Reporting, data: EventData['routine.skipped']): Promise<void> {
  const { name, why } = data
  const { newId, timer, tell } = deps
  const place = { sessionId: `routine_${name}`, turnId: newId('turn'), runId: newId('run'), scoutId: null }
  const log = new RunLog({ ...deps, clock: timer }, { ...place, mode: 'routine' })
  log.note('routine.skipped', data, why)
  await log.flush()
  tell({ type: 'routine.skipped', ...data })
}

function holdBy(holder: string, timer: Timer) {
  return { holder, now: timer.now(), until: timer.now() + HOLD_MS }
}
