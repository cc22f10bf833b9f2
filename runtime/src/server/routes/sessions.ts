import type { Revocable } from '../../agent/approvals.ts'
import { assertOutputSchema } from '../../agent/output.ts'
import { revokeUnderLease } from '../../assembly/session-lease.ts'
import type { JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { whileEmitting } from '../../base/wait.ts'
import { ruleId } from '../../config/rule-id.ts'
import { sessionsAtWork } from '../../dispatch/lease.ts'
import { runAtWork } from '../../dispatch/liveness.ts'
import { WritError } from '../../errors/writ-error.ts'
import { standingRights } from '../../journal/standing-approvals.ts'
import type { Event, EventOf, StoredEvent } from '../../protocol/event.ts'
import { storeFiles } from '../attachments.ts'
import type { SessionMessage } from '../contract/sessions.ts'
import { conversationsOf, firstWords } from '../conversations.ts'
import { type Bound, type CheckedRequest, on } from '../endpoint.ts'
import { Refusal } from '../failure.ts'
import { assertNew } from '../jobs.ts'
import { turnEnd } from '../run-results.ts'
import type { ServerDeps } from '../server-deps.ts'
import { followSession, streamed } from '../stream.ts'
import type { Caller } from '../tokens.ts'
import { abort, assertNoQuestion, openQuestions, turnStream, viewOf } from '../turns.ts'
import { ruleView } from './rules.ts'

export function sessionRoutes(deps: ServerDeps): Bound[] {
  const { store, liveRuns, jobs, leases, access, titles, current } = deps
  /** Written to the session's latest run, so it waits until that run is not live. */
  async function revoke(sessionId: string, who: Caller, what: Revocable): Promise<boolean> {
    await access.session(sessionId, who, 'approve')
    const { engine } = current.agent
    const work = liveRuns.start(sessionId, (signal) =>
      whileEmitting<Event, boolean>(() =>
        revokeUnderLease(engine, leases, { sessionId, signal, by: who.name, ...what }),
      ),
    )
    return work.result
  }
  return [
    on('GET /api/sessions', async ({ query, who }) => {
      const { rows, next } = await conversationsOf(deps, { query, who })
      const running = liveRuns.liveSessions().union(await sessionsAtWork(leases))
      const open = await openQuestions(deps, access.scopeOf(who, 'read'))
      const waiting = new Set(open.map(({ sessionId }) => sessionId))
      const sessions = rows.map((row) => ({
        ...row,
        state: stateOf(running.has(row.sessionId), waiting.has(row.sessionId)),
      }))
      return { sessions, ...present({ next }) }
    }),
    on('POST /api/sessions', async ({ who }) => {
      const sessionId = current.agent.engine.newId('ses')
      await access.claim(sessionId, who)
      return { sessionId }
    }),
    on('GET /api/sessions/:id', async ({ params: { id }, who, lang }) => {
      await access.session(id, who, 'read')
      const events = await store.readSession(id)
      const [open] = await openQuestions(deps, { sessionId: id })
      const { approvals, rules } = standingRights(events)
      const runId = liveRuns.runOf(id) ?? (await runAtWork(store, leases, id))
      return {
        sessionId: id,
        title: (await titles.of([id])).get(id) ?? firstWords(events),
        messages: messagesOf(events),
        approvals,
        rules: rules.map((rule) => ruleView({ id: ruleId(rule), scope: 'session', rule }, lang)),
        ...present({ running: runId === undefined ? undefined : { runId }, question: open?.question }),
      }
    }),
    ...keepingRoutes(deps),
    on('POST /api/sessions/:id/messages', async (request) => {
      const { id } = request.params
      await access.ownSession(id, request.who)
      await assertNoQuestion(deps, id)
      const after = await store.lastPlace(id)
      const runId = current.agent.engine.newId('run')
      const { text: task, outputSchema, attachments: sent } = request.body
      // Checked here too: the worker that gets the job may be elsewhere.
      if (outputSchema !== undefined) assertOutputSchema(outputSchema as JsonObject, current.agent.model)
      const attachments = await storeFiles(deps, { sessionId: id, runId }, sent)
      const job = {
        kind: 'turn',
        principal: request.who.principal,
        sessionId: id,
        runId,
        task,
        lang: request.lang,
        ...present({ outputSchema: outputSchema as JsonObject | undefined, attachments }),
      } as const
      const work = assertNew(await jobs.submit(job, turnEnd))
      request.c.set('sessionId', id)
      if (request.wantsStream) {
        return turnStream(deps, work, { after, c: request.c, view: (result) => viewOf(deps, result) })
      }
      const result = await work.result
      request.c.set('runId', result.runId)
      return viewOf(deps, result)
    }),
    on('GET /api/sessions/:id/events', async (request) => {
      const { id } = request.params
      await access.session(id, request.who, 'read')
      if (!request.wantsStream) return { events: await store.readSession(id) }
      const how = { after: cursorOf(request), signal: request.signal }
      return streamed(followSession(deps, id, how), request.c)
    }),
    on('POST /api/sessions/:id/abort', async ({ params: { id }, who }) => {
      await access.session(id, who, 'change')
      return { aborted: await abort(deps, { sessionId: id }) }
    }),
    on('DELETE /api/sessions/:id/approvals/:key', async ({ params: { id, key }, who }) => {
      if (!(await revoke(id, who, { key }))) throw new WritError('APPROVAL_UNKNOWN', { key })
      return { ok: true }
    }),
    on('DELETE /api/sessions/:id/rules/:rule', async ({ params: { id, rule }, who }) => {
      if (!(await revoke(id, who, { rule }))) throw new WritError('RULE_UNKNOWN', { id: rule })
      return { ok: true }
    }),
  ]
}

/** Naming and deleting a conversation. */
function keepingRoutes({ liveRuns, access, titles, current, log, erase }: ServerDeps): Bound[] {
  return [
    on('PATCH /api/sessions/:id', async ({ params: { id }, body: { title }, who }) => {
      await access.session(id, who, 'change')
      await titles.rename(id, title, current.agent.engine.clock.now())
      return { ok: true }
    }),
    on('DELETE /api/sessions/:id', async ({ params: { id }, who }) => {
      await access.session(id, who, 'change')
      // Messages may be waiting for the current turn; they would start the conversation again.
      if (liveRuns.runOf(id) !== undefined) throw new WritError('SESSION_BUSY', { session: id })
      const { runs } = await erase(id)
      log('warn', 'session.erased', { token: who.name, session: id, runs })
      return { runs }
    }),
  ]
}

/** The last event the client received before it lost the stream. */
export function cursorOf({ c }: Pick<CheckedRequest<'GET /api/sessions/:id/events'>, 'c'>): number {
  const id = c.req.header('last-event-id')
  if (id === undefined || id === '') return 0
  if (!/^\d{1,15}$/.test(id)) {
    throw new Refusal('BAD_CURSOR', undefined, { field: 'Last-Event-ID' })
  }
  return Number(id)
}

function stateOf(running: boolean, waiting: boolean): 'idle' | 'running' | 'waiting' {
  return running ? 'running' : waiting ? 'waiting' : 'idle'
}

function messagesOf(events: readonly StoredEvent[]): SessionMessage[] {
  const attached = new Map(
    events.flatMap((event) => (event.type === 'run.started' ? [[event.runId, attachmentsOf(event)]] : [])),
  )
  return events.flatMap((event): SessionMessage[] => {
    const { runId, turnId, timestamp: at } = event
    if (event.type === 'turn.started') {
      const attachments = attached.get(runId)
      return [{ role: 'user', text: event.data.input, runId, turnId, at, ...present({ attachments }) }]
    }
    if (event.type !== 'turn.committed') return []
    const { reply: text, notices, stopReason } = event.data
    return [{ role: 'assistant', text, runId, turnId, at, stopReason, notices }]
  })
}

function attachmentsOf({ data }: EventOf<'run.started'>): SessionMessage['attachments'] {
  return data.given?.attachments?.map(({ file: { name, type, bytes, sha256 } }) => ({ name, type, bytes, sha256 }))
}
