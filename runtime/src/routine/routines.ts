/** Adds and changes routines; what is stored is valid and can run. */
import type { Clock } from '../base/clock.ts'
import { present } from '../base/present.ts'
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Redact } from '../journal/redact.ts'
import type { Routine, RoutineDraft, Routines } from '../ports/routines.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { RoutineArchive } from '../storage/routine-archive.ts'
import { localZone, nextAfter, parseSchedule } from './schedule.ts'

interface RoutinesDeps {
  archive: RoutineArchive
  clock: Clock
  redact: Redact
  /** What the configuration grants: the maximum for a routine. */
  autonomy: Autonomy
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,63}$/u
const MAX_TASK = 8000
/** An agent that may add routines must not be able to add them without end. */
const MAX_ROUTINES = 100

/** Lists and changes the routines of `whose`; new ones belong to `adder`. */
export function openRoutines(
  { archive, clock, redact, autonomy: granted }: RoutinesDeps,
  { whose, adder }: { whose: Whose; adder: Principal },
): Routines {
  async function known<T>(name: string, found: T | undefined): Promise<T> {
    if (found !== undefined) return found
    const names = (await archive.list(whose)).map((routine) => routine.name)
    throw new WritError('ROUTINE_UNKNOWN', { name, nearest: nearest(name, names) })
  }
  function plan(draft: RoutineDraft): Routine {
    const { schedule, timeZone = localZone(), autonomy, approvals = [], createdBy } = draft
    const name = draft.name.normalize()
    const task = draft.task.trim()
    if (!NAME.test(name)) throw new WritError('ROUTINE_NAME', { name })
    if (task === '' || task.length > MAX_TASK || task.includes('\0')) {
      throw new WritError('ROUTINE_TASK', { max: MAX_TASK })
    }
    const grantable = AUTONOMY_LEVELS.slice(0, AUTONOMY_LEVELS.indexOf(granted) + 1)
    if (autonomy !== undefined && !grantable.includes(autonomy)) {
      throw new WritError('ROUTINE_AUTONOMY', { requested: autonomy, granted })
    }
    const now = clock.now()
    return {
      name,
      schedule: schedule.trim(),
      timeZone,
      task: redact(task),
      ...present({ autonomy, approvals: approvals.length === 0 ? undefined : [...approvals] }),
      paused: false,
      createdAt: now,
      createdBy,
      owner: adder,
      nextDueAt: nextAfter(parseSchedule(schedule, timeZone), now),
    }
  }
  return {
    plan,
    async add(draft) {
      const routine = plan(draft)
      if ((await archive.list(EVERYONE)).length >= MAX_ROUTINES) {
        throw new WritError('ROUTINE_LIMIT', { max: MAX_ROUTINES })
      }
      if (await archive.insert(routine)) return routine
      throw new WritError('ROUTINE_TAKEN', { name: routine.name })
    },
    list: () => archive.list(whose),
    demand: async (name) => known(name, await archive.find(whose, name.normalize())),
    async remove(name) {
      await known(name, (await archive.remove(whose, name.normalize())) || undefined)
    },
    pause: async (name) => known(name, await archive.pause(whose, name.normalize())),
    async resume(name) {
      const routine = await known(name, await archive.find(whose, name.normalize()))
      if (!routine.paused) return routine
      const nextDueAt = nextAfter(parseSchedule(routine.schedule, routine.timeZone), clock.now())
      return known(name, await archive.resume(whose, routine.name, nextDueAt))
    },
  }
}
