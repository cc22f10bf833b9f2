/** Decisions for the command line, the server and programs: one entry, so that all get the same answer. */
import { setTimeout as delay } from 'node:timers/promises'
import { present } from '../base/present.ts'
import type { AgentConfig } from '../config/schema.ts'
import { type Installation, openBackends } from '../decision/backends/open.ts'
import {
  type ActionOutcome,
  type Decision,
  type DecisionEngine,
  type DecisionRun,
  openDecision,
} from '../decision/engine.ts'
import { thisMachine } from '../decision/machine.ts'
import { openPrediction } from '../decision/predict.ts'
import { carryOut } from '../decision/schedule.ts'
import { parseBatch, parseContext } from '../decision/wire.ts'
import { abandonedSessions, holdLease, leaseOfSession, sessionsAtWork } from '../dispatch/lease.ts'
import { runAtWork } from '../dispatch/liveness.ts'
import { WritError } from '../errors/writ-error.ts'
import { CapabilityLevel } from '../gate/capability.ts'
import type { Lang } from '../i18n/locale.ts'
import { firstEvent } from '../journal/read.ts'
import { closeInterrupted } from '../journal/run-lifecycle.ts'
import type { AuthorizedAction, IntentBatch, StructuredContext } from '../protocol/action.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../protocol/risk.ts'
import { fenced } from '../storage/fence.ts'
import type { Leases } from '../storage/leases.ts'
import type { CheckOwner } from './own-session.ts'

const LEASE_WAIT_MS = 5_000
const NEVER = new AbortController().signal

/** Lists that were not observed may be left out. */
export type ObservedContext = Pick<StructuredContext, 'packages' | 'paths'> & Partial<StructuredContext>

/** What is to be decided. */
export interface DecisionRequest {
  /** What was observed: the only targets an action may have. */
  context: ObservedContext
  /** Intents to judge. Without a batch, Writ's own predictors are asked. */
  batch?: IntentBatch | undefined
  /** With a batch: the route that made it. Without one: the only predictor to ask. */
  route?: DecisionRoute | undefined
  /** Execute what was authorised, and wait until effects that last for the window have ended. */
  execute?: boolean | undefined
  /** Ends it early; remaining actions are not executed. */
  signal?: AbortSignal | undefined
  /** Called for each action when it ends. */
  onAction?(done: ExecutedAction): void
  /** Called when only the end of the window is left to wait for. */
  onHolding?(): void
  lang?: Lang | undefined
  principal?: Principal | undefined
}

/** An authorised action and how it ended. */
export type ExecutedAction = Pick<AuthorizedAction, 'intent_id' | 'action'> & ActionOutcome

/** What was authorised, denied and executed. */
export interface DecisionReport extends Decision {
  /** With `execute`: the outcome of each authorised action. */
  executed?: ExecutedAction[]
}

/** What a route may propose at most. */
export interface RouteCapability {
  route: DecisionRoute
  max_risk: CapabilityLevel['max_risk']
  allowed_actions: CapabilityLevel['allowed_actions']
}

/**
 * Judges predicted intents, and executes what is authorised; see docs/guides/decisions.md.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const report = await agent.decisions.decide({ context: { packages: [], paths: ['notes.txt'] } })
 * console.log(report.denied.length) // 0
 * ```
 */
export interface AgentDecisions {
  /** Judges a batch, or the predictions of Writ's own predictors; throws BATCH_INVALID or CONTEXT_INVALID. */
  decide(request: DecisionRequest): Promise<DecisionReport>
  /** What each route may propose. No setting changes it. */
  routes(): RouteCapability[]
}

export interface DecisionDeps {
  engine: Omit<DecisionEngine, 'machine'>
  /** With the stored keys. */
  modelEnv: Installation['env']
  config: AgentConfig
  leases: Leases
  checkOwner: CheckOwner
  model?: Installation['model'] | undefined
  recorded?: Installation['recorded'] | undefined
}

export function routeCapabilities(): RouteCapability[] {
  return DECISION_ROUTES.map((route) => ({ route, ...CapabilityLevel.forRoute(route) }))
}

