/** One user message to one committed reply. Whatever happens, a turn ends with a text and a reason. */
import type { Clock } from '../base/clock.ts'
import { CodedError, messageOf } from '../base/errors.ts'
import type { IdSource } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { loadSkill } from '../context/skills.ts'
import { clearOldReasoning } from '../context/window.ts'
import { WritError } from '../errors/writ-error.ts'
import { mayRepeatUntrusted } from '../gate/untrusted-texts.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import { begin, fold } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import { beginRun, continueLog } from '../journal/run-lifecycle.ts'
import { foldSession, type SessionState } from '../journal/session.ts'
import { standingRights } from '../journal/standing-approvals.ts'
import type { Store } from '../journal/store.ts'
import { firstBreach } from '../journal/verify.ts'
import type { Model } from '../model/model.ts'
import type { Memories, MemoryEntry } from '../ports/memory.ts'
import type { EarlierTurns, Event, GivenContext } from '../protocol/event.ts'
import { RESULT_TOOL, type Told, type ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ScoutAdvice } from '../protocol/scout.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import { formatMemories, splitRetold } from '../tool/memory/memory-text.ts'
import type { Registry } from '../tool/registry.ts'
import type { World } from '../tool/tool.ts'
import type { Recorder } from '../tool/undo/recorder.ts'
import { type AttachedFile, withAttachments } from './attachments.ts'
import type { Budget } from './budget.ts'
import { unprovenClaim } from './claims.ts'
import { type Confirm, note, type RunContext, type SystemPrompt, timeLimited } from './context.ts'
import { type PromptParts, systemPrompt } from './prompt.ts'
import { recordAfter, unrecordedNotice } from './recording.ts'
import { skillsNamed } from './route.ts'
import { firingOf, type RoutineFiring, withRoutinePolicy } from './routine.ts'
import { run } from './run.ts'

/** Memories recalled for a task. */
const RECALL_LIMIT = 5

/** What all turns of an agent share. */
export interface Engine {
  store: Store
  redact: Redact
  clock: Clock
  newId: IdSource
  policy: Policy
  shadow?: RunContext['shadow']
  reviewer?: RunContext['reviewer']
  model: Model
  registry: Registry
  world: World
  lang: Lang
  temperature: number | undefined
  maxOutputTokens: number | undefined
  /** Absent where no money budget is set. */
  budget?: Budget | undefined
  /** Absent where undo is switched off. */
  recorder?: Recorder | undefined
  modelAttempts: number
  contextTokens?: RunContext['contextTokens']
  results?: RunContext['results']
  media: RunContext['media']
  detector: RunContext['detector']
  routing: RunContext['routing']
  memory: Memories | undefined
  /** A finished turn is stored in memory. An answer may be wrong, and a later session would take it for a fact. */
  storesTurns?: boolean
  /** The principal the runs of a session work for. */
  ownerOf(sessionId: string): Promise<Principal>
  inspect: RunContext['inspect']
  /** Rules that people remembered for this workspace, or for all. */
  remembered?: RunContext['remembered']
  /** Restrictions of new runs beside the configuration, in its shape; recorded with each run. */
  overrides?: Record<string, unknown> | undefined
  /** Absent where no scouts can be sent. */
  scouting?: Scouting | undefined
  /** Aborted when the process is asked to end: its runs stop immediately and can be resumed. */
  suspended?: AbortSignal | undefined
}

/** Scouts around a turn: advice before it, notices after it. The tool that sends them is `explore`. */
export interface Scouting {
  /** Undefined when the task gives no sign that scouts would help. */
  advise(task: string, session: SessionState): ScoutAdvice | undefined
  /** Notices for the reply about scouts of this turn that found no answer. */
  unanswered(state: RunState): Promise<string[]>
  /** What the scouts of a call had found before a crash interrupted it. Undefined where it sent none. */
  recovered(call: ToolCall, state: RunState): Promise<string | undefined>
}

export interface TurnInput {
  task: string
  sessionId: string | undefined
  /** The session is new: there is no history to read. */
  opensSession?: boolean | undefined
  /** Chosen by the caller, who needs it to find the run. A new id when absent. */
  runId?: string | undefined
  profile: Profile
  signal: AbortSignal
  confirm: Confirm | undefined
  stream: boolean
  given?: GivenContext | undefined
  attachments?: readonly AttachedFile[] | undefined
  /** Set when a routine started this turn. */
  routine?: RoutineFiring | undefined
  /** The events of the loop are not yielded: passing each through every generator costs a tenth of a step. */
  quiet?: boolean | undefined
}

