/**
 * A decision run: one batch in, one verdict per action out, and what was authorised carried out under its writ.
 * The gate is the same as for tool calls, and so is the rule that a step is on disk before it is taken.
 */
import { messageOf } from '../base/errors.ts'
import { errorText, WritError } from '../errors/writ-error.ts'
import { decide } from '../gate/gate.ts'
import type { Writ } from '../gate/writ.ts'
import type {
  AuthorizedAction,
  DecisionBackendResult,
  Intent,
  IntentType,
  StructuredContext,
  SuggestedAction,
} from '../protocol/action.ts'
import type { PathFact } from '../protocol/facts.ts'
import type { Usage } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { ActionProposal } from '../protocol/proposal.ts'
import type { DecisionRoute, RiskLevel } from '../protocol/risk.ts'
import type { StopReason } from '../protocol/stop.ts'
import { DENIAL_REASONS, type DenialReason } from '../protocol/verdict.ts'
import type { World } from '../tool/tool.ts'
import { executeAction } from './execute.ts'
import { filesAmong } from './files.ts'
import { beginDecision, type DecisionLog, type Journaling } from './log.ts'
import type { Machine } from './machine.ts'
import { decisionTexts } from './texts.ts'
import { claimedAction, inOrder } from './wire.ts'

/** How long after its batch was received a window stays open. */
export const WINDOW_MS = 30_000

export interface DecisionEngine extends Journaling {
  policy: Policy
  machine: Machine
  world: World
}

export interface DecisionInput {
  result: DecisionBackendResult
  context: StructuredContext
  /** Ended from outside: what is not yet judged is denied, what is not yet done is left undone. */
  signal: AbortSignal
  /** What asking the backend has cost. */
  usage?: Usage
  windowMs?: number
  /** Of a session that was claimed for the caller; a new one of the local user's when absent. */
  sessionId?: string
  /** The run's journal, where it began with asking a backend. */
  log?: DecisionLog
}

/** A suggested action that was denied, with every reason. */
export interface DeniedAction {
  intent_id: string
  action_index: number
  action: SuggestedAction
  reason: DenialReason
  all: DenialReason[]
  /** The first reason in words. */
  message: string
}

/** What a person may still want to do by hand. */
export interface Suggestion {
  intent_id: string
  intent_type: IntentType
  confidence: number
  risk_level: RiskLevel
  action_index: number
  action: SuggestedAction
}

/** The judgement of a batch of predicted intents. */
export interface Decision {
  run_id: string
  window_id: string
  route: DecisionRoute
  model: string
  generated_at_ms: number
  rationale_tags: string[]
  /** How long the backend took, in microseconds; 0 for a batch that was handed in. */
  latency_us: number
  authorized: AuthorizedAction[]
  denied: DeniedAction[]
  suggestions: Suggestion[]
  /** Only reasons that occurred, in enum order. */
  denial_counts: Partial<Record<DenialReason, number>>
  /** Why the backend could not answer; null when it did. */
  error: string | null
}

export interface Granted {
  authorized: AuthorizedAction
  writ: Writ
}

/** How an action ended. */
export type ActionOutcome = { ok: true; text: string } | { ok: false; code: string; message: string }

export interface DecisionRun {
  runId: string
  decision: Decision
  granted: readonly Granted[]
  /** Aborted when the window ends. */
  window: AbortSignal
  /** Carries one out. What is no unused writ of the gate's is refused, and the refusal is journaled. */
  execute(writ: unknown): Promise<ActionOutcome>
  /** Gives up one whose time has passed. */
  expire(granted: Granted): Promise<ActionOutcome>
  /** True while something holds only until the window ends. */
  holding(): boolean
  /** Puts right what must not outlive the window, and ends the run. */
  close(reason?: Extract<StopReason, 'final' | 'aborted'>): Promise<void>
}

