/** Puts an agent together from its configuration: the one place where everything meets. */

import type { Confirm } from '../agent/context.ts'
import { type Explanation, explain } from '../agent/explain.ts'
import { type RoutineFiring, unattended } from '../agent/routine.ts'
import { openData, type SettingOptions, settingOf } from '../agent/setting.ts'
import { type Engine, resumeTurn, startTurn, type TurnResult } from '../agent/turn.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { drain } from '../base/wait.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import { openMemory } from '../context/memory.ts'
import type { SkillMeta } from '../context/skills.ts'
import type { Store } from '../journal/store.ts'
import { traceOf } from '../journal/trace.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Trace } from '../protocol/trace.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import { closeOrphans } from '../scout/orphans.ts'
import type { Database } from '../storage/database.ts'
import { leasesOn } from '../storage/leases.ts'
import { memoryArchive } from '../storage/memory-archive.ts'
import type { Memory } from '../storage/memory-port.ts'
import { storeOn } from '../storage/open.ts'
import { sweepLeftovers } from '../tool/guard/leftovers.ts'
import { inspect } from '../tool/inspect/inspect.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import { agentCoreTool } from '../workflow/nodes/agent-core.ts'
import { aloneInSession } from './alone.ts'
import { contextDesk } from './context-desk.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { docsOn } from './docs-desk.ts'
import { type RoutineDesk, routineDesk } from './routine-desk.ts'
import { scoutDesk } from './scout-desk.ts'
import { readSurroundings } from './surroundings.ts'
import { openToolbox } from './toolbox.ts'
import { type WorkflowDesk, workflowDesk } from './workflow-desk.ts'

export interface AgentOptions extends SettingOptions {
  /** `provider/name`, `rules`, or a model of your own. */
  model?: string | Model
  /** Beside the built-in ones. */
  tools?: Tool[]
  /** Asks a person. Without it, what needs a person is refused. */
  confirm?: Confirm
  /** Gets every model request as one JSON line. */
  record?: (line: string) => void
  clock?: Clock
  newId?: IdSource
}

export interface RunOptions {
  /** Runs the task for this routine: unattended, unstreamed, and with no more than the configuration grants. */
  routine?: RoutineFiring
  /** Goes on with an earlier conversation. */
  sessionId?: string
  /** Chosen beforehand, by whoever must be able to find the run again. */
  runId?: string
  signal?: AbortSignal
  /** Asks in place of the agent's own. */
  confirm?: Confirm
  /** Takes the place of what the runtime would have found by itself. */
  given?: GivenContext
}

export interface RunResult {
  reply: string
  stopReason: StopReason | 'parked'
  notices: string[]
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
  intent: string
  hits: Partial<Record<string, number>>
}

export interface Agent extends Conversation {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly config: LoadedConfig
  readonly store: Store
  /** The database the journal is in, for those who keep more there; closed with the agent. */
  readonly db: Database
  /** What its turns share, for those who start other runs on it. */
  readonly engine: Engine
  readonly skills: readonly SkillMeta[]
  /** Absent where long-term memory is switched off. */
  readonly memory: Memory | undefined
  readonly routines: RoutineDesk
  readonly workflows: WorkflowDesk
  /** Those that are waiting or at work. */
  readonly scouts: Scouts
  /** What was found around the agent and could not be used. */
  readonly warnings: readonly string[]
  run(task: string, options?: RunOptions): Promise<RunResult>
  /** The same run, watched: every event as it happens, the result at the end. */
  stream(task: string, options?: RunOptions): AsyncGenerator<Event, RunResult>
  /** Takes up a run that was cut off or waits for an answer. */
  resume(runId: string, options?: Pick<RunOptions, 'signal' | 'confirm'>): AsyncGenerator<Event, RunResult>
  trace(runId: string): Promise<Trace>
  /** What the intent guard would make of a task; runs nothing. */
  explain(task: string, options?: { signal?: AbortSignal }): Promise<Explanation>
  close(): Promise<void>
}

