/** Undo of a run: which changes, what stays, and the journal entry about it. */
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import type { Clock } from '../base/clock.ts'
import { clip } from '../base/text.ts'
import { isSessionHeld, LEASE_MS, leaseOfSession, withSessionLease } from '../dispatch/lease.ts'
import { WritError } from '../errors/writ-error.ts'
import { firstEvent } from '../journal/read.ts'
import type { Redact } from '../journal/redact.ts'
import { continueLog } from '../journal/run-lifecycle.ts'
import type { RunFilter, Store } from '../journal/store.ts'
import type { EventOf, StoredEvent } from '../protocol/event.ts'
import type { Facts } from '../protocol/facts.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { Leases } from '../storage/leases.ts'
import type { World } from '../tool/tool.ts'
import { openRecorder, type Recorder } from '../tool/undo/recorder.ts'
import { forgetMissingRuns } from '../tool/undo/recordings.ts'
import { findShadow, hasGit } from '../tool/undo/shadow.ts'
import { type OpenedUndo, openUndo, type RecordedSegment } from '../tool/undo/undo.ts'

const TEXT_MAX = 200
/** Runs that are searched for the latest change. */
const SEARCHED = 100

/** Undefined where nothing is recorded: switched off, or a journal in memory. */
export function recorderOf({ loaded, world, data }: WorkspaceContext, clock: Clock): Recorder | undefined {
  const { enabled, maxBytes } = loaded.config.undo
  if (!enabled || data === undefined) return undefined
  return openRecorder({ world, data, maxBytes, now: () => clock.now() })
}

export interface UndoEngine {
  store: Store
  leases: Leases
  clock: Clock
  redact: Redact
  world: World
  maxBytes: number
}

export interface UndoPreview {
  runId: string
  sessionId: string
  task: string
  /** It has no second recording: what others changed until its process was certainly dead counts as its own. */
  killed?: true
  /** What the run did to the files that are restored. `late`: changed after its last event. */
  files: { path: string; change: 'modified' | 'deleted' | 'created'; late?: true }[]
  /** Left as they are: changed after the run, or by another run at the same time. */
  conflicts: { path: string; why: 'changed' | 'shared' }[]
  /** Changed since, but not recorded. */
  unrestored: { path: string; why: 'ignored' | 'large' | 'nested' | 'closed' | 'special'; unsure?: true }[]
  /** Paths outside the workspace that the run wrote. */
  outside: string[]
  /** Calls with effects elsewhere: networks, other systems. */
  remote: string[]
  /** Git commands that changed the repository, which is never touched. */
  git: string[]
}

export interface UndoResult extends UndoPreview {
  /** The workspace before the undo, in the shadow repository. */
  tree: string
  restored: string[]
  failed: { path: string; why: string }[]
}

export async function previewUndo(engine: UndoEngine, runId: string): Promise<UndoPreview> {
  const first = await knownRun(engine, runId)
  if (await isSessionHeld(engine.leases, first.sessionId)) throw busy(first)
  const events = await engine.store.readRun(runId)
  return preview(events, await open(engine, events, await endOf(engine, events)))
}

/** Never while a run of the session is live. Running it again completes an undo that was killed. */
export async function undoRun(
  engine: UndoEngine,
  runId: string,
  { by, signal }: { by: string; signal: AbortSignal },
): Promise<UndoResult> {
  const { sessionId } = await knownRun(engine, runId)
  const endedBy = await endOf(engine, await engine.store.readRun(runId))
  return withSessionLease(engine.leases, { sessionId, signal, waitMs: 0 }, async () => {
    const events = await engine.store.readRun(runId)
    const opened = await open(engine, events, endedBy)
    const shown = preview(events, opened)
    const { done, failed } = await opened.restore()
    const implied = new Set(opened.plan.files.flatMap((file) => (file.implied ? [file.path] : [])))
    const restored = done
      .filter((path) => !implied.has(path))
      .map(nameOf)
      .sort()
    const { tree } = opened
    const result = { ...shown, tree, restored, failed: failed.map(({ path, why }) => ({ path: nameOf(path), why })) }
    await record(engine, events, { by, result })
    return result
  })
}

