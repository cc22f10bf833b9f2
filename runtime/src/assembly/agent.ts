/** Puts an agent together from its configuration: the one place where everything meets. */

import type { Confirm } from '../agent/context.ts'
import { type Explanation, explain } from '../agent/explain.ts'
import { type RoutineFiring, unattended } from '../agent/routine.ts'
import { headsFile, openData, type SettingOptions, settingOf } from '../agent/setting.ts'
import { type Engine, resumeTurn, startTurn, type TurnInput, type TurnResult } from '../agent/turn.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import type { SkillMeta } from '../context/skills.ts'
import { contextTexts } from '../context/texts.ts'
import { closeInterrupted } from '../decision/interrupted.ts'
import { traceRun } from '../dispatch/standing.ts'
import type { Lang } from '../i18n/locale.ts'
import { hitsFor } from '../intent/guard.ts'
import { PRICES, type PriceTable } from '../journal/prices.ts'
import { type RefusedCall, refusedCalls } from '../journal/refused.ts'
import type { AppendListener, Store } from '../journal/store.ts'
import { type Totals, totalOf } from '../journal/totals.ts'
import { chooseModel, demandName, keyFor } from '../model/choose.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { TaskIntentLabel, ToolFamily } from '../protocol/intent.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Trace } from '../protocol/trace.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import { closeOrphans } from '../scout/orphans.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { leasesOn } from '../storage/leases.ts'
import type { Memories, Memory } from '../storage/memory-port.ts'
import { storeOn } from '../storage/open.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import { sweepLeftovers } from '../tool/guard/leftovers.ts'
import { inspect } from '../tool/inspect/inspect.ts'
import type { Tool, ToolDescription } from '../tool/tool.ts'
import { agentCoreTool } from '../workflow/nodes/agent-core.ts'
import { aloneInSession } from './alone.ts'
import { contextDesk } from './context-desk.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { type DecisionDesk, decisionDesk } from './decision-desk.ts'
import { docsOn } from './docs-desk.ts'
import { recordHeads } from './head-recorder.ts'
import { memoriesOn } from './memory-desk.ts'
import { demandOwnSession } from './own-session.ts'
import { type RoutineDesk, routineDesk } from './routine-desk.ts'
import { scoutDesk } from './scout-desk.ts'
import { type LeftOut, readSurroundings } from './surroundings.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'
import { type WorkflowDesk, workflowDesk } from './workflow-desk.ts'

export interface AgentOptions extends SettingOptions {
  /** `provider/name`, `rules`, or a model of your own. */
  model?: string | Model
  /** Beside the built-in ones, or in place of those of the same name. */
  tools?: Tool[]
  /** Asks a person. Without it, what needs a person is refused. */
  confirm?: Confirm
  /** Gets every model request as one JSON line. */
  record?: (line: string) => void
  /** Only to be asked what it would decide: it starts no servers and leaves the workspace as it is. */
  judging?: boolean
  clock?: Clock
  newId?: IdSource
  /** Told of every event it stores, and of those others store where it can hear of them. */
  onAppend?: AppendListener
  /** Once aborted, what is under way ends with RUN_INTERRUPTED and can be resumed, as after a crash. */
  suspended?: AbortSignal
}

export interface RunOptions {
  /** Runs the task for this routine: unattended, unstreamed, and with no more than the configuration grants. */
  routine?: RoutineFiring
  /** Goes on with an earlier conversation. */
  sessionId?: string
  /** Who asks; the session has to be theirs. The local user when absent. */
  principal?: Principal
  /** Chosen beforehand, by whoever must be able to find the run again. */
  runId?: string
  signal?: AbortSignal
  /** Asks in place of the agent's own. */
  confirm?: Confirm
  /** Takes the place of what the runtime would have found by itself. */
  given?: GivenContext
  /** What the run's own texts are written in; the configured language when absent. */
  lang?: Lang
}

export interface RunResult {
  reply: string
  stopReason: StopReason | 'parked'
  notices: string[]
  /** Every call that was refused, in this run and in those it started. */
  denials: RefusedCall[]
  sessionId: string
  runId: string
  metadata: { execution: Execution }
}

