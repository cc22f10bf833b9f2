import { revokeAlone } from '../../assembly/alone.ts'
import { clip } from '../../base/text.ts'
import { whileEmitting } from '../../base/wait.ts'
import { sessionsAtWork } from '../../dispatch/lease.ts'
import { runAtWork } from '../../dispatch/standing.ts'
import { standingApprovals } from '../../journal/standing-approvals.ts'
import type { Event, StoredEvent } from '../../protocol/event.ts'
import type { SessionMessage } from '../contract/sessions.ts'
import { type Asked, type Bound, on } from '../endpoint.ts'
import { turnEnd } from '../ends.ts'
import { Refusal } from '../failure.ts'
import { fresh } from '../jobs.ts'
import type { Setup } from '../setup.ts'
import { followSession, streamed } from '../stream.ts'
import { abort, demandNoQuestion, openQuestions, turnStream, viewOf } from '../turns.ts'

const TITLE = 80

export function sessionRoutes(setup: Setup): Bound[] {
  const { store, hub, jobs, leases, access, desk } = setup
  return [
    on('GET /api/sessions', async ({ query: { limit }, who }) => {
      const filter = access.scopeOf(who, 'read')
      const rows = await store.listSessions({ mode: 'chat', limit, ...filter })
      const started = await store.readOf(
        rows.map(({ firstRunId }) => firstRunId),
        ['turn.started'],
      )
      const titles = new Map(started.map((event) => [event.sessionId, titleOf([event])]))
      const running = hub.liveSessions().union(await sessionsAtWork(leases))
      const waiting = new Set((await openQuestions(setup, filter)).map(({ sessionId }) => sessionId))
      const sessions = rows.map(({ firstRunId: _, ...row }) => ({
        ...row,
        title: titles.get(row.sessionId) ?? '',
        state: stateOf(running.has(row.sessionId), waiting.has(row.sessionId)),
      }))
      return { sessions }
    }),
    on('POST /api/sessions', async ({ who }) => {
      const sessionId = desk.agent.engine.newId('ses')
      await access.claim(sessionId, who)
      return { sessionId }
    }),
    on('GET /api/sessions/:id', async ({ params: { id }, who }) => {
      await access.session(id, who, 'read')
      const events = await store.readSession(id)
      const [open] = await openQuestions(setup, { sessionId: id })
      const runId = hub.runOf(id) ?? (await runAtWork(store, leases, id))
      return {
        sessionId: id,
        title: titleOf(events),
        messages: messagesOf(events),
        approvals: standingApprovals(events),
        ...(runId === undefined ? {} : { running: { runId } }),
        ...(open === undefined ? {} : { question: open.question }),
      }
    }),
    on('POST /api/sessions/:id/messages', async (asked) => {
      const { id } = asked.params
      await access.ownSession(id, asked.who)
      await demandNoQuestion(setup, id)
      const after = await store.lastPlace(id)
      const runId = desk.agent.engine.newId('run')
      const { principal } = asked.who
      const job = { kind: 'turn', principal, sessionId: id, runId, task: asked.body.text, lang: asked.lang } as const
      const work = fresh(await jobs.submit(job, turnEnd))
      asked.c.set('sessionId', id)
      if (asked.wantsStream) {
        return turnStream(setup, work, { after, c: asked.c, view: (result) => viewOf(setup, result) })
      }
      const result = await work.result
      asked.c.set('runId', result.runId)
      return viewOf(setup, result)
    }),
    on('GET /api/sessions/:id/events', async (asked) => {
      const { id } = asked.params
      await access.session(id, asked.who, 'read')
      if (!asked.wantsStream) return { events: await store.readSession(id) }
      const how = { after: cursorOf(asked), signal: asked.signal }
      return streamed(followSession(setup, id, how), asked.c)
    }),
    on('POST /api/sessions/:id/abort', async ({ params: { id }, who }) => {
      await access.session(id, who, 'change')
      return { aborted: await abort(setup, { sessionId: id }) }
    }),
    on('DELETE /api/sessions/:id/approvals/:key', async ({ params: { id, key }, who }) => {
      await access.session(id, who, 'approve')
      // It is written into the session's latest run, and would end one that is under way; so it waits in line.
      const { engine } = desk.agent
      const work = hub.start(id, (signal) =>
        whileEmitting<Event, boolean>(() => revokeAlone(engine, leases, { sessionId: id, key, signal, by: who.name })),
      )
      if (!(await work.result)) {
        throw new Refusal(404, 'APPROVAL_UNKNOWN', {
          message: (t) => t.noApproval({ key }),
          hint: (t) => t.noApprovalHint,
        })
      }
      return { ok: true }
    }),
  ]
}

/** Where the client stood when it lost the stream. */
export function cursorOf({ c }: Pick<Asked<'GET /api/sessions/:id/events'>, 'c'>): number {
  const id = c.req.header('last-event-id')
  if (id === undefined || id === '') return 0
  if (!/^\d{1,15}$/.test(id)) {
    throw new Refusal(400, 'BAD_CURSOR', {
      message: (t) => t.badCursor,
      hint: (t) => t.badCursorHint,
      field: 'Last-Event-ID',
    })
  }
  return Number(id)
}

function stateOf(running: boolean, waiting: boolean): 'idle' | 'running' | 'waiting' {
  return running ? 'running' : waiting ? 'waiting' : 'idle'
}

function titleOf(events: readonly StoredEvent[]): string {
  const first = events.find((event) => event.type === 'turn.started')
  return first?.type === 'turn.started' ? clip(first.data.input.replace(/\s+/g, ' ').trim(), TITLE) : ''
}

function messagesOf(events: readonly StoredEvent[]): SessionMessage[] {
  return events.flatMap((event): SessionMessage[] => {
    const { runId, turnId, timestamp: at } = event
    if (event.type === 'turn.started') return [{ role: 'user', text: event.data.input, runId, turnId, at }]
    if (event.type !== 'turn.committed') return []
    const { reply: text, notices, stopReason } = event.data
    return [{ role: 'assistant', text, runId, turnId, at, stopReason, notices }]
  })
}