/** Runs with changes that were not undone yet, the latest first. */
export async function* latestChanges(store: Store, filter: RunFilter): AsyncGenerator<string> {
  for (const { runId } of await store.listRuns({ ...filter, limit: SEARCHED })) {
    const events = await store.readOf([runId], ['workspace.recorded', 'workspace.restored'])
    const isUndone = events.some(({ type }) => type === 'workspace.restored')
    if (!isUndone && hasChanges(events)) yield runId
  }
}

/** Removes the recordings of runs that were deleted from the journal. */
export async function forgetDeletedRuns(world: World, store: Store): Promise<void> {
  const { data } = world
  const shadow = data === undefined || !hasGit() ? undefined : await findShadow(world)
  if (shadow === undefined || data === undefined) return
  await forgetMissingRuns(shadow, data, async (runId) => (await firstEvent(store, runId)) !== undefined)
}

async function knownRun({ store }: UndoEngine, runId: string): Promise<StoredEvent> {
  const first = await firstEvent(store, runId)
  if (first === undefined) throw new WritError('RUN_UNKNOWN', { run: runId })
  return first
}

function busy({ sessionId }: StoredEvent): WritError {
  return new WritError('SESSION_BUSY', { session: sessionId })
}

/** When the run had certainly ended. The process of a killed one was dead when its lease expired. */
async function endOf({ leases }: UndoEngine, events: readonly StoredEvent[]): Promise<number> {
  const stopped = events.find((event) => event.type === 'run.stopped' && event.data.inner !== true)
  const wasKilled = stopped?.type !== 'run.stopped' || stopped.data.stop.reason === 'interrupted'
  if (!wasKilled) return stopped.timestamp
  const last = ownEvents(events).at(-1)
  if (last === undefined) return 0
  const leased = stopped === undefined ? await leases.heldUntil(leaseOfSession(last.sessionId)) : undefined
  return Math.max(leased ?? 0, last.timestamp + LEASE_MS)
}

/** A killed run is closed much later, by the next turn of its session. */
function ownEvents(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const closed = events.findIndex((event) => event.type === 'run.stopped' && event.data.inner !== true)
  return closed < 0 ? events : events.slice(0, closed).filter(({ type }) => type !== 'run.interrupted')
}

async function open(engine: UndoEngine, events: readonly StoredEvent[], endedBy: number): Promise<OpenedUndo> {
  const { world, maxBytes, clock, store, leases } = engine
  const { data } = world
  const runId = events[0]?.runId ?? ''
  if (data === undefined) throw new WritError('UNDO_UNAVAILABLE.off')
  const segments = segmentsIn(events)
  if (segments.length === 0) throw whyNone(events, runId)
  const isLive = async (other: string): Promise<boolean> => {
    const first = await firstEvent(store, other)
    return first !== undefined && (await isSessionHeld(leases, first.sessionId))
  }
  return openUndo(runId, segments, { world, data, maxBytes, now: () => clock.now(), endedBy, isLive })
}

function whyNone(events: readonly StoredEvent[], run: string): WritError {
  const refused = events.findLast((event) => event.type === 'workspace.unrecorded')
  if (refused?.type !== 'workspace.unrecorded') return new WritError('UNDO_NOTHING.run', { run })
  const { reason, message = '' } = refused.data
  if (reason === 'no_git') return new WritError('UNDO_UNAVAILABLE.noGit')
  if (reason === 'too_large') return new WritError('UNDO_NOTHING.tooLarge', { run })
  return new WritError('UNDO_NOTHING.failed', { run, why: message })
}

/** Whether the run has recorded changes that an undo could restore. */
export function hasChanges(events: readonly StoredEvent[]): boolean {
  return segmentsIn(events).length > 0
}

