/** One user message to one committed reply. Whatever happens on the way, a turn ends with a text and a reason. */
import type { Clock } from '../base/clock.ts'
import { messageOf, WritError } from '../base/errors.ts'
import type { IdSource } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import { loadSkill } from '../context/skills.ts'
import { clearOldReasoning } from '../context/window.ts'
import { isHearsay } from '../gate/sightings.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import { begin, fold } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import { foldSession, type SessionState } from '../journal/session.ts'
import { standingApprovals } from '../journal/standing-approvals.ts'
import type { Store } from '../journal/store.ts'
import { firstBreach } from '../journal/verify.ts'
import type { Model } from '../model/model.ts'
import type { EarlierTurns, Event, EventOf, GivenContext } from '../protocol/event.ts'
import type { Told, ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ScoutAdvice } from '../protocol/scout.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Memories, MemoryEntry } from '../storage/memory-port.ts'
import { formatMemories, toldBy } from '../tool/memory/memory-text.ts'
import type { Registry } from '../tool/registry.ts'
import type { World } from '../tool/tool.ts'
import { type Confirm, note, type RunContext, timeLimited } from './context.ts'
import { type PromptParts, systemPrompt } from './prompt.ts'
import { skillsNamed } from './route.ts'
import { firingOf, heldTo, type RoutineFiring } from './routine.ts'
import { run } from './run.ts'

/** Memories shown for a task. */
const RECALLED = 5

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
  detector: RunContext['detector']
  routing: RunContext['routing']
  memory: Memories | undefined
  /** Whom the runs of a session work for. */
  ownerOf(sessionId: string): Promise<Principal>
  inspect: RunContext['inspect']
  /** What it was told to hold new runs to, beside its configuration; recorded with each. */
  overrides?: Record<string, unknown>
  /** Absent where no scouts can be sent. */
  scouting?: Scouting
  /** Aborted when the process is asked to end: runs under way stop at once and can be resumed. */
  suspended?: AbortSignal
}

/** What scouts have to do with a turn, beside the tool that sends them. */
export interface Scouting {
  /** Undefined when there is nothing to say about it. */
  advise(task: string, session: SessionState): ScoutAdvice | undefined
  /** What a reply must say about lookups of its turn that came to nothing. */
  leftOpen(state: RunState): Promise<string[]>
  /** What the scouts of a call had found when a crash cut it off. Undefined where it sent none. */
  recovered(call: ToolCall, state: RunState): Promise<string | undefined>
}

export interface TurnInput {
  task: string
  sessionId: string | undefined
  /** The session's id was made for this turn: there is nothing of it to read. */
  opensSession?: boolean
  /** Chosen beforehand, by whoever must be able to find the run again. */
  runId?: string
  profile: Profile
  signal: AbortSignal
  confirm: Confirm | undefined
  stream: boolean
  given?: GivenContext
  /** The due time that began this turn, when no person did. */
  routine?: RoutineFiring
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
  const { opensSession = input.sessionId === undefined } = input
  const earlier = opensSession ? [] : await store.readSession(sessionId)
  const session = foldSession(earlier)
  const owner = await engine.ownerOf(sessionId)
  const place = {
    sessionId,
    turnId: newId('turn'),
    runId: input.runId ?? newId('run'),
    scoutId: null,
    mode: input.profile.mode,
  }
  const log = new RunLog(engine, place)

  if (earlier.length === 0) yield log.note('session.opened', { locale: lang })
  yield log.note('turn.started', { input: input.task })
  const { routine } = input
  if (routine !== undefined) yield log.note('routine.fired', routine, routine.name)
  const given = routine === undefined ? input.given : { ...input.given, routine: routine.name }
  const started = log.note('run.started', {
    task: input.task,
    profile: input.profile,
    model: model.id,
    lang,
    route: model.route,
    tools: registry.exposedTo(input.profile).map((tool) => tool.name),
    history: given?.history?.length ?? session.history.length,
    approvals: [...new Set([...standingApprovals(earlier, session), ...(routine?.approvals ?? [])])],
    ...(session.turns === 0 ? {} : { earlier: earlierTurns(session) }),
    ...(given === undefined ? {} : { given }),
    ...(engine.overrides && { overrides: engine.overrides }),
    ...(owner === LOCAL ? {} : { owner }),
  })
  yield started
  const state = begin(started as unknown as EventOf<'run.started'>, inherited(engine, session))
  const held = heldTo(engine, routine)
  const ctx = contextFor(held, { log, state, owner, ...input })
  const advice = engine.scouting?.advise(input.task, session)
  if (advice !== undefined) yield note(ctx, 'scout.policy', advice, advice.reason)
  return yield* finishTurn(held, ctx, { routine, recalled: [] })
}

