import { standingOf, traceRun } from '../../dispatch/standing.ts'
import { questionOf } from '../../journal/questions.ts'
import { eventsOf } from '../../journal/read.ts'
import { scoutStates } from '../../journal/scout-states.ts'
import type { Store } from '../../journal/store.ts'
import { traceOf } from '../../journal/trace.ts'
import type { StoredEvent } from '../../protocol/event.ts'
import { MODES } from '../../protocol/profile.ts'
import { STOP_REASONS } from '../../protocol/stop.ts'
import type { RunView } from '../contract/runs.ts'
import { type Bound, on } from '../endpoint.ts'
import { turnEnd, workflowEnd } from '../ends.ts'
import { Refusal } from '../failure.ts'
import { fresh } from '../jobs.ts'
import { pageOf, parsePlace, summariesOf } from '../run-list.ts'
import { scoutView } from '../scout-list.ts'
import type { Setup } from '../setup.ts'
import { followRun, streamed } from '../stream.ts'
import { abort, isAtWork, pricesOf, turnStream, viewOf } from '../turns.ts'
import { whatIf } from '../what-if.ts'
import { cursorOf } from './sessions.ts'
import { workflowView } from './workflows.ts'

export function runRoutes(setup: Setup): Bound[] {
  const { store, hub, jobs, leases, access } = setup
  const prices = () => pricesOf(setup)
  return [
    on('GET /api/runs', async ({ query, who }) => {
      const { session, mode, stop, q = '', since, until, limit, before } = query
      if (session !== undefined) await access.session(session, who, 'read')
      const known = MODES.find((each) => each === mode)
      const stopReason = STOP_REASONS.find((each) => each === stop)
      if (
        (mode !== undefined && known === undefined) ||
        (stop !== undefined && stop !== 'open' && stopReason === undefined)
      ) {
        return { runs: [] }
      }
      return pageOf(
        store,
        {
          limit,
          ...access.scopeOf(who, 'read'),
          ...(session === undefined ? {} : { sessionId: session }),
          ...(known === undefined ? {} : { mode: known }),
          ...(stopReason === undefined ? {} : { stopReason }),
          ...(stop === 'open' ? { open: true } : {}),
          ...(since === undefined ? {} : { since }),
          ...(until === undefined ? {} : { until }),
          ...(before === undefined ? {} : { before: parsePlace(before) }),
        },
        {
          words: q
            .toLowerCase()
            .split(/\s+/)
            .filter((word) => word !== ''),
          prices: prices(),
        },
      )
    }),
    on('GET /api/runs/:id', async ({ params: { id }, who }) => {
      const { sessionId } = await access.run(id, who, 'read')
      const row = (await store.listRuns({ sessionId })).filter(({ runId }) => runId === id)
      const [run] = await summariesOf(store, row, prices())
      if (run === undefined)
        throw new Refusal(404, 'RUN_UNKNOWN', { message: (t) => t.runUnknown({ id }), hint: (t) => t.listRunsHint })
      return viewOfRun(setup, run)
    }),
    on('GET /api/runs/:id/events', async (asked) => {
      const { id } = asked.params
      const { after, limit } = asked.query
      const { sessionId } = await access.run(id, asked.who, 'read')
      if (!asked.wantsStream) {
        const events = await store.readRun(id, after, limit)
        const last = events.at(-1)
        return { events, ...(events.length === limit && last !== undefined ? { next: last.seq } : {}) }
      }
      const from = Math.max(after, cursorOf(asked))
      // Nothing more comes of a run that has stopped, unless it is just being wound up here.
      const [stopped] = await store.readOf([id], ['run.stopped'])
      const over = stopped !== undefined && !hub.isLive(id) ? { until: Promise.resolve() } : {}
      const how = { after: from, signal: asked.signal, ...over }
      return streamed(followRun(setup, { runId: id, sessionId }, how), asked.c)
    }),
    on('GET /api/runs/:id/trace', async ({ params: { id }, who }) => {
      await access.run(id, who, 'read')
      return traceRun(store, leases, id)
    }),
    on('GET /api/runs/:id/export', async ({ params: { id }, who }) => {
      await access.run(id, who, 'read')
      return new Response(linesOf(store, id), {
        headers: {
          'content-type': 'application/x-ndjson',
          'content-disposition': `attachment; filename="${id.replace(/[^\w-]/g, '_')}.jsonl"`,
        },
      })
    }),
    on('POST /api/runs/:id/abort', async ({ params: { id }, who }) => {
      const { sessionId } = await access.run(id, who, 'change')
      return { aborted: await abort(setup, { runId: id, sessionId }) }
    }),
    on('POST /api/runs/:id/resume', async (asked) => {
      const { id } = asked.params
      const first = await access.run(id, asked.who, 'change')
      if (await isAtWork(setup, first))
        throw new Refusal(409, 'RUN_LIVE', { message: (t) => t.runLive, hint: (t) => t.runLiveHint })
      const { sessionId } = first
      const after = await store.lastPlace(sessionId)
      const job = { kind: 'resume', sessionId, runId: id } as const
      if (first.mode === 'workflow') {
        const work = fresh(await jobs.submit(job, workflowEnd))
        if (!asked.wantsStream) return workflowView(setup, await work.result)
        return turnStream(setup, work, { after, c: asked.c, view: (result) => workflowView(setup, result) })
      }
      const work = fresh(await jobs.submit(job, turnEnd))
      if (!asked.wantsStream) return viewOf(setup, await work.result)
      return turnStream(setup, work, { after, c: asked.c, view: (result) => viewOf(setup, result) })
    }),
    on('POST /api/what-if', async ({ body, who, lang }) => {
      if (body.runId !== undefined) await access.run(body.runId, who, 'read')
      return whatIf(setup, body, { ...access.scopeOf(who, 'read'), lang })
    }),
  ]
}

async function viewOfRun({ store, leases }: Setup, run: RunView['run']): Promise<RunView> {
  const { runId, sessionId } = run
  const standing = await standingOf(store, leases, run)
  const events = await store.readRun(runId)
  const children = (await store.listRuns({ sessionId, parentRunId: runId })).reverse()
  const scouts = await Promise.all(children.map(({ runId: child }) => store.readRun(child)))
  const intent = events.find((event) => event.type === 'intent.detected')
  const question = run.stopReason === undefined ? await questionOf(store, runId) : undefined
  return {
    run,
    trace: traceOf(events, standing),
    ...(intent?.type === 'intent.detected' ? { intent: intent.data.intent } : {}),
    approvals: approvalsIn(events),
    ...(question === undefined ? {} : { question }),
    scouts: scoutStates(scouts.flat()).map(scoutView),
    children: children.map(({ runId: child }) => child),
  }
}

function approvalsIn(events: readonly StoredEvent[]): RunView['approvals'] {
  return events.flatMap((event) => {
    if (event.type !== 'confirm.answered') return []
    const { callId, answer, by, keys } = event.data
    return [{ callId, answer, by, at: event.timestamp, keys }]
  })
}

function linesOf(store: Store, runId: string): ReadableStream<Uint8Array> {
  const events = eventsOf(store, runId)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const next = await events.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
    },
  })
}