export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  const setting = await settingOf(options)
  sweepLeftovers(setting.workspace)
  const { detectorFor } = await import('../config/schema.ts')
  const { loaded, world, profile, redact } = setting
  const { config } = loaded
  const opened = async (name?: string): Promise<Model> => {
    const found = await modelFor(options, setting, name)
    return options.record === undefined ? found : recordRequests(found, options.record)
  }
  const model = await opened()
  const clock = options.clock ?? systemClock
  const newId = options.newId ?? randomIds
  const db = await openData(setting)
  const store = storeOn(db)
  const memory = config.memory.enabled
    ? openMemory({ archive: memoryArchive(db), inspect, redact, clock, newId })
    : undefined
  const surroundings = await readSurroundings(setting)
  const self = () => ({ model: model.id, autonomy: config.security.autonomy, tools: registry.names() })
  const desk = routineDesk(db, setting)
  const { skills } = surroundings
  const { scouts, scouting } = scoutDesk(setting, { engine: () => engine, store })
  const toolbox = await openToolbox(setting, {
    self,
    memory,
    skills,
    routines: desk.routines,
    docs: docsOn(db, setting),
    scouts,
    context: contextDesk(setting, { db, clock }),
  })
  const { disabled } = config.tools
  const node = agentCoreTool(() => engine, { modelNamed: opened, disabled }) as Tool
  const registry: Registry = new Registry([
    ...toolbox.tools,
    ...(disabled.includes(node.name) ? [] : [node]),
    ...(options.tools ?? []),
  ])
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
    memory,
    inspect: config.security.injectionCheck ? inspect : undefined,
    ...(scouting === undefined ? {} : { scouting }),
  }

  const alone = aloneInSession(engine, leasesOn(db))
  async function* stream(task: string, own: RunOptions = {}, live = true): AsyncGenerator<Event, RunResult> {
    const signal = own.signal ?? new AbortController().signal
    const { routine, given, runId } = own
    const sessionId = own.sessionId ?? newId('ses')
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
    const turn = alone({ sessionId, signal }, (held, ending) => startTurn(held, { ...input, signal: ending }))
    return resultOf(yield* turn, model)
  }
  const conversation = openConversation(async function* (task, { sessionId, confirm, given, live }) {
    const signal = new AbortController().signal
    const said = given === undefined ? {} : { given }
    const id = sessionId ?? newId('ses')
    const input = { task, sessionId: id, signal, profile, confirm, stream: live, ...said }
    return yield* alone({ sessionId: id, signal }, (held, ending) => startTurn(held, { ...input, signal: ending }))
  }, options.confirm)
  return {
    ...conversation,
    model,
    tools: registry.all(),
    config: loaded,
    store,
    db,
    engine,
    skills: surroundings.skills,
    memory,
    routines: desk,
    workflows: workflowDesk(engine, loaded, alone),
    scouts: { list: scouts.list, cancel: scouts.cancel },
    warnings: [...surroundings.warnings, ...toolbox.warnings],
    stream: (task, own) => stream(task, own),
    run: (task, own) => drain(stream(task, own, false)),
    async *resume(runId, own = {}) {
      const signal = own.signal ?? new AbortController().signal
      const confirm = own.confirm ?? options.confirm
      const [first] = await store.readRun(runId, 0, 1)
      const taken = async function* (held: Engine, ending: AbortSignal) {
        await closeOrphans(held, runId)
        return yield* resumeTurn(held, { runId, signal: ending, confirm, stream: true })
      }
      const turn = first === undefined ? taken(engine, signal) : alone({ sessionId: first.sessionId, signal }, taken)
      return resultOf(yield* turn, model)
    },
    trace: async (runId) => traceOf(await store.readRun(runId)),
    explain: (task, own = {}) =>
      explain(engine, task, {
        tools: registry.exposedTo(profile),
        signal: own.signal ?? new AbortController().signal,
      }),
    async close() {
      await toolbox.close()
      await store.close()
    },
  }
}

function resultOf({ state, ...turn }: TurnResult, model: Model): RunResult {
  const { steps, toolCalls, usage, hits, taskIntent } = state
  const { reply, stopReason, notices, sessionId, runId } = turn
  const execution = { stopReason, model: model.id, steps, toolCalls, usage, intent: taskIntent.label, hits }
  return { reply, stopReason, notices, sessionId, runId, metadata: { execution } }
}

/** A model given as such, a script for one, stands in for every name. */
async function modelFor(
  options: AgentOptions,
  { env, loaded }: { env: Env; loaded: LoadedConfig },
  named = loaded.config.model,
): Promise<Model> {
  if (typeof options.model === 'object') return options.model
  const { model: main, limits, maxOutputTokens } = loaded.config
  const { chooseModel, keyFor } = await import('../model/choose.ts')
  const choice = await chooseModel(named, env)
  if (choice === 'rules') return (await import('../model/rules.ts')).rulesModel()
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
  return openModel({ ...choice, ...given, maxOutputTokens }, { idleMs: limits.modelIdleMs })
}
