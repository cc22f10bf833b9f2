/** Everything one run needs, gathered once. */
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { RememberedRules } from '../config/remembered-rules.ts'
import type { SkillMeta } from '../context/skills.ts'
import type { Inspect } from '../inspect/classifier.ts'
import { apply } from '../journal/fold.ts'
import type { RunLog } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import type { ElicitedAnswer, ElicitedForm } from '../protocol/elicited.ts'
import type { EventData, EventType, StoredEvent } from '../protocol/event.ts'
import type { Detector } from '../protocol/intent.ts'
import type { MediaKind } from '../protocol/media.ts'
import type { ModelPurpose, ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { RunState } from '../protocol/state.ts'
import type { Answer, Question, Reply } from '../protocol/verdict.ts'
import type { MediaFiles } from '../storage/media-files.ts'
import type { ResultFiles } from '../storage/result-files.ts'
import type { MediaAccess } from '../tool/media/read-media.ts'
import type { Registry } from '../tool/registry.ts'
import type { World } from '../tool/tool.ts'
import type { Recorder } from '../tool/undo/recorder.ts'
import type { Budget } from './budget.ts'
import type { OtherPolicy } from './other-policy.ts'

/**
 * Asks a person for approval, and may say who answered, why not, which offered rule to remember, or which arguments to
 * use instead. A changed call is judged again and, if it needs approval, asked about again. `later` parks the run: the
 * question stays open in the journal until it is answered.
 *
 * @example
 * ```ts
 * import { type Confirm, createAgent } from 'writ'
 *
 * const confirm: Confirm = async ({ tool, preview }) => {
 *   console.log(tool, preview.includes('new.txt')) // file_write true
 *   return 'later'
 * }
 * await using agent = await createAgent({ model: 'rules', data: ':memory:', confirm })
 * const { runId, stopReason, question } = await agent.run('write "x" to new.txt')
 * console.log(stopReason, question?.tool) // parked file_write
 * const { denials } = await agent.resume(runId, { confirm: async () => 'y' }).result
 * console.log(denials.length) // 0
 * ```
 */
export interface Confirm {
  (question: Question, signal: AbortSignal): Promise<Answer | 'later' | (Reply & { by: string; refusal?: DenialText })>
  /** Shows what was withheld of a result; true lets the model read it. Absent: it stays withheld. */
  release?(withheld: WithheldText, signal: AbortSignal): Promise<boolean>
  /** Puts a question of an MCP server to the person. Absent: it is declined. */
  elicit?(form: ElicitedForm, signal: AbortSignal): Promise<ElicitedAnswer>
}

/** What the inspection kept back from a result of a tool. */
export interface WithheldText {
  callId: string
  tool: string
  text: string
  /** How many lines were cut from the result; absent when all of it was withheld. */
  lines?: number
}

/** The message of a denial that did not come from a person. */
export interface DenialText {
  message: string
  hint: string
}

/** `stable` comes first and is the same in every turn, so that providers can cache it. */
export interface SystemPrompt {
  stable: string
  whole: string
}

export function joinedPrompt(stable: string, changing = ''): SystemPrompt {
  return { stable, whole: [stable, changing].filter((part) => part !== '').join('\n\n') }
}

/** Pictures and PDFs. */
export interface RunMedia {
  files: MediaFiles
  pagesOf: MediaAccess['pagesOf']
  /** `agent.modelInput`. Absent: known from the model's name. */
  takes?: readonly MediaKind[] | undefined
}

export interface RunContext {
  readonly log: RunLog
  readonly state: RunState
  /** The principal the run works for: the owner of its session. */
  readonly owner: Principal
  readonly policy: Policy
  /** Judges too, without effect; see `agent/shadow.ts`. */
  readonly shadow?: OtherPolicy | undefined
  readonly model: Model
  readonly purpose: ModelPurpose
  readonly registry: Registry
  readonly world: World
  /** The system prompt, built on first use: it depends on the chosen skills. */
  readonly system: () => Promise<SystemPrompt>
  /** In a workflow node: the arguments of its one call as the author wrote them, before variables were filled in. */
  readonly authored?: unknown
  /** Replaces the built-in examples of the JSON dialect. */
  readonly examples?: string | undefined
  readonly routing: { historyMessages: number; skills: readonly SkillMeta[]; identity: string }
  readonly temperature: number | undefined
  readonly maxOutputTokens: number | undefined
  /** Absent where no money budget is set. */
  readonly budget?: Budget | undefined
  /** Absent where undo is switched off. */
  readonly recorder?: Recorder | undefined
  readonly modelAttempts: number
  /** `agent.limits.contextTokens`. Absent: known from the model's name. */
  readonly contextTokens?: number | undefined
  /** Where long results are kept. Absent: they are cut. */
  readonly results?: ResultFiles | undefined
  readonly media: RunMedia
  readonly detector: { kind: Detector; timeoutMs: number }
  /** `agent.security.reviewer`. Absent where none is set. */
  readonly reviewer?: { model: Model; timeoutMs: number } | undefined
  readonly stream: boolean
  /** A call over the rate limit waits until the limit allows it, within the run's time. Absent: it is denied. */
  readonly waitsForRate?: true
  /** Scans results of external tools for prompt injection; undefined where that is switched off. */
  readonly inspect: Inspect | undefined
  readonly clock: Clock
  readonly newId: IdSource
  readonly signal: AbortSignal
  readonly confirm: Confirm | undefined
  /** Absent: rules cannot be remembered beyond the session, and none hold. */
  readonly remembered?: RememberedRules | undefined
  /** Arguments as the model gave them. The journal's copy may be masked, and a masked call is never executed. */
  readonly liveArgs: Map<string, unknown>
  /** What a call interrupted by a crash had achieved, according to the journal. Absent: nothing is known. */
  readonly recovered?: (call: ToolCall) => Promise<string | undefined>
}

/** Records an event and applies it to the state, never one without the other. */
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

/** Aborts with the caller's signal or when the run's time is up, whichever comes first. */
export function timeLimited(signal: AbortSignal, { state, clock }: Pick<RunContext, 'state' | 'clock'>): AbortSignal {
  const { runMs } = state.profile.limits
  if (runMs === undefined) return signal
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, state.startedAt + runMs - clock.now()))])
}