export async function openDecision(engine: DecisionEngine, input: DecisionInput): Promise<DecisionRun> {
  const { lang, clock, machine, world } = engine
  const { result, context, sessionId } = input
  const { batch, ordinals, reordered } = inOrder(result.intent_batch)
  const { route, rationale_tags, latency_us, error } = result
  const log = input.log ?? beginDecision(engine, { windowId: batch.window_id, route, model: batch.model, sessionId })
  const { note } = log
  const files = await filesAmong(batch.intents, context, engine.world)
  note('batch.received', {
    windowId: batch.window_id,
    intents: batch.intents.length,
    route,
    reordered,
    input: { batch, ordinals, context, files, rationale_tags, latency_us, error },
  })
  const { decision, granted } = judgeBatch({ engine, input, log, files, intents: batch.intents })
  const { authorized, denied, denial_counts: denialCounts } = decision
  note('batch.decided', { authorized: authorized.length, denied: denied.length, denialCounts })
  await log.flush()

  const window = AbortSignal.any([input.signal, AbortSignal.timeout(input.windowMs ?? WINDOW_MS)])
  const texts = decisionTexts(lang)
  const undos: (() => Promise<void>)[] = []
  const undoLater = (undo: () => Promise<void>) => undos.push(undo)

  async function fail(about: Pick<AuthorizedAction, 'intent_id' | 'action'>, cause: unknown): Promise<ActionOutcome> {
    const code = cause instanceof WritError ? cause.code : 'ACTION_FAILED'
    const { message } = errorText(cause, lang)
    note('action.failed', { intent_id: about.intent_id, action: about.action, message }, code)
    await log.flush()
    return { ok: false, code, message }
  }

  return {
    runId: log.runId,
    decision,
    granted,
    window,
    async execute(writ) {
      const own = granted.find((each) => each.writ === writ)
      // Only a writ of this run's own verdicts counts; anything else is only recorded.
      if (own === undefined) return fail(claimedAction(writ) ?? NOTHING_CLAIMED, forged())
      const { intent_id, action } = own.authorized
      const startedAt = clock.now()
      try {
        const text = await executeAction(own.writ, { machine, world, texts, lang, signal: window, undoLater })
        const elapsedMs = Math.max(0, clock.now() - startedAt)
        note('action.executed', { intent_id, action, text, elapsedMs })
        await log.flush()
        return { ok: true, text }
      } catch (cause) {
        return fail(own.authorized, cause)
      }
    },
    expire: ({ authorized: about }) => fail(about, new WritError('WINDOW_EXPIRED.idle')),
    holding: () => undos.length > 0,
    async close(reason = 'final') {
      for (const undo of undos.splice(0)) {
        await undo().catch((cause: unknown) => {
          note('error.internal', { message: messageOf(cause), where: 'undo' }, 'internal_error')
        })
      }
      await log.stop(reason, input.usage)
    },
  }
}

const NOTHING_CLAIMED = { intent_id: '', action: { action_type: 'NoOp', target: null, urgency: 'Immediate' } } as const

function forged(): WritError {
  return new WritError('WRIT_FORGED.run')
}

interface Judging {
  engine: DecisionEngine
  input: DecisionInput
  log: DecisionLog
  files: PathFact[]
  intents: readonly Intent[]
}

/** One verdict per action, each seeing what the ones before it have used up. */
function judgeBatch({ engine, input, log, files, intents }: Judging): { decision: Decision; granted: Granted[] } {
  const { state, note } = log
  const { route, rationale_tags, latency_us, error } = input.result
  const { window_id, model, generated_at_ms } = input.result.intent_batch
  const now = engine.clock.now()
  const facts = { ...input.context, files }
  const granted: Granted[] = []
  const denied: DeniedAction[] = []
  const suggestions: Suggestion[] = []
  for (const { intent_id, intent_type, confidence, risk_level, suggested_actions } of intents) {
    for (const [action_index, action] of suggested_actions.entries()) {
      const proposal: ActionProposal = {
        kind: 'action',
        id: `${intent_id}#${action_index}`,
        runId: state.runId,
        step: 1,
        route,
        intentId: intent_id,
        risk: risk_level,
        idle: intent_type === 'Idle',
        confidence,
        action,
      }
      const aborted = input.signal.aborted
      const { writ, denial } = decide({ proposal, facts, state, policy: engine.policy, now, aborted })
      if (writ !== undefined) {
        const authorized = { intent_id, action, authorized_at_ms: now }
        granted.push({ authorized, writ })
        note('action.authorized', authorized)
        continue
      }
      const { reason, all, message } = denial
      denied.push({ intent_id, action_index, action, reason, all, message })
      if (risk_level !== 'Low') {
        suggestions.push({ intent_id, intent_type, confidence, risk_level, action_index, action })
      }
      note('action.denied', { intent_id, action_index, action, risk: risk_level, denial }, reason)
    }
  }
  const authorized = granted.map((each) => each.authorized)
  const decision: Decision = {
    run_id: log.runId,
    window_id,
    route,
    model,
    generated_at_ms,
    rationale_tags,
    latency_us,
    authorized,
    denied,
    suggestions,
    denial_counts: countOf(denied),
    error,
  }
  return { decision, granted }
}

function countOf(denied: readonly DeniedAction[]): Decision['denial_counts'] {
  const counts: Decision['denial_counts'] = {}
  for (const reason of DENIAL_REASONS) {
    const n = denied.filter((each) => each.reason === reason).length
    if (n > 0) counts[reason] = n
  }
  return counts
}
