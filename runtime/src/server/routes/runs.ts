import { hasChanges, previewUndo, type UndoEngine, undoRun } from '../../assembly/undo.ts'
import { present } from '../../base/present.ts'
import { standingOf, traceRun } from '../../dispatch/liveness.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Lang } from '../../i18n/locale.ts'
import { offerWords } from '../../i18n/offer-words.ts'
import { mediaIn } from '../../journal/media.ts'
import { questionOf } from '../../journal/questions.ts'
import { eventsOf } from '../../journal/read.ts'
import { scoutStates } from '../../journal/scout-states.ts'
import type { Store } from '../../journal/store.ts'
import { readEarlierCalls, readNewestTrace } from '../../journal/trace-window.ts'
import type { EventType, StoredEvent } from '../../protocol/event.ts'
import { kindOf } from '../../protocol/media.ts'
import { MODES } from '../../protocol/profile.ts'
import { STOP_REASONS } from '../../protocol/stop.ts'
import type { RunView } from '../contract/runs.ts'
import { type Bound, type CheckedRequest, on } from '../endpoint.ts'
import { assertNew } from '../jobs.ts'
import { pageOf, parseCursor, type RunPage, summariesOf } from '../run-list.ts'
import { turnEnd, workflowEnd } from '../run-results.ts'
import { scoutView } from '../scout-list.ts'
import type { ServerDeps } from '../server-deps.ts'
import { followRun, streamed } from '../stream.ts'
import { abort, isInProgress, pricesOf, turnStream, viewOf } from '../turns.ts'
import { whatIf } from '../what-if.ts'
import { cursorOf } from './sessions.ts'
import { workflowView } from './workflows.ts'

/** The view of a run shows its newest calls; earlier ones are read on request. */
const CALLS = 200
const SHOWN: readonly EventType[] = ['intent.detected', 'confirm.answered', 'workspace.recorded', 'workspace.restored']

export function runRoutes(deps: ServerDeps): Bound[] {
  const { store, liveRuns, jobs, leases, access } = deps
  const prices = () => pricesOf(deps)
  return [
    on('GET /api/runs', (request) => listRuns(deps, request)),
    on('GET /api/runs/:id', async ({ params: { id }, who, lang }) => {
      const { sessionId } = await access.run(id, who, 'read')
      const row = (await store.listRuns({ sessionId })).filter(({ runId }) => runId === id)
      const [run] = await summariesOf(store, row, prices())
      if (run === undefined) throw new WritError('RUN_UNKNOWN.http', { id })
      return viewOfRun(deps, run, lang)
    }),
    on('GET /api/runs/:id/events', async (request) => {
      const { id } = request.params
      const { after, before, limit } = request.query
      const { sessionId } = await access.run(id, request.who, 'read')
      if (before !== undefined) {
        const events = await store.readBefore(id, before, limit)
        const first = events[0]?.seq ?? 1
        return { events, ...(first > 1 ? { previous: first } : {}) }
      }
      if (!request.wantsStream) {
        const events = await store.readRun(id, after, limit)
        const last = events.at(-1)
        return { events, ...(events.length === limit && last !== undefined ? { next: last.seq } : {}) }
      }
      const from = Math.max(after, cursorOf(request))
      // A stopped run gets no more events, except while this process is finishing its turn.
      const [stopped] = await store.readOf([id], ['run.stopped'])
      const until = stopped !== undefined && !liveRuns.isLive(id) ? Promise.resolve() : undefined
      const how = { after: from, signal: request.signal, until }
      return streamed(followRun(deps, { runId: id, sessionId }, how), request.c)
    }),
    on('GET /api/runs/:id/trace', async ({ params: { id }, who }) => {
      await access.run(id, who, 'read')
      return traceRun(store, leases, id)
    }),
    on('GET /api/runs/:id/calls', async ({ params: { id }, query: { before, limit }, who }) => {
      await access.run(id, who, 'read')
      return readEarlierCalls(store, id, { before, atLeast: limit })
    }),
    on('GET /api/runs/:id/files/:sha256', async ({ params: { id, sha256 }, who }) => {
      const { sessionId } = await access.run(id, who, 'read')
      const media = mediaIn(await store.readOf([id], ['run.started', 'tool.result'])).find(
        (one) => one.sha256 === sha256,
      )
      if (media === undefined) throw new WritError('FILE_UNKNOWN', { run: id })
      const bytes = await deps.current.agent.engine.media.files.read(sessionId, media)
      // Never shown as a page of this server.
      const disposition = kindOf(media.type) === 'image' ? 'inline' : 'attachment'
      const headers = { 'content-type': media.type, 'content-disposition': disposition, 'cache-control': 'private' }
      return new Response(new Uint8Array(bytes), { headers })
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
      return { aborted: await abort(deps, { runId: id, sessionId }) }
    }),
    on('POST /api/runs/:id/resume', async (request) => {
      const { id } = request.params
      const first = await access.run(id, request.who, 'change')
      if (await isInProgress(deps, first)) throw new WritError('RUN_LIVE')
      const { sessionId } = first
      const after = await store.lastPlace(sessionId)
      const job = { kind: 'resume', sessionId, runId: id } as const
      if (first.mode === 'workflow') {
        const work = assertNew(await jobs.submit(job, workflowEnd))
        if (!request.wantsStream) return workflowView(deps, await work.result)
        return turnStream(deps, work, { after, c: request.c, view: (result) => workflowView(deps, result) })
      }
      const work = assertNew(await jobs.submit(job, turnEnd))
      if (!request.wantsStream) return viewOf(deps, await work.result)
      return turnStream(deps, work, { after, c: request.c, view: (result) => viewOf(deps, result) })
    }),
    on('GET /api/runs/:id/undo', async ({ params: { id }, who }) => {
      await access.run(id, who, 'change')
      return previewUndo(undoEngine(deps), id)
    }),
    on('POST /api/runs/:id/undo', async ({ params: { id }, who, signal }) => {
      await access.run(id, who, 'change')
      return undoRun(undoEngine(deps), id, { by: who.name, signal })
    }),
    on('POST /api/what-if', async ({ body, who, lang }) => {
      if (body.runId !== undefined) await access.run(body.runId, who, 'read')
      return whatIf(deps, body, { ...access.scopeOf(who, 'read'), lang })
    }),
  ]
}

