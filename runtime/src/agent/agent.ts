/** Puts an agent together from its configuration: the one place where everything meets. */
import { mkdir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import type { LoadedConfig } from '../config/load.ts'
import { configHome, dataDir, type Env } from '../config/places.ts'
import type { Lang } from '../i18n/locale.ts'
import { makeRedactor } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import { traceOf } from '../journal/trace.ts'
import type { Model } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { Profile } from '../protocol/profile.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Trace } from '../protocol/trace.ts'
import { builtinTools } from '../tool/builtin/all.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool, World } from '../tool/tool.ts'
import type { Confirm } from './context.ts'
import { PROFILES } from './profile.ts'
import { type Engine, resumeTurn, startTurn, type TurnResult } from './turn.ts'

export interface AgentOptions {
  /** The folder the agent works in; the current one when absent. */
  workspace?: string
  /** The contents of an `agent.config.json`, or the path of one. The workspace's own when absent. */
  config?: object | string
  /** Where the journal is kept; `:memory:` keeps it nowhere. `.writ` in the workspace when absent. */
  data?: string
  /** `provider/name`, `rules`, or a model of your own. */
  model?: string | Model
  baseURL?: string
  /** Beside the built-in ones. */
  tools?: Tool[]
  /** Asks a person. Without it, what needs a person is refused. */
  confirm?: Confirm
  lang?: Lang
  env?: Env
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
  const env = options.env ?? process.env
  const workspace = await realpath(resolve(options.workspace ?? process.cwd()))
  const loaded = await loadedConfig(options, { env, workspace })
  const { config } = loaded
  const data = options.data === ':memory:' ? undefined : dataDir(options.data, env, workspace)
  const model = await modelFor(options, { env, loaded })
  const store = await storeFor(config.store, { data, env })

  const world: World = {
    workspace,
    protectedPaths: protectedPaths(workspace, { data, home: configHome(env, homedir()), files: loaded.files }),
    allowedHosts: config.security.allowedHosts,
    env,
    sandbox: config.security.sandbox,
  }
  const registry: Registry = new Registry([
    ...builtinTools({
      config: () => config as never,
      self: () => ({ model: model.id, autonomy: config.security.autonomy, tools: registry.names() }),
    }),
    ...(options.tools ?? []),
  ])
  const engine: Engine = {
    store,
    redact: makeRedactor(secretsOf(env)),
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
  const profile = chatProfile(config)

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

function chatProfile({ limits, tools, sessionTokenBudget }: LoadedConfig['config']): Profile {
  const { maxSteps, runMs, callMs, historyMessages, observationMaxLen } = limits
  return {
    ...PROFILES.chat,
    limits: {
      maxSteps,
      ...(runMs === undefined ? {} : { runMs }),
      ...(callMs === undefined ? {} : { callMs }),
      ...(sessionTokenBudget === 0 ? {} : { tokens: { budget: sessionTokenBudget, mode: 'soft' as const } }),
    },
    exposure: { hidden: [...PROFILES.chat.exposure.hidden, ...tools.disabled] },
    historyMessages,
    observationMaxLen,
  }
}

async function loadedConfig(options: AgentOptions, at: { env: Env; workspace: string }): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load.ts')
  const named = typeof options.config === 'string' ? { configFile: options.config } : {}
  const given = typeof options.config === 'object' ? { given: options.config } : {}
  const flags = {
    ...(typeof options.model === 'string' ? { model: options.model } : {}),
    ...(options.baseURL === undefined ? {} : { baseUrl: options.baseURL }),
    ...(options.lang === undefined ? {} : { lang: options.lang }),
  }
  return loadConfig({ ...at, home: homedir(), flags, ...named, ...given })
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

async function storeFor(
  kind: 'sqlite' | 'postgres',
  { data, env }: { data: string | undefined; env: Env },
): Promise<Store> {
  const { openStore } = await import('../storage/open.ts')
  if (data === undefined) return openStore({ kind: 'memory' })
  await mkdir(data, { recursive: true, mode: 0o700 })
  if (kind === 'postgres') return openStore({ kind, url: env.WRIT_DATABASE_URL ?? '' })
  return openStore({ kind, file: join(data, 'journal.db') })
}

/** What makes the agent what it is; it may not rewrite any of it. */
function protectedPaths(
  workspace: string,
  { data, home, files }: { data: string | undefined; home: string; files: readonly string[] },
): string[] {
  const own = ['agent.config.json', '.writ', '.agents', '.claude', 'AGENT.md', 'SOUL.md', 'USER.md', 'AGENTS.md']
  return [...own.map((name) => join(workspace, name)), home, ...files, ...(data === undefined ? [] : [data])]
}

/** Every variable whose name says that its value is a secret is one. */
function secretsOf(env: Env): string[] {
  const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DATABASE_URL)$/i
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && secret.test(name) ? [value] : []))
}
