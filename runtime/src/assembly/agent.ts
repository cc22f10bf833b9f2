/** Builds an agent from its configuration: the one place where everything meets. */
import type { Confirm } from '../agent/context.ts'
import { type Explanation, explain } from '../agent/explain.ts'
import type { Engine } from '../agent/turn.ts'
import { loadWorkspace, type WorkspaceOptions } from '../agent/workspace-context.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { SkillMeta } from '../context/skills.ts'
import { contextTexts } from '../context/texts.ts'
import { traceRun } from '../dispatch/liveness.ts'
import type { Lang } from '../i18n/locale.ts'
import { PRICES } from '../journal/prices.ts'
import type { AppendListener, Store } from '../journal/store.ts'
import type { Model } from '../model/model.ts'
import type { Memories, Memory } from '../ports/memory.ts'
import type { Event } from '../protocol/event.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { Trace } from '../protocol/trace.ts'
import type { Scouts } from '../scout/orchestrator.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { moveAsideLeftovers } from '../tool/guard/planted-files.ts'
import type { Tool, ToolDescription } from '../tool/tool.ts'
import type { Conversation } from './conversation.ts'
import { type AgentDecisions, agentDecisions } from './decisions.ts'
import { openEngine } from './engine.ts'
import { readIdentityAndSkills, type UntrustedFiles } from './identity-and-skills.ts'
import { agentModels, type ModelOptions } from './models.ts'
import { sessionOwnerCheck } from './own-session.ts'
import { type AgentPolicy, agentPolicy } from './policy.ts'
import { type AgentRoutines, agentRoutines } from './routines.ts'
import { underSessionLease } from './session-lease.ts'
import { openStorage } from './storage.ts'
import { agentTurns, type RunOptions, type RunResult } from './turns.ts'
import { type AgentWorkflows, agentWorkflows } from './workflows.ts'

export interface AgentOptions extends WorkspaceOptions, ModelOptions {
  /** Beside the built-in ones; a tool of the same name replaces the built-in one. */
  tools?: Tool[]
  /** Asks a person for approval. Without it, what needs approval is denied. */
  confirm?: Confirm
  /** Only judges calls: starts no MCP servers, leaves the workspace as it is and does not check the rules' examples. */
  judging?: boolean
  /** Called while MCP servers are being connected to, with the names of those in progress; empty at the end. */
  onConnecting?: (servers: readonly string[]) => void
  clock?: Clock
  newId?: IdSource
  /** Called for every event this agent stores, and for events of other processes where the store reports them. */
  onAppend?: AppendListener
  /** Once aborted, current runs end with RUN_INTERRUPTED and can be resumed, as after a crash. */
  suspended?: AbortSignal
}

export interface Agent extends Conversation {
  readonly model: Model
  /** Their descriptions; executing one needs a writ. */
  readonly tools: readonly ToolDescription[]
  /** The tools a conversation may call; the others are for workflows and scouts, or switched off. */
  readonly chatTools: readonly ToolDescription[]
  readonly config: LoadedConfig
  /** Judges calls that are not run. */
  readonly policy: AgentPolicy
  readonly store: Store
  /** The database the journal is in, for callers that store more there; closed with the agent. */
  readonly db: ActingDatabase
  /** What its turns share, for callers that start other runs with it. */
  readonly engine: Engine
  readonly skills: readonly SkillMeta[]
  /** The local user's. Absent where long-term memory is switched off. */
  readonly memory: Memory | undefined
  /** For people to list and clear, of any owner, also where memory is switched off. */
  readonly memories: Pick<Memories, 'keptFor'>
  readonly routines: AgentRoutines
  readonly workflows: AgentWorkflows
  /** Batches of predicted intents, judged and executed (S2). */
  readonly decisions: AgentDecisions
  /** Scouts that are queued or running. */
  readonly scouts: Scouts
  /** Skills and MCP servers that could not be used. */
  readonly warnings: readonly string[]
  /** Problems with its identity files, which only matter to its own turns. */
  readonly identityWarnings: readonly string[]
  /** Files that were ignored because the workspace is not trusted. */
  readonly untrusted: UntrustedFiles
  run(task: string, options?: RunOptions): Promise<RunResult>
  /** The same, streamed: every event as it happens, the result at the end. */
  stream(task: string, options?: RunOptions): AsyncGenerator<Event, RunResult>
  /** Resumes a run that was interrupted or waits for an approval. */
  resume(runId: string, options?: Pick<RunOptions, 'signal' | 'confirm'>): AsyncGenerator<Event, RunResult>
  trace(runId: string): Promise<Trace>
  /** How the intent guard would classify a task; runs nothing. */
  explain(task: string, options?: { signal?: AbortSignal; lang?: Lang; principal?: Principal }): Promise<Explanation>
  close(): Promise<void>
}