export function agentDecisions(deps: DecisionDeps): AgentDecisions {
  const { engine, leases } = deps
  const { env, workspace } = engine.world
  const machine = thisMachine(env, workspace)

  async function decide(request: DecisionRequest): Promise<DecisionReport> {
    const { signal = NEVER, lang = engine.lang, principal = LOCAL } = request
    const given = checked(request)
    const ask = given.result === undefined ? await asking(deps, request.route) : undefined
    await closeAbandoned(deps)
    const sessionId = engine.newId('ses')
    await deps.checkOwner(sessionId, principal)
    const lease = await holdLease(leases, leaseOfSession(sessionId), { signal, waitMs: LEASE_WAIT_MS })
    try {
      const ending = AbortSignal.any([signal, lease.ending])
      const own = { ...engine, lang, machine, owner: principal, store: fenced(engine.store, lease) }
      const at = { context: given.context, signal: ending, sessionId }
      const run =
        given.result === undefined
          ? await openPrediction(own, { ...at, backends: [], deadlineMs: 0, ...ask })
          : await openDecision(own, { ...at, result: given.result })
      try {
        const isIdle = () => isElsewhereIdle(deps, sessionId)
        const executed = request.execute === true ? await act(run, request, isIdle) : undefined
        return { ...run.decision, ...present({ executed }) }
      } finally {
        await run.close(ending.aborted ? 'aborted' : 'final')
      }
    } finally {
      await lease.release().catch(() => {})
    }
  }
  return { decide, routes: routeCapabilities }
}

/** Objects from a program are checked as strictly as the text of a file. */
function checked({ batch, context, route }: DecisionRequest) {
  if (route !== undefined && !DECISION_ROUTES.includes(route)) {
    throw new WritError('ROUTE_UNKNOWN', { name: String(route), routes: DECISION_ROUTES })
  }
  if (batch === undefined) return { context: parseContext(json(context), { origin: 'context' }) }
  if (route === undefined) throw new WritError('ROUTE_MISSING', { routes: DECISION_ROUTES })
  const intent_batch = parseBatch(json(batch), { origin: 'batch' })
  const result = { route, intent_batch, rationale_tags: [], latency_us: 0, error: null }
  const windowId = intent_batch.window_id
  return { result, context: parseContext(json(context), { origin: 'context', windowId }) }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

async function asking({ engine, modelEnv, config, model, recorded }: DecisionDeps, only: DecisionRoute | undefined) {
  const at = { ...engine, env: modelEnv, config, model, ...present({ recorded }) }
  return { backends: await openBackends(at, only), deadlineMs: config.decision.timeoutMs }
}

async function act(
  run: DecisionRun,
  { onAction, onHolding }: DecisionRequest,
  isIdle: () => Promise<boolean>,
): Promise<ExecutedAction[]> {
  const executed: ExecutedAction[] = []
  for await (const { authorized, outcome } of carryOut(run, isIdle)) {
    const { intent_id, action } = authorized
    const done = { intent_id, action, ...outcome }
    executed.push(done)
    onAction?.(done)
  }
  if (!run.holding() || run.window.aborted) return executed
  onHolding?.()
  // Only this process can undo what lasts for the window.
  await delay(2 ** 30, undefined, { signal: run.window }).catch(() => {})
  return executed
}

/** Other decisions do not count: two that wait for an idle machine would wait for each other. */
async function isElsewhereIdle({ engine: { store }, leases }: DecisionDeps, ownSession: string): Promise<boolean> {
  for (const sessionId of await sessionsAtWork(leases)) {
    if (sessionId === ownSession) continue
    const runId = await runAtWork(store, leases, sessionId)
    if (runId === undefined) continue
    const first = await firstEvent(store, runId)
    if (first?.mode !== 'decision') return false
  }
  return true
}

/** Closes the runs of decisions whose process was killed. */
async function closeAbandoned({ engine, leases }: DecisionDeps): Promise<void> {
  for (const { sessionId, name } of await abandonedSessions(leases)) {
    const [open] = await engine.store.listRuns({ sessionId, mode: 'decision', open: true, limit: 1 })
    if (open === undefined) continue
    const lease = await holdLease(leases, name, { signal: NEVER, waitMs: 0 }).catch(() => undefined)
    // Another process took it first.
    if (lease === undefined) continue
    try {
      await closeInterrupted(engine, open.runId)
    } finally {
      await lease.release().catch(() => {})
    }
  }
}
