/** Adding and changing routines: whatever is kept can be run as it stands. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { nearest } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Redact } from '../journal/redact.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../protocol/policy.ts'
import { EVERYONE, type Principal, type Whose } from '../protocol/principal.ts'
import type { RoutineArchive } from '../storage/routine-archive.ts'
import type { Routine, RoutineDraft, Routines } from '../storage/routine-port.ts'
import { localZone, nextAfter, parseSchedule } from './schedule.ts'
import { routineTexts } from './texts.ts'

interface RoutinesDeps {
  archive: RoutineArchive
  clock: Clock
  redact: Redact
  /** What the configuration grants; no routine gets more. */
  autonomy: Autonomy
  lang: Lang
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,63}$/u
const MAX_TASK = 8000
/** An agent that may add routines must not be able to fill the clock with them. */
const MAX_ROUTINES = 100

/** `adder`: whose the routines are that are added; those of `whose` are seen and changed. */
export function openRoutines(
  { archive, clock, redact, autonomy: granted, lang }: RoutinesDeps,
  { whose, adder }: { whose: Whose; adder: Principal },
): Routines {
  const texts = routineTexts(lang)
  const refuse = (code: string, fact: string, hint: string) => new WritError(code, fact, { hint })

  async function known<T>(name: string, found: T | undefined): Promise<T> {
    if (found !== undefined) return found
    const names = (await archive.list(whose)).map((routine) => routine.name)
    const near = nearest(name, names)
    const hint = near === undefined ? texts.unknownHint : texts.didYouMean({ name: near })
    throw refuse('ROUTINE_UNKNOWN', texts.unknown({ name }), hint)
  }
  function plan(draft: RoutineDraft): Routine {
    const { schedule, timeZone = localZone(), autonomy, approvals = [], createdBy } = draft
    const name = draft.name.normalize()
    const task = draft.task.trim()
    if (!NAME.test(name)) throw refuse('ROUTINE_NAME', texts.name({ name }), texts.nameHint)
    if (task === '' || task.length > MAX_TASK || task.includes('\0')) {
      throw refuse('ROUTINE_TASK', texts.task({ max: MAX_TASK }), texts.taskHint)
    }
    const grantable = AUTONOMY_LEVELS.slice(0, AUTONOMY_LEVELS.indexOf(granted) + 1)
    if (autonomy !== undefined && !grantable.includes(autonomy)) {
      throw refuse('ROUTINE_AUTONOMY', texts.autonomy({ wanted: autonomy, granted }), texts.autonomyHint)
    }
    const now = clock.now()
    return {
      name,
      schedule: schedule.trim(),
      timeZone,
      task: redact(task),
      ...(autonomy === undefined ? {} : { autonomy }),
      ...(approvals.length === 0 ? {} : { approvals: [...approvals] }),
      paused: false,
      createdAt: now,
      createdBy,
      owner: adder,
      nextDueAt: nextAfter(parseSchedule(schedule, timeZone, texts), now),
    }
  }
  return {
    plan,
    async add(draft) {
      const routine = plan(draft)
      if ((await archive.list(EVERYONE)).length >= MAX_ROUTINES) {
        throw refuse('ROUTINE_LIMIT', texts.tooMany({ max: MAX_ROUTINES }), texts.tooManyHint)
      }
      if (await archive.insert(routine)) return routine
      throw refuse('ROUTINE_TAKEN', texts.taken(routine), texts.takenHint)
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
      const nextDueAt = nextAfter(parseSchedule(routine.schedule, routine.timeZone, texts), clock.now())
      return known(name, await archive.resume(whose, routine.name, nextDueAt))
    },
  }
}
