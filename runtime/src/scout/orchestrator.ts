/**
 * Sends scouts, waits for them and combines their results. It needs a spent writ that the gate minted for the dispatch
 * tool; each writ sends scouts once.
 */
import type { Engine } from '../agent/turn.ts'
import { WritError } from '../errors/writ-error.ts'
import { Writ } from '../gate/writ.ts'
import { fold } from '../journal/fold.ts'
import { type ScoutView, viewAfter } from '../journal/scout-states.ts'
import { foldSession } from '../journal/session.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'
import type { ScoutFact } from '../protocol/facts.ts'
import type { Message } from '../protocol/message.ts'
import type { ToolProposal } from '../protocol/proposal.ts'
import type { ToolContext } from '../tool/tool.ts'
import { aggregate } from './aggregate.ts'
import type { Slots } from './concurrency.ts'
import { type ExploreResult, readRequest, type ScoutTaskInput, type ScoutTaskResult } from './contracts.ts'
import { constraintsFor, type ScoutConfig } from './profile.ts'
import { runScout } from './runner.ts'
import { snapshotOf } from './snapshot.ts'

/** A scout that is waiting or running. */
export interface LiveScout extends ScoutView {
  sessionId: string
  turnId: string
  /** The call that sent it. */
  callId: string
}

/**
 * The queued and running scouts of an agent.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * console.log(agent.scouts.list(), agent.scouts.cancel('none')) // [] false
 * ```
 */
export interface Scouts {
  list(): LiveScout[]
  /** Cancels one scout by its id, or all scouts of a call by the call's id. False when there is none. */
  cancel(id: string): boolean
}

export interface ScoutDeps {
  engine(): Engine
  config: ScoutConfig
  /** Tools the configuration disables. */
  disabledTools: readonly string[]
  slots: Slots
}

/** The part of the tool context that sending scouts needs. */
export type SendingCall = Pick<
  ToolContext,
  'runId' | 'sessionId' | 'turnId' | 'callId' | 'owner' | 'policy' | 'signal' | 'emit' | 'writ'
>

export interface ScoutOrchestrator extends Scouts {
  /** Facts for the gate about the scouts of a session. */
  busy(sessionId: string, asked: number): Promise<ScoutFact>
  runMany(call: SendingCall): Promise<ExploreResult>
}

export function scoutOrchestrator(deps: ScoutDeps): ScoutOrchestrator {
  const { config, slots } = deps
  const used = new WeakSet<Writ>()
  const live = new Map<string, { view: LiveScout; cancel: AbortController }>()

  async function send(input: ScoutTaskInput, call: SendingCall & { n: number }): Promise<ScoutTaskResult> {
    const { runId: parentRunId, turnId, callId, n, policy, owner } = call
    const engine = { ...deps.engine(), policy }
    const { scoutId, sessionId, task } = input
    const runId = engine.newId('run')
    const cancel = new AbortController()
    const view: LiveScout = { scoutId, runId, sessionId, turnId, callId, task, state: 'QUEUED', elapsedMs: 0 }
    live.set(scoutId, { view, cancel })
    try {
      return await runScout({
        input,
        engine,
        config,
        slots,
        n,
        runId,
        turnId,
        parentRunId,
        callId,
        owner,
        signal: AbortSignal.any([call.signal, cancel.signal]),
        emit(event) {
          Object.assign(view, viewAfter(view, event))
          call.emit(event)
        },
      })
    } finally {
      live.delete(scoutId)
    }
  }

  return {
    async busy(sessionId, asked) {
      const { scouts } = foldSession(await deps.engine().store.readSession(sessionId))
      return { asked, ...slots.load(sessionId), tokens: scouts.tokens }
    },

    async runMany(call) {
      const request = readRequest(provenCall(call, { used, tool: config.dispatchToolName }).args)
      const { store, newId, lang } = deps.engine()
      const { sessionId, runId } = call
      const events = await store.readSession(sessionId)
      const constraints = constraintsFor(config, request)
      const allowedTools = config.allowedTools.filter((tool) => !deps.disabledTools.includes(tool))
      const contextSnapshot = snapshotOf(messagesOf(events, runId), config.dispatchToolName)
      const before = events.filter(
        (event) => event.type === 'SCOUT_TRIGGERED' && event.data.parentRunId === runId,
      ).length
      // Higher priority first; equal ones in the order of the request.
      const ordered = request.tasks
        .map(({ task, priority }, at) => ({ task, priority, at }))
        .sort((a, b) => b.priority - a.priority)
      const sent = ordered.map(async ({ task, at }, i) => {
        const scoutId = newId('scout')
        const input = { scoutId, sessionId, task, constraints, allowedTools, contextSnapshot }
        return { at, result: await send(input, { ...call, n: before + i + 1 }) }
      })
      const ended = (await Promise.all(sent)).sort((a, b) => a.at - b.at)
      return aggregate(
        ended.map(({ result }) => result),
        { lang, aborted: call.signal.aborted },
      )
    },

    list: () => [...live.values()].map(({ view }) => withTime(view, deps.engine().clock.now())),
    cancel(id) {
      const matching = [...live.values()].filter(({ view }) => view.scoutId === id || view.callId === id)
      for (const { cancel } of matching) cancel.abort()
      return matching.length > 0
    },
  }
}

/** The call this writ was minted for; throws unless it sends scouts, is executing now and has not sent any yet. */
function provenCall({ writ, runId, callId }: SendingCall, { used, tool }: { used: WeakSet<Writ>; tool: string }) {
  let proposal: ToolProposal | undefined
  try {
    const proven = Writ.provesSpent(writ)
    if (proven.kind === 'tool' && proven.tool === tool) proposal = proven
  } catch {
    // Not a writ of the gate.
  }
  if (proposal === undefined || proposal.runId !== runId || proposal.id !== callId || used.has(writ)) {
    throw new WritError('SCOUT_ENTRY_FORBIDDEN', { tool })
  }
  used.add(writ)
  return proposal
}

/** The messages of the sending run so far. */
function messagesOf(events: readonly StoredEvent[], runId: string): readonly Message[] {
  const own = events.filter((event): event is StoredEvent => event.runId === runId)
  if (!own.some(({ type }) => type === 'run.started')) return []
  return fold(own as Event[], { history: foldSession(events, runId).history }).messages
}

function withTime(view: LiveScout, now: number): LiveScout {
  return { ...view, elapsedMs: view.startedAt === undefined ? 0 : Math.max(0, now - view.startedAt) }
}
