import { scoutStates } from '../../journal/scout-states.ts'
import { type Bound, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import { scoutView } from '../scout-list.ts'
import type { Setup } from '../setup.ts'

export function scoutRoutes({ desk, store, access, texts }: Setup): Bound[] {
  const live = () => desk.agents.flatMap((agent) => agent.scouts.list().map((scout) => ({ agent, scout })))
  return [
    on('GET /api/scouts', async ({ query: { session, run }, who }) => {
      if (run !== undefined) {
        const { sessionId } = await access.run(run, who)
        const children = (await store.listRuns({ sessionId, parentRunId: run })).reverse()
        const events = await Promise.all(children.map(({ runId }) => store.readRun(runId)))
        return { scouts: scoutStates(events.flat()).map(scoutView) }
      }
      if (session !== undefined) {
        await access.session(session, who)
        return { scouts: scoutStates(await store.readSession(session)).map(scoutView) }
      }
      const mine = await Promise.all(
        live().map(async ({ scout }) => {
          const allowed = await access.session(scout.sessionId, who).then(
            () => true,
            () => false,
          )
          return allowed ? [scoutView(scout)] : []
        }),
      )
      return { scouts: mine.flat() }
    }),
    on('POST /api/scouts/:id/cancel', async ({ params: { id }, who }) => {
      const found = live().find(({ scout }) => scout.scoutId === id || scout.callId === id)
      if (found === undefined) throw new Refusal(404, 'SCOUT_UNKNOWN', { message: texts.scoutUnknown({ id }) })
      await access.session(found.scout.sessionId, who)
      found.agent.scouts.cancel(id)
      return { ok: true }
    }),
  ]
}
