/** Routines in the agent's database, limited by the configuration and run by an agent. */

import type { RoutineFiring } from '../agent/routine.ts'
import { openData, type WorkspaceContext } from '../agent/workspace-context.ts'
import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/id.ts'
import { present } from '../base/present.ts'
import type { Store } from '../journal/store.ts'
import type { Routines } from '../ports/routines.ts'
import { LOCAL, type Principal, type Whose } from '../protocol/principal.ts'
import { type EngineDeps, type Firing, type RoutineEngine, routineEngine } from '../routine/engine.ts'
import { openRoutines } from '../routine/routines.ts'
import { systemTimer } from '../routine/timer.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { routineArchive } from '../storage/routine-archive.ts'

/** The part of an agent that runs a routine's task. */
interface TaskRunner {
  store: Store
  run(
    task: string,
    at: { signal: AbortSignal; routine: RoutineFiring; principal: Principal },
  ): ReturnType<EngineDeps['runTask']>
}

export interface AgentRoutines {
  /** The local user's routines. */
  routines: Routines
  /** The routines of `whose`; new ones belong to `adder`. */
  routinesOf(whose: Whose, adder: Principal): Routines
  /** Runs them unattended with an agent; pass `runTask` to watch a run. */
  engineFor(agent: TaskRunner, own?: Partial<Pick<EngineDeps, 'runTask' | 'tell'>>): RoutineEngine
}

/** The part of a firing that its run records. */
export function firingOf({ routineName: name, dueAt, autonomy, approvals }: Firing): RoutineFiring {
  return { name, dueAt, ...present({ autonomy, approvals }) }
}

/** Without an agent; the caller closes it. */
export async function openWorkspaceRoutines(
  context: WorkspaceContext,
): Promise<AgentRoutines & { close(): Promise<void> }> {
  const db = await openData(context)
  return { ...agentRoutines(db, context), close: () => db.close() }
}

export function agentRoutines(db: ActingDatabase, { loaded, redact }: WorkspaceContext): AgentRoutines {
  const { autonomy } = loaded.policy.security
  const archive = routineArchive(db)
  const deps = { archive, clock: systemClock, redact, autonomy }
  const routinesOf: AgentRoutines['routinesOf'] = (whose, adder) => openRoutines(deps, { whose, adder })
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
        runTask(firing) {
          const { owner: principal, task, signal } = firing
          return agent.run(task, { signal, routine: firingOf(firing), principal })
        },
        ...own,
      }),
  }
}