function earlierTurns({ turns, spent, scouts, last }: SessionState): EarlierTurns {
  const tokens = spent.inputTokens + spent.outputTokens
  return {
    turns,
    tokens,
    ...(scouts.lastTurn === undefined ? {} : { scoutTurn: scouts.lastTurn }),
    ...(last && { last }),
  }
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
  if (last.mode !== 'chat' && last.mode !== 'routine') {
    throw new WritError('RUN_NOT_RESUMABLE', `run ${input.runId} is a ${last.mode} run and is not taken up by itself`, {
      hint: 'Start it again the way it was started.',
    })
  }
  const breach = firstBreach(events)
  if (breach !== undefined) {
    // Its open question and the answers to it may be what was changed.
    throw new WritError('RUN_NOT_RESUMABLE', `run ${input.runId}, event ${breach.seq}: ${breach.why}`, {
      hint: 'Look at the journal with `writ audit verify`, and start a new turn in its session.',
    })
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
  const routine = firingOf(events)
  const held = heldTo(engine, routine)
  const owner = await engine.ownerOf(sessionId)
  const ctx = contextFor(held, { log, state, owner, ...input })
  yield note(ctx, 'run.resumed', { steps: state.steps })
  const recalled = events.flatMap((event) => (event.type === 'memory.recalled' ? [event.data] : []))
  return yield* finishTurn(held, ctx, { routine, recalled })
}

async function* finishTurn(
  engine: Engine,
  ctx: TurnContext,
  { routine, recalled }: { routine: RoutineFiring | undefined; recalled: readonly Told[] },
): AsyncGenerator<Event, TurnResult> {
  const { state, log, model } = ctx
  const memories = yield* recall(engine, ctx, recalled)
  const end = yield* run({ ...ctx, system: once(() => promptFor(engine, state, memories)) })
  const { sessionId, runId } = state
  if (end === 'parked') return { reply: '', stopReason: 'parked', notices: [], sessionId, runId, state }
  // A routine says much the same every time; memory would drown in it.
  // And a turn that forgot something names it; its summary would tell it again.
  const forgot = (state.succeeded.memory_forget ?? 0) > 0
  if (end.reason === 'final' && state.profile.mode === 'chat' && !forgot) yield* remember(engine, ctx, end.text)
  const open = (await engine.scouting?.leftOpen(state)) ?? []
  const footer = model.footer?.(state.lang)
  const cut = end.reason === 'final' && state.outcome?.truncated ? texts(state.lang).notice.truncated : undefined
  const notices = [cut, ...open, footer].filter((notice) => notice !== undefined)
  if (routine !== undefined) {
    yield log.note('routine.finished', { name: routine.name, runId, stopReason: end.reason }, end.reason)
  }
  yield log.note('turn.committed', { reply: end.text, notices, stopReason: end.reason, runId }, end.reason)
  await log.flush()
  return { reply: end.text, stopReason: end.reason, notices, sessionId, runId, state }
}

/** S1: a finished turn is remembered; that it could not be is no reason to lose the reply. */
async function* remember({ memory, policy }: Engine, ctx: TurnContext, reply: string): AsyncGenerator<Event> {
  if (memory === undefined) return
  const { sessionId, runId, given } = ctx.state
  const task = given.own ?? ctx.state.task
  const retold = isHearsay(reply, ctx.state, policy.security)
  try {
    const { id } = await memory.of(ctx.owner).storeTurn({ task, reply, sessionId, runId, retold })
    yield note(ctx, 'memory.stored', { id, source: 'turn' })
  } catch (error) {
    yield memoryFailed(ctx, error)
  }
}

function memoryFailed(ctx: TurnContext, error: unknown): Event {
  return note(ctx, 'memory.failed', { message: messageOf(error) }, error instanceof WritError ? error.code : '')
}

function inherited({ model }: Engine, { history, origins, recalled }: SessionState) {
  return { history: clearOldReasoning(history, model.reasoning), origins, recalled }
}

/** The prompt waits for what memory has to say. */
type TurnContext = Omit<RunContext, 'system'>

function contextFor(
  engine: Engine,
  own: Pick<RunContext, 'log' | 'state' | 'owner'> & Pick<TurnInput, 'signal' | 'confirm' | 'stream'>,
): TurnContext {
  const { state } = own
  const signal = timeLimited(own.signal, { state, clock: engine.clock })
  const { scouting } = engine
  const recovered: RunContext['recovered'] = async (call) => scouting?.recovered(call, state)
  return { ...engine, ...own, signal, purpose: 'main', liveArgs: new Map(), recovered }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function promptFor(engine: Engine, state: RunState, memories: string): Promise<string> {
  const { routing, policy, world, clock } = engine
  const { given, skillRoute } = state
  const chosen = skillRoute?.kind === 'skills' ? skillsNamed(skillRoute.skills, routing.skills) : []
  const bodies = await Promise.all(chosen.map((skill) => loadSkill(skill).catch(messageOf)))
  return systemPrompt({
    lang: state.lang,
    identity: given.identity ?? routing.identity,
    tools: engine.registry.exposedTo(state.profile),
    skills: routing.skills,
    autonomy: policy.security.autonomy,
    ...guardOf(policy, state),
    memories,
    guides: given.skill ?? bodies.join('\n\n'),
    workspace: world.workspace,
    now: clock.now(),
    ...(state.advice === undefined ? {} : { advice: state.advice, dispatchTool: policy.scout.dispatchToolName }),
    ...(given.routine === undefined ? {} : { routine: given.routine }),
  })
}

/** A model that is not told what its task may use finds out by being stopped. */
function guardOf({ intentGuard }: Policy, { taskIntent }: RunState): Pick<PromptParts, 'guard'> {
  const { enabled, blockBudget, intents } = intentGuard
  const rules = intents[taskIntent.label]
  return enabled && rules.enabled ? { guard: { intent: taskIntent.label, blockBudget, ...rules } } : {}
}

/**
 * Written down before it is shown: a call that aims at what only a memory names is judged by where that came from.
 * A memory that cannot be asked is a turn without memories, not a failed one (S1-63). `known`: what this run was told
 * before it was taken up again, which is mostly the same.
 */
async function* recall({ memory }: Engine, ctx: TurnContext, known: readonly Told[]): AsyncGenerator<Event, string> {
  let entries: MemoryEntry[]
  try {
    entries = (await memory?.of(ctx.owner).recall(ctx.state.task, { limit: RECALLED })) ?? []
  } catch (error) {
    yield memoryFailed(ctx, error)
    return ''
  }
  if (entries.length === 0) return ''
  const told = toldBy(entries)
  const kept = canonical(ctx.log.masked(told))
  if (!known.some((one) => canonical(one) === kept)) yield note(ctx, 'memory.recalled', told)
  return formatMemories(entries)
}