export interface Execution {
  stopReason: StopReason | 'parked'
  model: string
  steps: number
  toolCalls: number
  usage: { inputTokens: number; outputTokens: number }
  /** With all it began: scouts, and what they spent. */
  total: Totals
  intent: TaskIntentLabel
  /** Calls that succeeded, of the families the intent's policy requires. */
  hits: Partial<Record<ToolFamily, number>>
}

export interface Agent extends Conversation {
  readonly model: Model
  /** What they are; what they do is done under a writ. */
  readonly tools: readonly ToolDescription[]
  /** Of these, what a conversation may call; the others are for workflows and scouts, or switched off. */
  readonly chatTools: readonly ToolDescription[]
  readonly config: LoadedConfig
  readonly store: Store
  /** The database the journal is in, for those who keep more there; closed with the agent. */
  readonly db: ActingDatabase
  /** What its turns share, for those who start other runs on it. */
  readonly engine: Engine
  readonly skills: readonly SkillMeta[]
  /** The local user's. Absent where long-term memory is switched off. */
  readonly memory: Memory | undefined
  /** What people may look at and clear, whoever it belongs to and whether or not it is switched on. */
  readonly memories: Pick<Memories, 'keptFor'>
  readonly routines: RoutineDesk
  readonly workflows: WorkflowDesk
  /** Batches of predicted intents, judged and carried out (S2). */
  readonly decisions: DecisionDesk
  /** Those that are waiting or at work. */
  readonly scouts: Scouts
  /** What was found around the agent and could not be used. */
  readonly warnings: readonly string[]
  /** The same of its identity files, which only its own turns are told of. */
  readonly identityWarnings: readonly string[]
  /** Files that were left out because the workspace is not trusted. */
  readonly untrusted: LeftOut
  run(task: string, options?: RunOptions): Promise<RunResult>
  /** The same run, watched: every event as it happens, the result at the end. */
  stream(task: string, options?: RunOptions): AsyncGenerator<Event, RunResult>
  /** Takes up a run that was cut off or waits for an answer. */
  resume(runId: string, options?: Pick<RunOptions, 'signal' | 'confirm'>): AsyncGenerator<Event, RunResult>
  trace(runId: string): Promise<Trace>
  /** What the intent guard would make of a task; runs nothing. */
  explain(task: string, options?: { signal?: AbortSignal; lang?: Lang }): Promise<Explanation>
  close(): Promise<void>
}

export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  const agent = await openAgent(options)
  const { overrides = [] } = options

  /** Whoever goes on with a run is held to what the run was held to when it began, perhaps at a server elsewhere. */
  async function* asBegun<R>(runId: string, goOn: (held: Agent) => AsyncGenerator<Event, R>): AsyncGenerator<Event, R> {
    const [started] = await agent.store.readOf([runId], ['run.started'])
    const raw = started?.type === 'run.started' ? started.data.overrides : undefined
    if (raw === undefined || overrides.some((own) => canonical(own.raw) === canonical(raw))) return yield* goOn(agent)
    const held = await openAgent({ ...options, overrides: [{ origin: runId, raw }, ...overrides] })
    try {
      return yield* goOn(held)
    } finally {
      await held.close()
    }
  }
  const { workflows } = agent
  return {
    ...agent,
    resume: (runId, own) => asBegun(runId, (held) => held.resume(runId, own)),
    workflows: { ...workflows, resume: (runId, own) => asBegun(runId, (held) => held.workflows.resume(runId, own)) },
  }
}

