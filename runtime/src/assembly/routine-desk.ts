/** Routines beside the journal, held to what the configuration grants, and run through an agent. */

import type { RoutineFiring } from '../agent/routine.ts'
import { openData, type Setting } from '../agent/setting.ts'
import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/id.ts'
import type { Store } from '../journal/store.ts'
import { LOCAL, type Principal, type Whose } from '../protocol/principal.ts'
import { type EngineDeps, type Firing, type RoutineEngine, routineEngine } from '../routine/engine.ts'
import { openRoutines } from '../routine/routines.ts'
import { systemTimer } from '../routine/timer.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { routineArchive } from '../storage/routine-archive.ts'
import type { Routines } from '../storage/routine-port.ts'

/** Who does the work: an agent. */
interface Performer {
  store: Store
  run(
    task: string,
    at: { signal: AbortSignal; routine: RoutineFiring; principal: Principal },
  ): ReturnType<EngineDeps['runTask']>
}

export interface RoutineDesk {
  /** The local user's. */
  routines: Routines
  /** Those that somebody may see and change; what is added belongs to `adder`. */
  routinesOf(whose: Whose, adder: Principal): Routines
  /** Runs them through an agent, unattended; `runTask` may be given to watch a run. */
  engineFor(agent: Performer, own?: Partial<Pick<EngineDeps, 'runTask' | 'tell'>>): RoutineEngine
}

/** What its run is told of a firing, and its journal keeps. */
export function firingOf({ routineName: name, dueAt, autonomy, approvals }: Firing): RoutineFiring {
  return {
    name,
    dueAt,
    ...(autonomy === undefined ? {} : { autonomy }),
    ...(approvals === undefined ? {} : { approvals }),
  }
}

/** For those who have no agent; the caller closes it. */
export async function openRoutineDesk(setting: Setting): Promise<RoutineDesk & { close(): Promise<void> }> {
  const db = await openData(setting)
  return { ...routineDesk(db, setting), close: () => db.close() }
}

export function routineDesk(db: ActingDatabase, { loaded, redact }: Setting): RoutineDesk {
  const { lang } = loaded
  const { autonomy } = loaded.policy.security
  const archive = routineArchive(db)
  const deps = { archive, clock: systemClock, redact, autonomy, lang }
  const routinesOf: RoutineDesk['routinesOf'] = (whose, adder) => openRoutines(deps, { whose, adder })
  return {
    routines: routinesOf(LOCAL, LOCAL),
    routinesOf,
    engineFor: (agent, own = {}) =>
      routineEngine({
        archive,
        store: agent.store,
        redact,
        timer: systemTimer,
        newId: randomIds,
        lang,
        runTask(firing) {
          const { owner: principal, task, signal } = firing
          return agent.run(task, { signal, routine: firingOf(firing), principal })
        },
        ...own,
      }),
  }
}
