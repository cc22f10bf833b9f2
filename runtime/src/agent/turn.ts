/** One user message to one committed reply. Whatever happens on the way, a turn ends with a text and a reason. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import type { IdSource } from '../base/id.ts'
import type { Lang } from '../i18n/locale.ts'
import { begin, fold } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import { foldSession, type SessionState } from '../journal/session.ts'
import type { Store } from '../journal/store.ts'
import type { Model } from '../model/model.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Profile } from '../protocol/profile.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import { exposedTools } from '../tool/gather.ts'
import type { Registry } from '../tool/registry.ts'
import type { World } from '../tool/tool.ts'
import { type Confirm, note, type RunContext } from './context.ts'
import { systemPrompt } from './prompt.ts'
import { run } from './run.ts'
import { clearOldReasoning } from './window.ts'

/** What all turns of an agent share. */
export interface Engine {
  store: Store
  redact: Redact
  clock: Clock
  newId: IdSource
  policy: Policy
  model: Model
  registry: Registry
  world: World
  lang: Lang
  temperature: number | undefined
  maxOutputTokens: number | undefined
  modelAttempts: number
}

export interface TurnInput {
  task: string
  sessionId: string | undefined
  profile: Profile
  signal: AbortSignal
  confirm: Confirm | undefined
  stream: boolean
}

export interface TurnResult {
  reply: string
  /** `parked`: a question is open; `resume` goes on when it can be answered. */
  stopReason: StopReason | 'parked'
  notices: string[]
  sessionId: string
  runId: string
  state: RunState
}

export async function* startTurn(engine: Engine, input: TurnInput): AsyncGenerator<Event, TurnResult> {
  const { store, newId, model, registry, lang } = engine
  const sessionId = input.sessionId ?? newId('ses')
  const earlier = input.sessionId === undefined ? [] : await store.readSession(sessionId)
  const session = foldSession(earlier)
  const place = { sessionId, turnId: newId('turn'), runId: newId('run'), scoutId: null, mode: input.profile.mode }
  const log = new RunLog(engine, place)

  if (earlier.length === 0) yield log.note('session.opened', { locale: lang })
  yield log.note('turn.started', { input: input.task })
  const started = log.note('run.started', {
    task: input.task,
    profile: input.profile,
    model: model.id,
    lang,
    route: model.route,
    tools: exposedTools(registry, input.profile).map((tool) => tool.name),
    history: session.history.length,
    approvals: session.approvals,
  })
  yield started
  const state = begin(started as unknown as EventOf<'run.started'>, inherited(engine, session))
  return yield* finishTurn(contextFor(engine, { log, state, ...input }))
}

/** Takes a run up where its journal ends: after a crash, or when an open question can be answered. */
export async function* resumeTurn(
  engine: Engine,
  input: Omit<TurnInput, 'task' | 'sessionId' | 'profile'> & { runId: string },
): AsyncGenerator<Event, TurnResult> {
  const events = await engine.store.readRun(input.runId)
  const last = events.at(-1)
  if (last === undefined) {
    throw new WritError('RUN_UNKNOWN', `there is no run ${input.runId}`, { hint: 'List runs with `writ trace`.' })
  }
  const session = foldSession(await engine.store.readSession(last.sessionId), input.runId)
  const state = fold(events, inherited(engine, session))
  if (state.stop !== undefined) {
    throw new WritError('RUN_ENDED', `run ${input.runId} has ended (${state.stop.reason})`, {
      hint: 'Start a new turn in its session instead.',
    })
  }
  const { sessionId, turnId, runId, scoutId, mode } = last
  const log = new RunLog(engine, { sessionId, turnId, runId, scoutId, mode }, { seq: last.seq, hash: last.hash })
  const ctx = contextFor(engine, { log, state, ...input })
  yield note(ctx, 'run.resumed', { steps: state.steps })
  return yield* finishTurn(ctx)
}

async function* finishTurn(ctx: RunContext): AsyncGenerator<Event, TurnResult> {
  const { state, log, model } = ctx
  const end = yield* run(ctx)
  const { sessionId, runId } = state
  if (end === 'parked') return { reply: '', stopReason: 'parked', notices: [], sessionId, runId, state }
  const notices = model.footer === undefined ? [] : [model.footer(state.lang)]
  yield log.note('turn.committed', { reply: end.text, notices, stopReason: end.reason, runId }, end.reason)
  await log.flush()
  return { reply: end.text, stopReason: end.reason, notices, sessionId, runId, state }
}

function inherited({ model }: Engine, { history }: SessionState) {
  return { history: clearOldReasoning(history, model.reasoning) }
}

function contextFor(
  engine: Engine,
  own: Pick<RunContext, 'log' | 'state'> & Pick<TurnInput, 'signal' | 'confirm' | 'stream'>,
): RunContext {
  const { state } = own
  const { runMs } = state.profile.limits
  const left = runMs === undefined ? undefined : Math.max(1, state.startedAt + runMs - engine.clock.now())
  const signal = left === undefined ? own.signal : AbortSignal.any([own.signal, AbortSignal.timeout(left)])
  const exposed = exposedTools(engine.registry, state.profile)
  const specs = exposed.map(({ name, description, schema }) => ({ name, description, schema }))
  const system = systemPrompt({
    lang: engine.lang,
    autonomy: engine.policy.security.autonomy,
    tools: exposed,
    workspace: engine.world.workspace,
    now: engine.clock.now(),
  })
  return { ...engine, ...own, signal, system, exposed, specs, purpose: 'main', liveArgs: new Map() }
}
