/** The turns of an agent: started, watched and resumed under the lease of their session. */
import type { AttachedFile } from '../agent/attachments.ts'
import type { Confirm } from '../agent/context.ts'
import { assertOutputSchema } from '../agent/output.ts'
import { type RoutineFiring, unattended } from '../agent/routine.ts'
import { type Engine, resumeTurn, startTurn, type TurnInput, type TurnResult } from '../agent/turn.ts'
import type { JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import { hitsFor } from '../intent/guard.ts'
import type { PriceTable } from '../journal/prices.ts'
import { questionOf } from '../journal/questions.ts'
import { firstEvent } from '../journal/read.ts'
import { type RefusedCall, refusedCalls } from '../journal/refused.ts'
import { closeInterrupted } from '../journal/run-lifecycle.ts'
import type { Store } from '../journal/store.ts'
import { familyOf, type Totals, totalWith } from '../journal/totals.ts'
import { answerOutside } from '../outside/answer.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { TaskIntentLabel, ToolFamily } from '../protocol/intent.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Question } from '../protocol/verdict.ts'
import { closeOrphans } from '../scout/orphans.ts'
import { type Conversation, openConversation } from './conversation.ts'
import type { CheckOwner } from './own-session.ts'
import type { UnderLease } from './session-lease.ts'

/**
 * How one task is run.
 *
 * @example
 * ```ts
 * import { createAgent, scriptedModel } from 'writ'
 *
 * const model = scriptedModel([{ purpose: 'main', text: '{"items":["milk"]}' }])
 * await using agent = await createAgent({ model, data: ':memory:' })
 * const outputSchema = { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] }
 * const { output } = await agent.run('what is to buy?', { outputSchema, signal: AbortSignal.timeout(60_000) })
 * console.log(output) // { items: [ 'milk' ] }
 * ```
 */
export interface RunOptions {
  /** Continues an earlier conversation. */
  sessionId?: string
  /** Who asks; the session must belong to this principal. The local user when absent. */
  principal?: Principal
  /** Chosen by the caller, who needs it to find the run. A new id when absent. */
  runId?: string
  signal?: AbortSignal
  /** Used instead of the agent's own. */
  confirm?: Confirm
  /** Replaces what the runtime would have found by itself. */
  given?: GivenContext
  /** The answer must be JSON that matches this JSON Schema; `RunResult.output` is its value. */
  outputSchema?: JsonObject
  /** Pictures and PDFs that the model reads with the task; see docs/guides/attachments.md. */
  attachments?: readonly AttachedFile[]
  /** The language of the run's own texts; the configured language when absent. */
  lang?: Lang
}

export interface TurnOptions extends RunOptions {
  /** Runs the task for this routine: unattended, unstreamed, and with no more than the configuration grants. */
  routine?: RoutineFiring
}

/**
 * How a run ended.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:', lang: 'en' })
 * const { denials, question } = await agent.run('write "x" to new.txt')
 * console.log(denials[0]?.tool, denials[0]?.reason) // file_write NO_CONFIRM_CHANNEL
 * console.log(question) // undefined
 * ```
 */
export interface RunResult {
  reply: string
  stopReason: StopReason | 'parked'
  notices: string[]
  /** The value of the answer, when an output schema was given and the answer matches it. */
  output?: unknown
  /** Every denied call of this run and of the runs it started. */
  denials: RefusedCall[]
  /** The open question of a run that ended as `parked`. */
  question?: Question
  sessionId: string
  runId: string
  metadata: { execution: Execution }
}

/** What a run used. */
export interface Execution {
  stopReason: StopReason | 'parked'
  model: string
  steps: number
  toolCalls: number
  usage: { inputTokens: number; outputTokens: number }
  /** Including the scouts it sent. */
  total: Totals
  intent: TaskIntentLabel
  /** Successful calls, by the families the intent's policy requires. */
  hits: Partial<Record<ToolFamily, number>>
}

export interface AgentTurns {
  conversation: Conversation
  run(task: string, options?: TurnOptions): Promise<RunResult>
  stream(task: string, options?: TurnOptions): AsyncGenerator<Event, RunResult>
  resume(runId: string, options?: Pick<RunOptions, 'signal' | 'confirm'>): AsyncGenerator<Event, RunResult>
}

export interface TurnDeps {
  engine: Engine
  profile: Profile
  prices: PriceTable
  underLease: UnderLease
  checkOwner: CheckOwner
  /** The agent's own; absent: what needs approval is denied. */
  confirm: Confirm | undefined
}