export async function createAgent(options: AgentOptions = {}): Promise<Agent> {
  const agent = await openAgent(options)
  const { overrides = [] } = options

  /** A resumed run keeps the overrides it began under, which may come from a server elsewhere. */
  async function* withItsOverrides<R>(
    runId: string,
    resume: (narrowed: Agent) => AsyncGenerator<Event, R>,
  ): AsyncGenerator<Event, R> {
    const [started] = await agent.store.readOf([runId], ['run.started'])
    const raw = started?.type === 'run.started' ? started.data.overrides : undefined
    if (raw === undefined || overrides.some((own) => canonical(own.raw) === canonical(raw))) return yield* resume(agent)
    const narrowed = await openAgent({ ...options, overrides: [{ origin: runId, raw }, ...overrides] })
    try {
      return yield* resume(narrowed)
    } finally {
      await narrowed.close()
    }
  }
  const { workflows } = agent
  return {
    ...agent,
    resume: (runId, own) => withItsOverrides(runId, (narrowed) => narrowed.resume(runId, own)),
    workflows: {
      ...workflows,
      resume: (runId, own) => withItsOverrides(runId, (narrowed) => narrowed.workflows.resume(runId, own)),
    },
  }
}

async function openAgent(options: AgentOptions): Promise<Agent> {
  const { judging = false, clock = systemClock, newId = randomIds, tools = [] } = options
  const { suspended, confirm, onConnecting } = options
  const context = await loadWorkspace(options)
  const { loaded, profile } = context
  const { config, lang } = loaded
  const movedFiles = judging ? [] : moveAsideLeftovers(context.workspace)
  const models = agentModels(options, { env: context.modelEnv, loaded })
  const model = await models.open()
  const identity = await readIdentityAndSkills(context)
  const replaced: string[] = []
  const onReplaced = (path: string) => replaced.push(contextTexts(lang).ignoreReplaced({ path }))
  const storage = await openStorage(context, { clock, newId, onAppend: options.onAppend, onReplaced })
  const { db, store, leases } = storage
  const routines = agentRoutines(db, context)
  const last = options.overrides?.at(-1)
  const overrides = last && { ...last.raw }
  const shared = {
    storage,
    models,
    model,
    identity,
    routines,
    clock,
    newId,
    tools,
    judging,
    onConnecting,
    overrides,
    suspended,
  }
  const { engine, toolbox, scouts } = await openEngine(context, shared).catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
  const policy = agentPolicy(engine, { profile, rules: loaded.rules, shadow: context.shadow?.rules ?? [] })
  if (!judging)
    await policy.demandExamples().catch(async (error: unknown) => {
      await toolbox.close()
      await storage.close()
      throw error
    })
  const checkOwner = sessionOwnerCheck(storage.owners, clock)
  const underLease = underSessionLease(engine, leases, scouts)
  const prices = { ...PRICES, ...config.prices }
  const turns = agentTurns({ engine, profile, prices, underLease, checkOwner, confirm })
  const { registry } = engine
  const chatTools = registry.exposedTo(profile)
  return {
    ...turns.conversation,
    run: turns.run,
    stream: turns.stream,
    resume: turns.resume,
    model,
    tools: Object.freeze(registry.all()),
    chatTools,
    config: loaded,
    policy,
    store,
    db,
    engine,
    skills: identity.skills,
    memory: engine.memory?.of(LOCAL),
    memories: storage.memories,
    routines,
    workflows: agentWorkflows(engine, loaded, { underLease, checkOwner }),
    decisions: agentDecisions({
      engine,
      modelEnv: context.modelEnv,
      config,
      leases,
      checkOwner,
      model: models.own,
      recorded: models.recorded,
    }),
    scouts: { list: scouts.list, cancel: scouts.cancel },
    warnings: [...replaced, ...identity.warnings.skills, ...toolbox.warnings],
    untrusted: identity.untrusted,
    identityWarnings: [...movedFiles.map(contextTexts(lang).movedAside), ...identity.warnings.identity],
    trace: (runId) => traceRun(store, leases, runId),
    explain: (task, own = {}) =>
      explain({ ...engine, lang: own.lang ?? lang }, task, {
        tools: chatTools,
        signal: own.signal ?? new AbortController().signal,
        owner: own.principal ?? LOCAL,
      }),
    async close() {
      await toolbox.close()
      await storage.close()
    },
  }
}
