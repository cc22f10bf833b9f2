import { messageOf } from '../../base/errors.ts'
import { present } from '../../base/present.ts'
import type { Act } from '../access.ts'
import { type Bound, on } from '../endpoint.ts'
import { routineEngineOf } from '../routine-watch.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { Caller } from '../tokens.ts'

export function routineRoutes(deps: ServerDeps): Bound[] {
  const { current, log, access } = deps
  /** Some scopes reach everyone's routines; new ones always belong to the caller. */
  const routinesOf = (who: Caller, act: Act) => {
    const { whose } = access.scopeOf(who, act)
    return current.agent.routines.routinesOf(whose, who.principal)
  }
  return [
    on('GET /api/routines', async ({ who }) => ({ routines: await routinesOf(who, 'read').list() })),
    on('POST /api/routines', ({ body, who }) => {
      const { name, schedule, task, timeZone, autonomy } = body
      return routinesOf(who, 'change').add({
        name,
        schedule,
        task,
        createdBy: who.name,
        ...present({ timeZone, autonomy }),
      })
    }),
    on('DELETE /api/routines/:name', async ({ params: { name }, who }) => {
      await routinesOf(who, 'change').remove(name)
      return { ok: true }
    }),
    on('POST /api/routines/:name/pause', ({ params: { name }, who }) => routinesOf(who, 'change').pause(name)),
    on('POST /api/routines/:name/resume', ({ params: { name }, who }) => routinesOf(who, 'change').resume(name)),
    on('POST /api/routines/:name/run', async ({ params: { name }, who }) => {
      const routine = await routinesOf(who, 'change').demand(name)
      routineEngineOf(deps)
        .runNow(routine, new AbortController().signal)
        .catch((error: unknown) => log('error', 'routine.failed', { name, error: messageOf(error) }))
      return { name }
    }),
  ]
}
