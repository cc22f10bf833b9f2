import { messageOf } from '../../base/errors.ts'
import { type Bound, on } from '../endpoint.ts'
import { routineEngineOf } from '../routine-watch.ts'
import type { Setup } from '../setup.ts'

export function routineRoutes(setup: Setup): Bound[] {
  const { desk, log } = setup
  return [
    on('GET /api/routines', async () => ({ routines: await desk.agent.routines.routines.list() })),
    on('POST /api/routines', ({ body, who }) => {
      const { name, schedule, task, timeZone, autonomy } = body
      return desk.agent.routines.routines.add({
        name,
        schedule,
        task,
        createdBy: who.name,
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(autonomy === undefined ? {} : { autonomy }),
      })
    }),
    on('DELETE /api/routines/:name', async ({ params: { name } }) => {
      await desk.agent.routines.routines.remove(name)
      return { ok: true }
    }),
    on('POST /api/routines/:name/pause', ({ params: { name } }) => desk.agent.routines.routines.pause(name)),
    on('POST /api/routines/:name/resume', ({ params: { name } }) => desk.agent.routines.routines.resume(name)),
    on('POST /api/routines/:name/run', async ({ params: { name } }) => {
      const routine = await desk.agent.routines.routines.demand(name)
      routineEngineOf(setup)
        .runNow(routine, new AbortController().signal)
        .catch((error: unknown) => log('error', 'routine.failed', { name, error: messageOf(error) }))
      return { name }
    }),
  ]
}
