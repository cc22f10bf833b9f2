/** Builds an agent from its configuration: the one place where everything meets. */
import { explain } from '../agent/explain.ts'
import type { Engine } from '../agent/turn.ts'
import { loadWorkspace, type WorkspaceOptions } from '../agent/workspace-context.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import type { LoadedConfig } from '../config/load.ts'
import { contextTexts } from '../context/texts.ts'
import { traceRun } from '../dispatch/liveness.ts'
import { PRICES } from '../journal/prices.ts'
import type { AppendListener, Store } from '../journal/store.ts'
import type { Memories } from '../ports/memory.ts'
import type { Event } from '../protocol/event.ts'
import { LOCAL } from '../protocol/principal.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { moveAsideLeftovers } from '../tool/guard/planted-files.ts'
import { agentDecisions } from './decisions.ts'
import { openEngine } from './engine.ts'
import { readIdentityAndSkills } from './identity-and-skills.ts'
import type { Agent as LibraryAgent, AgentOptions as LibraryOptions } from './library.ts'
import { agentModels, type ModelOptions } from './models.ts'
import { sessionOwnerCheck } from './own-session.ts'
import { type AgentPolicy, agentPolicy } from './policy.ts'
import { type AgentRoutines, agentRoutines } from './routines.ts'
import { type RunStream, runStream } from './run-stream.ts'
import { underSessionLease } from './session-lease.ts'
import { openStorage } from './storage.ts'
import { agentTurns, type RunResult, type TurnOptions } from './turns.ts'
import { agentWorkflows } from './workflows.ts'

export interface AgentOptions extends WorkspaceOptions, ModelOptions, Omit<LibraryOptions, 'env'> {
  /** Only judges calls: starts no MCP servers, leaves the workspace as it is and does not check the rules' examples. */
  judging?: boolean
  clock?: Clock
  newId?: IdSource
  /** Called for every event this agent stores, and for events of other processes where the store reports them. */
  onAppend?: AppendListener
}

/** With what only the command line and the server use. */
export interface Agent extends LibraryAgent {
  readonly config: LoadedConfig
  /** Judges calls that are not run. */
  readonly policy: AgentPolicy
  readonly store: Store
  /** The database the journal is in, for callers that store more there; closed with the agent. */
  readonly db: ActingDatabase
  /** What its turns share, for callers that start other runs with it. */
  readonly engine: Engine
  /** For people to list and clear, of any owner, also where memory is switched off. */
  readonly memories: Pick<Memories, 'keptFor'>
  readonly routines: AgentRoutines
  run(task: string, options?: TurnOptions): Promise<RunResult>
  stream(task: string, options?: TurnOptions): RunStream
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
    resume: (runId, own) => runStream(withItsOverrides(runId, (narrowed) => narrowed.resume(runId, own))),
    workflows: {
      ...workflows,
      resume: (runId, own) => runStream(withItsOverrides(runId, (narrowed) => narrowed.workflows.resume(runId, own))),
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
  const close = async () => {
    await toolbox.close()
    await storage.close()
  }
  const chatTools = registry.exposedTo(profile)
  return {
    ...turns.conversation,
    run: turns.run,
    stream: (task, own) => runStream(turns.stream(task, own)),
    resume: (runId, own) => runStream(turns.resume(runId, own)),
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
    events: (runId) => store.readRun(runId),
    explain: (task, own = {}) =>
      explain({ ...engine, lang: own.lang ?? lang }, task, {
        tools: chatTools,
        signal: own.signal ?? new AbortController().signal,
        owner: own.principal ?? LOCAL,
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}