export interface TurnResult {
  reply: string
  /** `parked`: an approval is open; `resume` continues once it is answered. */
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
  const { profile, attachments = [] } = input
  let attached: Awaited<ReturnType<typeof withAttachments>> = { given: input.given, flagged: [] }
  if (attachments.length > 0) {
    const canRead = registry.exposedTo(profile).some(({ name }) => name === RESULT_TOOL)
    const reader = { ...engine, ...place, profile, canRead, masked: <T>(value: T) => log.masked(value) }
    attached = await withAttachments(reader, attachments, { given: input.given, history: session.history })
  }

  if (earlier.length === 0) yield log.note('session.opened', { locale: lang })
  yield log.note('turn.started', { input: input.task })
  const { routine } = input
  const standing = standingRights(earlier, session)
  if (routine !== undefined) yield log.note('routine.fired', routine, routine.name)
  const given = routine === undefined ? attached.given : { ...attached.given, routine: routine.name }
  const started = beginRun(log, {
    task: input.task,
    profile: input.profile,
    model: model.id,
    lang,
    route: model.route,
    tools: registry.exposedTo(input.profile).map((tool) => tool.name),
    history: given?.history?.length ?? session.history.length,
    approvals: [...new Set([...standing.approvals, ...(routine?.approvals ?? [])])],
    rules: standing.rules.length === 0 ? undefined : standing.rules,
    earlier: session.turns === 0 ? undefined : earlierTurns(session),
    given,
    overrides: engine.overrides,
    owner,
  })
  yield started
  const state = begin(started, inherited(engine, session))
  const narrowed = withRoutinePolicy(engine, routine)
  const ctx = contextFor(narrowed, { log, state, owner, ...input })
  for (const flag of attached.flagged) yield note(ctx, 'injection.flagged', flag, flag.verdict)
  const advice = engine.scouting?.advise(input.task, session)
  if (advice !== undefined) yield note(ctx, 'scout.policy', advice, advice.reason)
  return yield* finishTurn(narrowed, ctx, { routine, recalled: [], quiet: input.quiet })
}

function earlierTurns({ turns, spent, scouts, last }: SessionState): EarlierTurns {
  const tokens = spent.inputTokens + spent.outputTokens
  return { turns, tokens, ...present({ scoutTurn: scouts.lastTurn, last }) }
}

/** Resumes a run where its journal ends: after a crash, or when its open question is answered. */
export async function* resumeTurn(
  engine: Engine,
  input: Omit<TurnInput, 'task' | 'sessionId' | 'profile'> & { runId: string },
): AsyncGenerator<Event, TurnResult> {
  const { runId: run } = input
  const events = await engine.store.readRun(run)
  const last = events.at(-1)
  if (last === undefined) throw new WritError('RUN_UNKNOWN', { run })
  const { mode, sessionId } = last
  if (mode !== 'chat' && mode !== 'routine') throw new WritError('RUN_NOT_RESUMABLE', { run, mode })
  // The open question or its answer may be what was changed.
  const breach = firstBreach(events)
  if (breach !== undefined) throw new WritError('RUN_NOT_RESUMABLE.damaged', { run, seq: breach.seq })
  const session = foldSession(await engine.store.readSession(sessionId), run)
  const state = fold(events, inherited(engine, session))
  if (state.stop !== undefined) throw new WritError('RUN_ENDED', { run, reason: state.stop.reason })
  const log = continueLog(engine, last, events)
  const routine = firingOf(events)
  const narrowed = withRoutinePolicy(engine, routine)
  const owner = await engine.ownerOf(sessionId)
  const ctx = contextFor(narrowed, { log, state, owner, ...input })
  yield note(ctx, 'run.resumed', { steps: state.steps })
  const recalled = events.flatMap((event) => (event.type === 'memory.recalled' ? [event.data] : []))
  return yield* finishTurn(narrowed, ctx, { routine, recalled, quiet: input.quiet })
}