export function agentTurns({ engine, profile, prices, underLease, checkOwner, confirm }: TurnDeps): AgentTurns {
  async function* turn(input: TurnInput, by: Principal, lang = engine.lang): AsyncGenerator<Event, TurnResult> {
    const { sessionId = engine.newId('ses'), signal } = input
    await checkOwner(sessionId, by)
    const named = { ...input, sessionId, opensSession: input.sessionId === undefined }
    return yield* underLease({ sessionId, signal }, (held, ending) =>
      startTurn({ ...held, lang }, { ...named, signal: ending }),
    )
  }

  async function* stream(task: string, own: TurnOptions = {}, live = true): AsyncGenerator<Event, RunResult> {
    const { sessionId, routine, runId, outputSchema, principal = LOCAL, signal = never() } = own
    if (outputSchema !== undefined) assertOutputSchema(outputSchema, engine.model)
    const given = outputSchema === undefined ? own.given : { ...own.given, outputSchema }
    const { attachments } = own
    const attended = { profile, confirm: own.confirm ?? confirm, stream: live, given, attachments }
    const alone = { profile: unattended(profile), confirm: undefined, stream: false }
    const input = {
      task,
      sessionId,
      signal,
      routine,
      runId,
      quiet: !live,
      ...(routine === undefined ? attended : alone),
    }
    return await resultOf(yield* turn(input, principal, own.lang), engine, prices)
  }

  async function* resume(
    runId: string,
    own: Pick<RunOptions, 'signal' | 'confirm'> = {},
  ): AsyncGenerator<Event, RunResult> {
    const { signal = never() } = own
    const first = await firstEvent(engine.store, runId)
    const resumed = async function* (held: Engine, ending: AbortSignal) {
      if (first?.mode === 'decision') {
        // Its window is over: an interrupted decision is closed, never resumed.
        await closeInterrupted(held, runId)
        throw new WritError('RUN_ENDED.decision', { run: runId })
      }
      if (first?.mode === 'guard')
        return yield* answerOutside(held, { runId, signal: ending, confirm: own.confirm ?? confirm })
      await closeOrphans(held, runId)
      return yield* resumeTurn(held, { runId, signal: ending, confirm: own.confirm ?? confirm, stream: true })
    }
    const watched =
      first === undefined ? resumed(engine, signal) : underLease({ sessionId: first.sessionId, signal }, resumed)
    return await resultOf(yield* watched, engine, prices)
  }

  return {
    conversation: openConversation(
      (task, { live, ...own }) => turn({ ...own, task, profile, signal: never(), stream: live }, LOCAL),
      confirm,
    ),
    stream: (task, own) => stream(task, own),
    run: (task, own) => drain(stream(task, own, false)),
    resume,
  }
}

function never(): AbortSignal {
  return new AbortController().signal
}

async function resultOf(turn: TurnResult, { store, model, policy }: Engine, prices: PriceTable): Promise<RunResult> {
  const { taskIntent, hits } = turn.state
  const required = hitsFor({ label: taskIntent.label, policy: policy.intentGuard }, hits)
  return runResult(turn, { store, prices, model: model.standsFor ?? model.id, hits: required })
}

interface ResultDeps {
  store: Store
  prices: PriceTable
  model: string
  hits: Execution['hits']
}

/** The result of a turn that has ended or is parked. */
export async function runResult(turn: TurnResult, { store, prices, model, hits }: ResultDeps): Promise<RunResult> {
  const { reply, stopReason, notices, sessionId, runId, state } = turn
  const { steps, toolCalls, usage, taskIntent } = state
  const family = await familyOf(store, runId)
  const below = family.filter((id) => id !== runId)
  const total = await totalWith(store, { own: { model: state.model, usage }, below }, prices)
  const execution = { stopReason, model, steps, toolCalls, usage, total, intent: taskIntent.label, hits }
  const denials = await refusedCalls(store, family)
  const output = outputOf(state)
  const question = stopReason === 'parked' ? await questionOf(store, runId) : undefined
  const optional = present({ output, question })
  return { reply, stopReason, notices, ...optional, denials, sessionId, runId, metadata: { execution } }
}

/** Undefined unless the answer was checked and matches its schema. */
function outputOf({ checked, stop }: RunState): unknown {
  return checked.output === 'ok' && stop?.reason === 'final' ? JSON.parse(stop.text) : undefined
}