function undoEngine({ current, leases }: ServerDeps): UndoEngine {
  const { engine, config } = current.agent
  return { ...engine, leases, maxBytes: config.config.undo.maxBytes }
}

async function listRuns(deps: ServerDeps, { query, who }: CheckedRequest<'GET /api/runs'>): Promise<RunPage> {
  const { access, store } = deps
  const { session, parent, mode, stop, agent, q = '', since, until, limit, before } = query
  if (session !== undefined) await access.session(session, who, 'read')
  const isChild = parent !== undefined && parent !== 'none'
  if (isChild) await access.run(parent, who, 'read')
  const known = MODES.find((each) => each === mode)
  const stopReason = STOP_REASONS.find((each) => each === stop)
  const isUnknownMode = mode !== undefined && known === undefined
  const isUnknownStop = stop !== undefined && stop !== 'open' && stopReason === undefined
  if (isUnknownMode || isUnknownStop) return { runs: [] }
  const filter = present({
    sessionId: session,
    parentRunId: isChild ? parent : undefined,
    roots: parent === 'none' ? (true as const) : undefined,
    mode: known,
    stopReason,
    open: stop === 'open' ? (true as const) : undefined,
    since,
    until,
    before: before === undefined ? undefined : parseCursor(before),
  })
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return pageOf(store, { limit, ...access.scopeOf(who, 'read'), ...filter }, { words, agent, prices: pricesOf(deps) })
}

async function viewOfRun({ store, leases }: ServerDeps, run: RunView['run'], lang: Lang): Promise<RunView> {
  const { runId, sessionId } = run
  const standing = await standingOf(store, leases, run)
  const events = await store.readOf([runId], SHOWN)
  const { trace, results, before } = await readNewestTrace(store, runId, { standing, atLeast: CALLS })
  const children = (await store.listRuns({ sessionId, parentRunId: runId })).reverse()
  const sent = (await store.listRuns({ sessionId, parentRunId: runId, mode: 'scout' })).reverse()
  const scouts = await Promise.all(sent.map(({ runId: child }) => store.readRun(child)))
  const intent = events.find((event) => event.type === 'intent.detected')
  const question = run.stopReason === undefined ? await questionOf(store, runId) : undefined
  return {
    run,
    trace,
    results,
    ...present({ before }),
    ...(intent?.type === 'intent.detected' ? { intent: intent.data.intent } : {}),
    approvals: approvalsIn(events, lang),
    ...present({ question }),
    scouts: scoutStates(scouts.flat()).map(scoutView),
    children: children.map(({ runId: child }) => child),
    undoable: hasChanges(events),
    undone: undosIn(events),
  }
}

function approvalsIn(events: readonly StoredEvent[], lang: Lang): RunView['approvals'] {
  return events.flatMap((event) => {
    if (event.type !== 'confirm.answered') return []
    const { callId, answer, by, keys, reason, remembered: rule } = event.data
    const remembered = rule && offerWords(rule, lang)
    return [{ callId, answer, by, at: event.timestamp, keys, ...present({ reason, remembered }) }]
  })
}

function undosIn(events: readonly StoredEvent[]): RunView['undone'] {
  return events.flatMap((event) => {
    if (event.type !== 'workspace.restored') return []
    const { by, restored } = event.data
    return [{ by, at: event.timestamp, files: restored.length }]
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