async function* finishTurn(
  engine: Engine,
  ctx: TurnContext,
  { routine, recalled, quiet }: Pick<TurnInput, 'routine' | 'quiet'> & { recalled: readonly Told[] },
): AsyncGenerator<Event, TurnResult> {
  const { state, log, model } = ctx
  const memories = yield* recall(engine, ctx, recalled)
  const loop = run({ ...ctx, system: once(() => promptFor(engine, state, memories)) })
  const end = quiet === true ? await drain(loop) : yield* loop
  const { sessionId, runId } = state
  yield* recordAfter(ctx)
  if (end === 'parked') {
    await log.flush()
    return { reply: '', stopReason: 'parked', notices: [], sessionId, runId, state }
  }
  // Not for routines, whose turns are much alike, and not after `memory_forget`: the summary would name what was
  // forgotten.
  const forgot = (state.succeeded.memory_forget ?? 0) > 0
  const isWorthStoring = end.reason === 'final' && state.profile.mode === 'chat' && !forgot
  if (engine.storesTurns && isWorthStoring) yield* remember(engine, ctx, end.text)
  const unanswered = (await engine.scouting?.unanswered(state)) ?? []
  const footer = model.footer?.(state.lang)
  const { notice } = texts(state.lang)
  const { truncated, quotesCall } = end.reason === 'final' ? (state.outcome ?? {}) : {}
  const cut = truncated ? notice.truncated : undefined
  const quoted = quotesCall ? notice.quotedCall : undefined
  const spent = (state.budget?.warned ?? []).map(({ text }) => text)
  const claim = end.reason === 'final' ? unprovenClaim(state, end.text) : undefined
  const all = [cut, quoted, claim, ...spent, unrecordedNotice(ctx), ...unanswered, footer]
  const notices = all.filter((text) => text !== undefined)
  if (routine !== undefined) {
    yield log.note('routine.finished', { name: routine.name, runId, stopReason: end.reason }, end.reason)
  }
  yield log.note('turn.committed', { reply: end.text, notices, stopReason: end.reason, runId }, end.reason)
  await log.flush()
  return { reply: end.text, stopReason: end.reason, notices, sessionId, runId, state }
}

/** S1-65: a failure to store the turn must not lose the reply. */
async function* remember({ memory, policy }: Engine, ctx: TurnContext, reply: string): AsyncGenerator<Event> {
  if (memory === undefined) return
  const { sessionId, runId, given } = ctx.state
  const task = given.own ?? ctx.state.task
  const retold = mayRepeatUntrusted(reply, ctx.state, policy.security)
  try {
    const { id } = await memory.of(ctx.owner).storeTurn({ task, reply, sessionId, runId, retold })
    yield note(ctx, 'memory.stored', { id, source: 'turn' })
  } catch (error) {
    yield memoryFailed(ctx, error)
  }
}

function memoryFailed(ctx: TurnContext, error: unknown): Event {
  return note(ctx, 'memory.failed', { message: messageOf(error) }, error instanceof CodedError ? error.code : '')
}

function inherited({ model }: Engine, { history, origins, recalled, unrecorded }: SessionState) {
  return { history: clearOldReasoning(history, model.reasoning), origins, recalled, ...present({ unrecorded }) }
}

/** Without the system prompt, which needs the recalled memories. */
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

async function promptFor(engine: Engine, state: RunState, memories: string): Promise<SystemPrompt> {
  const { routing, policy, world } = engine
  const { given, skillRoute } = state
  const chosen = skillRoute?.kind === 'skills' ? skillsNamed(skillRoute.skills, routing.skills) : []
  const bodies = await Promise.all(chosen.map((skill) => loadSkill(skill).catch(messageOf)))
  return systemPrompt({
    lang: state.lang,
    identity: given.identity ?? routing.identity,
    // Not always offered; the text of a shortened result explains it.
    tools: engine.registry.exposedTo(state.profile).filter(({ name }) => name !== RESULT_TOOL),
    skills: routing.skills,
    autonomy: policy.security.autonomy,
    guard: guardOf(policy, state),
    memories,
    guides: given.skill ?? bodies.join('\n\n'),
    workspace: world.workspace,
    // Not the present: a resumed run sends the same prompt.
    now: state.startedAt,
    advice: state.advice,
    dispatchTool: policy.scout.dispatchToolName,
    routine: given.routine,
    outputSchema: given.outputSchema,
  })
}

/** The prompt names the families the task may use; without it the model only learns them from denials. */
function guardOf({ intentGuard }: Policy, { taskIntent }: RunState): PromptParts['guard'] {
  const { enabled, blockBudget, intents } = intentGuard
  const rules = intents[taskIntent.label]
  return enabled && rules.enabled ? { intent: taskIntent.label, blockBudget, ...rules } : undefined
}

/**
 * Recorded before it is shown: the gate judges a target that only a memory names by where that memory came from.
 * When memory fails, the turn runs without memories (S1-63). `known`: what this run recalled before it was resumed;
 * the same text is not recorded twice.
 */
async function* recall({ memory }: Engine, ctx: TurnContext, known: readonly Told[]): AsyncGenerator<Event, string> {
  let entries: MemoryEntry[]
  try {
    entries = (await memory?.of(ctx.owner).recall(ctx.state.task, { limit: RECALL_LIMIT })) ?? []
  } catch (error) {
    yield memoryFailed(ctx, error)
    return ''
  }
  if (entries.length === 0) return ''
  const recalled = splitRetold(entries)
  const recorded = canonical(ctx.log.masked(recalled))
  if (!known.some((each) => canonical(each) === recorded)) yield note(ctx, 'memory.recalled', recalled)
  return formatMemories(entries)
}
