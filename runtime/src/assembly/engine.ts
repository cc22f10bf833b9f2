/** The engine all turns of an agent share, with its tools. */
import type { Engine } from '../agent/turn.ts'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import { rememberedRules } from '../config/remembered-rules.ts'
import type { AgentConfig } from '../config/schema.ts'
import { openPdfReader } from '../context/pdf-pages.ts'
import type { Model } from '../model/model.ts'
import type { Principal } from '../protocol/principal.ts'
import type { ScoutOrchestrator } from '../scout/orchestrator.ts'
import { mediaFiles } from '../storage/media-files.ts'
import { resultFiles } from '../storage/result-files.ts'
import { spendingOn } from '../storage/spending.ts'
import type { Tool } from '../tool/tool.ts'
import { agentCoreTool } from '../workflow/nodes/agent-core.ts'
import { openBudget } from './budget.ts'
import { companyTools } from './company-tools.ts'
import { docsOn } from './docs.ts'
import type { IdentityAndSkills } from './identity-and-skills.ts'
import { openInspector } from './inspector.ts'
import type { AgentModels } from './models.ts'
import type { AgentRoutines } from './routines.ts'
import { agentScouts } from './scouts.ts'
import type { AgentStorage } from './storage.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'
import { recorderOf } from './undo.ts'

export interface EngineDeps {
  storage: AgentStorage
  models: AgentModels
  model: Model
  identity: IdentityAndSkills
  routines: AgentRoutines
  clock: Clock
  newId: IdSource
  tools: readonly Tool[]
  /** Only judges: no MCP server is started. */
  judging: boolean
  onConnecting: ((servers: readonly string[]) => void) | undefined
  overrides: Record<string, unknown> | undefined
  suspended: AbortSignal | undefined
}

export interface OpenedEngine {
  engine: Engine
  /** Closed by the caller. */
  toolbox: Toolbox
  scouts: ScoutOrchestrator
}

export async function openEngine(context: WorkspaceContext, deps: EngineDeps): Promise<OpenedEngine> {
  const { detectorFor } = await import('../config/detector.ts')
  const { storage, models, model, identity, routines, clock, newId } = deps
  const { loaded, shadow, redact, world } = context
  const { config, policy, lang } = loaded
  const memory = config.memory.enabled ? storage.memories : undefined
  const { store } = storage
  const { scouts, scouting } = agentScouts(context, { engine: () => engine, store })
  const { disabled } = config.tools
  const reviewer = await reviewerOf(config, deps)
  const inspector = await openInspector(context)
  const node = agentCoreTool(() => engine, {
    modelNamed: models.open,
    demandModel: models.checkName,
    disabled,
  }) as Tool
  const toolbox: Toolbox = await openToolbox(
    context,
    {
      self: () => ({ model: model.id, autonomy: config.security.autonomy, tools: toolbox.registry.names() }),
      memory,
      skills: identity.skills,
      routinesOf: (owner: Principal) => routines.routinesOf(owner, owner),
      docs: docsOn(storage.db, context),
      scouts,
      company: companyTools(context, { db: storage.db, clock }),
    },
    {
      nodes: disabled.includes(node.name) ? [] : [node],
      own: deps.tools,
      withServers: !deps.judging,
      onConnecting: deps.onConnecting,
    },
  ).catch(async (error: unknown) => {
    await inspector.close()
    throw error
  })
  const pdfs = openPdfReader()
  const engine: Engine = {
    store,
    redact,
    clock,
    newId,
    policy,
    ...(shadow && { shadow: { policy: shadow.policy, disabledTools: shadow.config.tools.disabled } }),
    model,
    registry: toolbox.registry,
    world,
    lang,
    temperature: config.temperature,
    maxOutputTokens: config.maxOutputTokens,
    budget: openBudget(config, { store, clock, spending: spendingOn(storage.db) }),
    recorder: recorderOf(context, clock),
    modelAttempts: config.limits.modelAttempts,
    contextTokens: config.limits.contextTokens,
    results: context.data === undefined ? undefined : resultFiles(context.data),
    media: { files: mediaFiles(context.data), pagesOf: pdfs.pagesOf, takes: config.modelInput },
    detector: { kind: detectorFor(config, model.id), timeoutMs: config.execution.intentGuard.detectorTimeoutMs },
    reviewer,
    routing: { historyMessages: config.routing.historyMessages, skills: identity.skills, identity: identity.identity },
    memory,
    storesTurns: config.memory.turns,
    ownerOf: storage.owners.ownerOf,
    inspect: inspector.inspect,
    remembered: rememberedRules(context.configHome, context.workspace),
    scouting,
    overrides: deps.overrides,
    suspended: deps.suspended,
  }
  const close = async () => {
    await pdfs.close()
    await toolbox.close()
    await inspector.close()
  }
  return { engine, toolbox: { ...toolbox, close }, scouts }
}

/** Opened at the start, so that a wrong name or a missing key is an error then. */
async function reviewerOf({ security }: AgentConfig, { models }: EngineDeps): Promise<Engine['reviewer']> {
  const { reviewer, reviewerTimeoutMs: timeoutMs } = security
  return reviewer === undefined ? undefined : { model: await models.openBeside(reviewer), timeoutMs }
}