/** Without those in which nothing changed. */
function segmentsIn(events: readonly StoredEvent[]): RecordedSegment[] {
  const segments: RecordedSegment[] = []
  let isOpen = false
  for (const event of events) {
    if (event.type !== 'workspace.recorded') continue
    const { phase, record, changed } = event.data
    if (phase === 'before') segments.push({ before: record })
    else if (isOpen) {
      const { before = '' } = segments.pop() ?? {}
      if (changed === true) segments.push({ before, after: record })
    }
    isOpen = phase === 'before'
  }
  return segments
}

function preview(events: readonly StoredEvent[], { plan, wasKilled, changedAt }: OpenedUndo): UndoPreview {
  const lastAt = ownEvents(events).findLast(({ type }) => type !== 'workspace.restored')?.timestamp ?? 0
  const isLate = (path: string) => wasKilled && changedAt(path) > lastAt
  const started = events.find((event) => event.type === 'run.started')
  const { runId = '', sessionId = '' } = events[0] ?? {}
  return {
    runId,
    sessionId,
    task: started?.type === 'run.started' ? started.data.task : '',
    ...(wasKilled && { killed: true as const }),
    files: plan.files
      .filter(({ implied }) => implied !== true)
      .map(({ path, change }) => ({ path: nameOf(path), change, ...(isLate(path) && { late: true as const }) })),
    conflicts: plan.conflicts.map(({ path, why }) => ({ path: nameOf(path), why })),
    unrestored: plan.unrestored.map((file) => ({ ...file, path: nameOf(file.path) })),
    ...effectsElsewhere(events),
  }
}

/** Recorded paths are bytes; people and the journal read text. */
function nameOf(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}

function effectsElsewhere(events: readonly StoredEvent[]): Pick<UndoPreview, 'outside' | 'remote' | 'git'> {
  const acted = new Set(
    events.flatMap((event) => (event.type === 'tool.call' && event.data.allowed ? [event.data.callId] : [])),
  )
  const calls = events.flatMap((event) =>
    event.type === 'gate.decided' && acted.has(event.data.callId) ? [event.data] : [],
  )
  const changing = calls.filter(({ facts }) => !facts.readOnly)
  const collect = (of: (call: EventOf<'gate.decided'>['data']) => string[]) => [...new Set(changing.flatMap(of))]
  return {
    outside: collect(({ facts: { paths = [] } }) =>
      paths.flatMap(({ access, inside, real }) => (access === 'write' && inside === undefined ? [real] : [])),
    ),
    remote: collect(({ tool, facts }) => remoteEffect(tool, facts)),
    git: collect(({ facts: { command, preview = '' } }) =>
      command?.classes?.some((each) => each !== 'read') === true ? [clip(oneLine(preview), TEXT_MAX)] : [],
    ),
  }
}

function remoteEffect(tool: string, { hosts = [], family, trust, paths, command }: Facts): string[] {
  if (hosts.length > 0) return hosts.map(({ method, host }) => `${tool} ${method} ${host}`)
  const isOurs = paths !== undefined || command !== undefined
  const isElsewhere = family === 'network' || family === 'browser' || (trust === 'external' && !isOurs)
  return isElsewhere ? [tool] : []
}

async function record(
  { store, clock, redact }: UndoEngine,
  events: readonly StoredEvent[],
  { by, result }: { by: string; result: UndoResult },
): Promise<void> {
  const last = events.at(-1)
  if (last === undefined) return
  const { tree, restored, conflicts, failed } = result
  // Nothing was done: a later try may do it.
  if (restored.length === 0 && conflicts.length + failed.length > 0) return
  const log = continueLog({ store, clock, redact }, last)
  log.note(
    'workspace.restored',
    {
      by,
      tree,
      restored,
      conflicts: conflicts.map(({ path }) => path),
      failed: failed.map(({ path }) => path),
    },
    'undone',
  )
  await log.flush()
}
