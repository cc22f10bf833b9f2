import { askPartToEnd } from '../../dispatch/lease.ts'
import { WritError } from '../../errors/writ-error.ts'
import { scoutStates } from '../../journal/scout-states.ts'
import { type Bound, on } from '../endpoint.ts'
import { runningScouts, scoutView } from '../scout-list.ts'
import type { ServerDeps } from '../server-deps.ts'

export function scoutRoutes(deps: ServerDeps): Bound[] {
  const { current, store, leases, access } = deps
  const live = () => current.agents.flatMap((agent) => agent.scouts.list().map((scout) => ({ agent, scout })))
  return [
    on('GET /api/scouts', async ({ query: { session, run }, who }) => {
      if (run !== undefined) {
        const { sessionId } = await access.run(run, who, 'read')
        const children = (await store.listRuns({ sessionId, parentRunId: run })).reverse()
        const events = await Promise.all(children.map(({ runId }) => store.readRun(runId)))
        return { scouts: scoutStates(events.flat()).map(scoutView) }
      }
      if (session !== undefined) {
        await access.session(session, who, 'read')
        return { scouts: scoutStates(await store.readSession(session)).map(scoutView) }
      }
      const here = live().map(({ scout }) => scout)
      const known = new Set(here.map(({ scoutId }) => scoutId))
      const elsewhere = (await runningScouts(deps)).filter(({ scoutId }) => !known.has(scoutId))
      const mine = await Promise.all(
        [...here, ...elsewhere].map(async (scout) => {
          const allowed = await access.session(scout.sessionId, who, 'read').then(
            () => true,
            () => false,
          )
          return allowed ? [scoutView(scout)] : []
        }),
      )
      return { scouts: mine.flat() }
    }),
    on('POST /api/scouts/:id/cancel', async ({ params: { id }, who }) => {
      const here = live().find(({ scout }) => scout.scoutId === id || scout.callId === id)
      const found = here?.scout ?? (await runningScouts(deps)).find(({ scoutId }) => scoutId === id)
      if (found === undefined) throw new WritError('SCOUT_UNKNOWN', { id })
      await access.session(found.sessionId, who, 'change')
      if (here === undefined) await askPartToEnd(leases, id)
      else here.agent.scouts.cancel(id)
      return { ok: true }
    }),
  ]
}