async function openAgent(options: AgentOptions): Promise<Agent> {
  const setting = await settingOf(options)
  const { judging = false, record } = options
  const movedAside = judging ? [] : sweepLeftovers(setting.workspace)
  const { detectorFor } = await import('../config/detector.ts')
  const { loaded, world, profile, redact } = setting
  const { config } = loaded
  const opened = async (name?: string): Promise<Model> => {
    const found = await modelFor(options, setting, name)
    return record === undefined ? found : recordRequests(found, record)
  }
  const model = await opened()
  const surroundings = await readSurroundings(setting)
  const clock = options.clock ?? systemClock
  const newId = options.newId ?? randomIds
  const replaced: string[] = []
  const db = await openData(setting, (path) => replaced.push(contextTexts(loaded.lang).ignoreReplaced({ path })))
  const store = storeOn(db)
  if (options.onAppend !== undefined) store.onAppend(options.onAppend)
  const places = { file: headsFile(config, setting.env), command: config.audit.headsCommand, env: setting.env }
  const heads = await recordHeads(store, places).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const kept = memoriesOn(db, setting, { clock, newId })
  const memories = config.memory.enabled ? kept : undefined
  const self = () => ({ model: model.id, autonomy: config.security.autonomy, tools: registry.names() })
  const desk = routineDesk(db, setting)
  const { skills } = surroundings
  const { scouts, scouting } = scoutDesk(setting, { engine: () => engine, store })
  const { disabled } = config.tools
  const demandModel = (name: string) => {
    if (typeof options.model !== 'object') demandName(name)
  }
  const node = agentCoreTool(() => engine, { modelNamed: opened, demandModel, disabled }) as Tool
  const deps = {
    self,
    memory: memories,
    skills,
    routinesOf: (owner: Principal) => desk.routinesOf(owner, owner),
    docs: docsOn(db, setting),
    scouts,
    context: contextDesk(setting, { db, clock }),
  }
  const nodes = disabled.includes(node.name) ? [] : [node]
  const brought = { nodes, own: options.tools ?? [], servers: !judging }
  const toolbox: Toolbox = await openToolbox(setting, deps, brought).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const { registry } = toolbox
  const told = options.overrides?.at(-1)
  const owners = sessionOwners(db)
  const engine: Engine = {
    store,
    redact,
    clock,
    newId,
    policy: loaded.policy,
    model,
    registry,
    world,
    lang: loaded.lang,
    temperature: config.temperature,
    maxOutputTokens: config.maxOutputTokens,
    modelAttempts: config.limits.modelAttempts,
    detector: { kind: detectorFor(config, model.id), timeoutMs: config.execution.intentGuard.detectorTimeoutMs },
    routing: { historyMessages: config.routing.historyMessages, ...surroundings },
    memory: memories,
    ownerOf: owners.ownerOf,
    inspect: config.security.injectionCheck ? inspect : undefined,
    ...(scouting === undefined ? {} : { scouting }),
    ...(told === undefined ? {} : { overrides: { ...told.raw } }),
    ...(options.suspended === undefined ? {} : { suspended: options.suspended }),
  }

  const prices = { ...PRICES, ...config.prices }
  const leases = leasesOn(db)
  const demandOwn = demandOwnSession(owners, clock)
  const alone = aloneInSession(engine, leases, scouts)
  async function* turn(input: TurnInput, by: Principal, lang = loaded.lang): AsyncGenerator<Event, TurnResult> {
    const { sessionId = newId('ses'), signal } = input
    await demandOwn(sessionId, by)
    const named = { ...input, sessionId, opensSession: input.sessionId === undefined }
    return yield* alone({ sessionId, signal }, (held, ending) =>
      startTurn({ ...held, lang }, { ...named, signal: ending }),
    )
  }
  async function* stream(task: string, own: RunOptions = {}, live = true): AsyncGenerator<Event, RunResult> {
    const signal = own.signal ?? new AbortController().signal
    const { sessionId, routine, given, runId, principal = LOCAL } = own
    const attended = { profile, confirm: own.confirm ?? options.confirm, stream: live, ...(given && { given }) }
    const unwatched = { profile: unattended(profile), confirm: undefined, stream: false }
    const input = {
      task,
      sessionId,
      signal,
      routine,
      ...(runId === undefined ? {} : { runId }),
      ...(routine === undefined ? attended : unwatched),
    }
    return await resultOf(yield* turn(input, principal, own.lang), engine, prices)
  }
  const conversation = openConversation((task, { sessionId, confirm, given, live }) => {
    const { signal } = new AbortController()
    const said = given === undefined ? {} : { given }
    return turn({ task, sessionId, signal, profile, confirm, stream: live, ...said }, LOCAL)
  }, options.confirm)
  return {
    ...conversation,
    model,
    tools: Object.freeze(registry.all()),
    chatTools: registry.exposedTo(profile),
    config: loaded,
    store,
    db,
    engine,
    skills: surroundings.skills,
    memory: memories?.of(LOCAL),
    memories: kept,
    routines: desk,
    workflows: workflowDesk(engine, loaded, { alone, demandOwn }),
    decisions: decisionDesk({
      engine,
      config,
      leases,
      demandOwn,
      model: typeof options.model === 'object' ? options.model : undefined,
      ...(record === undefined ? {} : { recorded: (asked: Model) => recordRequests(asked, record) }),
    }),
    scouts: { list: scouts.list, cancel: scouts.cancel },
    warnings: [...replaced, ...surroundings.warnings.skills, ...toolbox.warnings],
    untrusted: surroundings.untrusted,
    identityWarnings: [...movedAside.map(contextTexts(loaded.lang).movedAside), ...surroundings.warnings.identity],
    stream: (task, own) => stream(task, own),
    run: (task, own) => drain(stream(task, own, false)),
    async *resume(runId, own = {}) {
      const signal = own.signal ?? new AbortController().signal
      const confirm = own.confirm ?? options.confirm
      const [first] = await store.readRun(runId, 0, 1)
      const taken = async function* (held: Engine, ending: AbortSignal) {
        if (first?.mode === 'decision') throw await decisionOver(held, runId)
        await closeOrphans(held, runId)
        return yield* resumeTurn(held, { runId, signal: ending, confirm, stream: true })
      }
      const turn = first === undefined ? taken(engine, signal) : alone({ sessionId: first.sessionId, signal }, taken)
      return await resultOf(yield* turn, engine, prices)
    },
    trace: (runId) => traceRun(store, leases, runId),
    explain: (task, own = {}) =>
      explain({ ...engine, lang: own.lang ?? loaded.lang }, task, {
        tools: registry.exposedTo(profile),
        signal: own.signal ?? new AbortController().signal,
      }),
    async close() {
      await toolbox.close()
      await heads?.settled()
      await store.close()
    },
  }
}

