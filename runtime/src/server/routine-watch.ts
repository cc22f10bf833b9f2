/** Runs due routines while the server runs. A due time is claimed in the database, so each runs once. */

import { firingOf } from '../assembly/routines.ts'
import type { RunResult } from '../assembly/turns.ts'
import { messageOf } from '../base/errors.ts'
import type { Firing, RoutineEngine } from '../routine/engine.ts'
import type { ServerDeps } from './server-deps.ts'

export interface RoutineWatch {
  /** Starts no more routines; running ones continue. */
  pause(): void
  /** Aborts running routines. */
  stop(): Promise<void>
}

/** Executes routines through `LiveRuns`, so they are visible, counted and can be stopped. */
export function routineEngineOf({ current, liveRuns, log }: ServerDeps): RoutineEngine {
  const runTask = (firing: Firing): Promise<RunResult> => {
    const { owner: principal, task, signal: routineSignal } = firing
    const { agent } = current
    const sessionId = agent.engine.newId('ses')
    const routine = firingOf(firing)
    const work = liveRuns.start(sessionId, (signal) =>
      agent.stream(task, { sessionId, principal, signal: AbortSignal.any([signal, routineSignal]), routine }),
    )
    return work.result
  }
  return current.agent.routines.engineFor(current.agent, {
    runTask,
    tell: (news) => {
      if (news.type === 'error') log('error', 'routine.failed', { name: news.name, error: messageOf(news.error) })
      else log('info', news.type, { name: news.name })
    },
  })
}

export function watchRoutines(deps: ServerDeps): RoutineWatch {
  const end = new AbortController()
  const cut = new AbortController()
  const running = routineEngineOf(deps)
    .start(end.signal, { cut: cut.signal })
    .catch((error: unknown) => deps.log('error', 'routines.stopped', { error: messageOf(error) }))
  return {
    pause: () => end.abort(),
    async stop() {
      end.abort()
      cut.abort()
      await running
    },
  }
}
