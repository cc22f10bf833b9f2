/** Routines are due while the server runs, too; a due time is claimed in the database, so each is run once. */
import type { RunResult } from '../assembly/agent.ts'
import { firingOf } from '../assembly/routine-desk.ts'
import { messageOf } from '../base/errors.ts'
import type { Firing, RoutineEngine } from '../routine/engine.ts'
import type { Setup } from './setup.ts'

export interface RoutineWatch {
  /** Begins nothing more; what runs goes on. */
  rest(): void
  /** Ends what still runs. */
  stop(): Promise<void>
}

/** Runs routines as every other run of the server is run: seen, counted, and to be stopped by hand. */
export function routineEngineOf({ desk, hub, log }: Setup): RoutineEngine {
  const runTask = (firing: Firing): Promise<RunResult> => {
    const { owner: principal, task, signal: wish } = firing
    const { agent } = desk
    const sessionId = agent.engine.newId('ses')
    const routine = firingOf(firing)
    const work = hub.start(sessionId, (signal) =>
      agent.stream(task, { sessionId, principal, signal: AbortSignal.any([signal, wish]), routine }),
    )
    return work.result
  }
  return desk.agent.routines.engineFor(desk.agent, {
    runTask,
    tell: (news) => {
      if (news.type === 'error') log('error', 'routine.failed', { name: news.name, error: messageOf(news.error) })
      else log('info', news.type, { name: news.name })
    },
  })
}

export function watchRoutines(setup: Setup): RoutineWatch {
  const end = new AbortController()
  const cut = new AbortController()
  const running = routineEngineOf(setup)
    .start(end.signal, { cut: cut.signal })
    .catch((error: unknown) => setup.log('error', 'routines.stopped', { error: messageOf(error) }))
  return {
    rest: () => end.abort(),
    async stop() {
      end.abort()
      cut.abort()
      await running
    },
  }
}