/** A decision's window is over: one that was cut off is ended, and none is taken up again. */
async function decisionOver(engine: Engine, runId: string): Promise<WritError> {
  await closeInterrupted(engine, runId)
  return new WritError('RUN_ENDED', `run ${runId} is a decision, and its window is over`, {
    hint: 'Decide again with `writ decide`.',
  })
}

async function resultOf(
  { state, ...turn }: TurnResult,
  { store, model, policy }: Engine,
  prices: PriceTable,
): Promise<RunResult> {
  const { steps, toolCalls, usage, taskIntent } = state
  const { label } = taskIntent
  const { reply, stopReason, notices, sessionId, runId } = turn
  const hits = hitsFor({ label, policy: policy.intentGuard }, state.hits)
  const total = await totalOf(store, runId, prices)
  const name = model.standsFor ?? model.id
  const execution = { stopReason, model: name, steps, toolCalls, usage, total, intent: label, hits }
  const denials = await refusedCalls(store, runId)
  return { reply, stopReason, notices, denials, sessionId, runId, metadata: { execution } }
}

/** A model given as such, a script for one, stands in for every name. */
async function modelFor(
  options: AgentOptions,
  { env, loaded }: { env: Env; loaded: LoadedConfig },
  named = loaded.config.model,
): Promise<Model> {
  if (typeof options.model === 'object') {
    const { model } = options
    return named === undefined || model.route !== 'Mock' ? model : { ...model, standsFor: named }
  }
  const { model: main, limits, maxOutputTokens, scout } = loaded.config
  const choice = await chooseModel(named, env)
  if (choice === 'rules') return (await import('../model/rules.ts')).rulesModel({ dispatch: scout.dispatchToolName })
  if (choice === 'scripted') {
    throw new WritError('SCRIPT_MISSING', 'the model is "scripted", and there is no script', {
      hint: 'Give `--script FILE` on the command line, or a scripted model to createAgent.',
    })
  }
  const { openModel } = await import('../model/providers.ts')
  const apiKey = keyFor(choice.provider, env)
  // The address is that of the configured model's provider; another provider keeps its own.
  const sameServer = main === undefined || main.startsWith(`${choice.provider}/`)
  const baseURL = sameServer ? loaded.config.baseURL : undefined
  const given = { ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) }
  return openModel(
    { ...choice, ...given, maxOutputTokens },
    { idleMs: limits.modelIdleMs, totalMs: limits.modelTotalMs },
  )
}
