/** Puts an agent together from its configuration: the one place where everything meets. */
import { type Clock, systemClock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import type { Store } from '../journal/store.ts'
import { traceOf } from '../journal/trace.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'
import type { Event } from '../protocol/event.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Trace } from '../protocol/trace.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { sweepLeftovers } from '../tool/guard/leftovers.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import type { Confirm } from './context.ts'
import { openJournal, type SettingOptions, settingOf } from './setting.ts'
import { type Engine, resumeTurn, startTurn, type TurnResult } from './turn.ts'

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
  /** Goes on with an earlier conversation. */
  sessionId?: string
  signal?: AbortSignal
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

export interface Agent {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly config: LoadedConfig
  readonly store: Store
  run(task: string, options?: RunOptions): Promise<RunResult>
  /** The same run, watched: every event as it happens, the result at the end. */
  stream(task: string, options?: RunOptions): AsyncGenerator<Event, RunResult>
  /** Takes up a run that was cut off or waits for an answer. */
  resume(runId: string, options?: { signal?: AbortSignal }): AsyncGenerator<Event, RunResult>
  trace(runId: string): Promise<Trace>
  close(): Promise<void>
}

export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  const setting = await settingOf(options)
  sweepLeftovers(setting.workspace)
  const { loaded, world, profile, redact } = setting
  const { config } = loaded
  const chosen = await modelFor(options, setting)
  const model = options.record === undefined ? chosen : recordRequests(chosen, options.record)
  const store = await openJournal(setting)

  const registry: Registry = new Registry([
    ...builtinTools({
      config: () => config as never,
      self: () => ({ model: model.id, autonomy: config.security.autonomy, tools: registry.names() }),
    }),
    ...(options.tools ?? []),
  ])
  const engine: Engine = {
    store,
    redact,
    clock: options.clock ?? systemClock,
    newId: options.newId ?? randomIds,
    policy: loaded.policy,
    model,
    registry,
    world,
    lang: loaded.lang,
    temperature: config.temperature,
    maxOutputTokens: config.maxOutputTokens,
    modelAttempts: config.limits.modelAttempts,
  }

  async function* stream(task: string, own: RunOptions = {}, live = true): AsyncGenerator<Event, RunResult> {
    const signal = own.signal ?? new AbortController().signal
    const { sessionId } = own
    const input = { task, sessionId, profile, signal, confirm: options.confirm, stream: live }
    return resultOf(yield* startTurn(engine, input), model)
  }
  return {
    model,
    tools: registry.all(),
    config: loaded,
    store,
    stream: (task, own) => stream(task, own),
    run: (task, own) => drain(stream(task, own, false)),
    async *resume(runId, own = {}) {
      const signal = own.signal ?? new AbortController().signal
      return resultOf(yield* resumeTurn(engine, { runId, signal, confirm: options.confirm, stream: true }), model)
    },
    trace: async (runId) => traceOf(await store.readRun(runId)),
    close: () => store.close(),
  }
}

async function drain<T>(generator: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const next = await generator.next()
    if (next.done) return next.value
  }
}

function resultOf({ state, ...turn }: TurnResult, model: Model): RunResult {
  const { steps, toolCalls, usage, hits, taskIntent } = state
  const { reply, stopReason, notices, sessionId, runId } = turn
  const execution = { stopReason, model: model.id, steps, toolCalls, usage, intent: taskIntent.label, hits }
  return { reply, stopReason, notices, sessionId, runId, metadata: { execution } }
}

async function modelFor(options: AgentOptions, { env, loaded }: { env: Env; loaded: LoadedConfig }): Promise<Model> {
  if (typeof options.model === 'object') return options.model
  const { baseURL, limits, maxOutputTokens } = loaded.config
  const { chooseModel, keyFor } = await import('../model/choose.ts')
  const choice = await chooseModel(loaded.config.model, env)
  if (choice === 'rules') return (await import('../model/rules.ts')).rulesModel()
  if (choice === 'scripted') {
    throw new WritError('SCRIPT_MISSING', 'the model is "scripted", and there is no script', {
      hint: 'Give `--script FILE` on the command line, or a scripted model to createAgent.',
    })
  }
  const { openModel } = await import('../model/providers.ts')
  const apiKey = keyFor(choice.provider, env)
  const given = { ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) }
  return openModel({ ...choice, ...given, maxOutputTokens }, { idleMs: limits.modelIdleMs })
}
