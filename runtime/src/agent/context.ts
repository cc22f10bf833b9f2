/** Everything one run needs, gathered once. */
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { SkillMeta } from '../context/skills.ts'
import { apply } from '../journal/fold.ts'
import type { RunLog } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import type { EventData, EventType, StoredEvent } from '../protocol/event.ts'
import type { Detector } from '../protocol/intent.ts'
import type { ModelPurpose, ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { RunState } from '../protocol/state.ts'
import type { Answer, Question } from '../protocol/verdict.ts'
import type { Inspection } from '../tool/inspect/inspect.ts'
import type { Registry } from '../tool/registry.ts'
import type { World } from '../tool/tool.ts'

/**
 * Asks a person, and may say who answered. `later` parks the run: the question stays open in the journal until
 * somebody answers it.
 */
export interface Confirm {
  (
    question: Question,
    signal: AbortSignal,
  ): Promise<Answer | 'later' | { answer: Answer; by: string; refusal?: Refusal }>
  /** Shows what was withheld of a result, and tells whether the model may read it. Absent: it stays withheld. */
  release?(withheld: WithheldText, signal: AbortSignal): Promise<boolean>
}

export interface WithheldText {
  callId: string
  tool: string
  text: string
  /** How many lines were taken out of the result; absent when it was withheld as a whole. */
  lines?: number
}

/** What a no that no person said is told as. */
export interface Refusal {
  message: string
  hint: string
}

export interface RunContext {
  readonly log: RunLog
  readonly state: RunState
  /** Whom it works for: the owner of its session. */
  readonly owner: Principal
  readonly policy: Policy
  readonly model: Model
  readonly purpose: ModelPurpose
  readonly registry: Registry
  readonly world: World
  /** The system prompt, made when it is first needed: routing has its part in it. */
  readonly system: () => Promise<string>
  /** The arguments of its one call as their author wrote them, in a workflow's node. */
  readonly authored?: unknown
  /** In the JSON dialect, in place of the built-in examples. */
  readonly examples?: string
  readonly routing: { historyMessages: number; skills: readonly SkillMeta[]; identity: string }
  readonly temperature: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly modelAttempts: number
  readonly detector: { kind: Detector; timeoutMs: number }
  readonly stream: boolean
  /** A call beyond the rate is made as soon as the rate allows it, within the run's time. Absent: it is refused. */
  readonly waitsForRate?: true
  /** Reads what external tools return for planted orders; absent where that is switched off. */
  readonly inspect: ((text: string, options: { tool: string }) => Inspection) | undefined
  readonly clock: Clock
  readonly newId: IdSource
  readonly signal: AbortSignal
  readonly confirm: Confirm | undefined
  /** Arguments as the model gave them. The journal's copy may be masked, and a masked call is never made. */
  readonly liveArgs: Map<string, unknown>
  /** What a call that a crash cut off had come to by then, as the journal tells it. Absent: nothing is known of any. */
  readonly recovered?: (call: ToolCall) => Promise<string | undefined>
}

/** Writes a fact down and lets it count, in that order and never one without the other. */
export function note<T extends EventType>(
  ctx: Pick<RunContext, 'log' | 'state'>,
  type: T,
  data: EventData[T],
  reason = '',
): StoredEvent {
  const event = ctx.log.note(type, data, reason)
  apply(ctx.state, event)
  return event
}

/** The caller's signal, and the run's own clock: whichever ends first. */
export function timeLimited(signal: AbortSignal, { state, clock }: Pick<RunContext, 'state' | 'clock'>): AbortSignal {
  const { runMs } = state.profile.limits
  if (runMs === undefined) return signal
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, state.startedAt + runMs - clock.now()))])
}
