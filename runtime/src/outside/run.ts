/** One message of the user to an outside agent: its calls are judged and journaled as they come, several at a time. */
import { joinedPrompt, note, type RunContext } from '../agent/context.ts'
import { PROFILES } from '../agent/profile.ts'
import { inspected, plainFacts, settleCall, skipCall } from '../agent/settle.ts'
import type { Engine } from '../agent/turn.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { gateTexts } from '../i18n/gate.ts'
import { begin } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import { foldSession } from '../journal/session.ts'
import { standingRights } from '../journal/standing-approvals.ts'
import type { Model } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { ToolCall } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Stop } from '../protocol/stop.ts'
import type { Question, Reply } from '../protocol/verdict.ts'
import type { Registry } from '../tool/registry.ts'
import { type Earlier, earlierAnswers, grantKey } from './grants.ts'
import {
  type Early,
  type OutsideCall,
  type OutsideDeps,
  type OutsideResult,
  openCall,
  plainArgs,
  registryOf,
  toolName,
} from './outside-call.ts'
import { collect, decidedIn, observedIn } from './settled-events.ts'
import type { GuardVerdict, Observed, OutsideProposal, Performed } from './verdict.ts'

export interface OutsideAgent {
  /** `claude`, `codex`, `opencode` or the name of another one. */
  agent: string
  /** Its own id of the session. */
  id: string
  cwd: string
}

export interface OutsideRunOptions extends Omit<OutsideDeps, 'cwd' | 'agent'> {
  outside: OutsideAgent
  sessionId: string
  task: string
  signal: AbortSignal
  /** Whether the agent can ask its user. */
  isAttended: boolean
}

interface Performing {
  registry: Registry
  /** In place of the run's own. */
  policy?: Policy
  tool: string
  args: unknown
  /** The folder with the journal, for the command that answers. */
  data: string
  /** `later`: the question waits in the journal. */
  ask(question: Question): Promise<'y' | 'n' | 'later' | { answer: 'n'; refusal: { message: string; hint: string } }>
}

/** Any other id of an agent is replaced by one of our own. */
const CALL_ID = /^[\w.:-]{1,128}$/

interface Settling {
  call: OutsideCall
  pending: ToolCall
  events: Event[]
  over: Promise<'settled' | 'parked' | 'edited'>
}

export class OutsideRun {
  readonly #ctx: RunContext
  readonly #options: OutsideRunOptions
  readonly #earlier: Earlier
  readonly #open = new Map<string, Settling>()
  readonly #seen = new Set<string>()
  /** Open calls by the agent's own ids: it may give one twice, or one that is unusable here. */
  readonly #named = new Map<string, string[]>()
  #isParked = false

  private constructor(ctx: RunContext, options: OutsideRunOptions, earlier: Earlier) {
    this.#ctx = ctx
    this.#options = options
    this.#earlier = earlier
  }

  static async begin(engine: Engine, options: OutsideRunOptions): Promise<OutsideRun> {
    const { outside, sessionId, task, table, signal } = options
    const { store, newId, lang } = engine
    const earlier = await store.readSession(sessionId)
    const session = foldSession(earlier)
    const profile = PROFILES.guard
    const owner = await engine.ownerOf(sessionId)
    const place = { sessionId, turnId: newId('turn'), runId: newId('run'), scoutId: null, mode: profile.mode }
    const log = new RunLog(engine, place)
    if (earlier.length === 0) log.note('session.opened', { locale: lang })
    log.note('turn.started', { input: task })
    const { approvals, rules } = standingRights(earlier, session)
    const started = beginRun(log, {
      task,
      profile,
      model: outside.agent,
      lang,
      route: 'CloudLlm',
      tools: Object.keys(table).map(toolName),
      history: session.history.length,
      approvals,
      rules: rules.length === 0 ? undefined : rules,
      overrides: engine.overrides,
      owner,
      outside,
    })
    const { history, origins, recalled } = session
    const state = begin(started, { history, origins, recalled })
    const ctx = outsideContext(engine, { log, state, owner, signal, confirm: undefined })
    await log.flush()
    return new OutsideRun(ctx, options, earlierAnswers(earlier))
  }

  get runId(): string {
    return this.#ctx.state.runId
  }

  /** Whether no further call is allowed in it. */
  get isOver(): boolean {
    return this.#ctx.state.outcome !== undefined
  }

  /** Whether an answer can still come to a question of this session. */
  get hasQuestions(): boolean {
    return this.#isParked || this.#earlier.open.size > 0
  }

  masked<T>(value: T): T {
    return this.#ctx.log.masked(value)
  }

  async propose({ tool, args: given, callId, cwd, subAgent }: OutsideProposal): Promise<GuardVerdict> {
    const { log } = this.#ctx
    const args = plainArgs(given)
    const pending = this.#pending({ tool: toolName(tool), args, callId })
    const { id } = pending
    const call = openCall({ id, tool, args })
    const ctx = this.#contextOf(call, cwd)
    const over = await this.#proposed(ctx, pending, subAgent)
    if (over !== undefined) return over
    const events: Event[] = []
    const settled = collect(settleCall(ctx, pending), events)
    // Marked handled: a store that fails later is reported by whatever waits then, and must not crash the process.
    settled.catch(() => {})
    this.#open.set(id, { call, pending, events, over: settled })
    const early = await Promise.race([call.early.promise, settled])
    if (typeof early === 'object') {
      if (callId !== undefined && callId !== id) this.#named.set(callId, [...(this.#named.get(callId) ?? []), id])
      return this.#earlyVerdict(call, early, events)
    }
    await log.flush()
    this.#open.delete(id)
    if (early === 'parked') this.#isParked = true
    return this.#lateVerdict(id, events, early === 'parked')
  }

  /** A call that Writ makes itself, for the agent. */
  async perform({ registry, policy, tool, args, data, ask }: Performing): Promise<Performed> {
    const pending = this.#pending({ tool, args: plainArgs(args) })
    const confirm: RunContext['confirm'] = async (question) => {
      const { agent } = this.#options.outside
      const key = this.#keyOf(question)
      const granted = this.#granted(key)
      if (granted !== undefined) return granted
      const asker = this.#earlier.open.get(key)
      // Asked once: a client that tries again and again must not fill the list of questions.
      if (asker !== undefined)
        return { answer: 'n', by: agent, refusal: gateTexts(this.#ctx.state.lang).stillAsked({ run: asker, data }) }
      const answer = await ask(question)
      if (answer === 'later') return answer
      return typeof answer === 'string' ? { answer, by: agent } : { ...answer, by: agent }
    }
    const ctx: RunContext = { ...this.#ctx, registry, confirm, ...present({ policy }) }
    const over = await this.#proposed(ctx, pending)
    if (over !== undefined) return { verdict: over }
    const events: Event[] = []
    const settled = await collect(settleCall(ctx, pending), events)
    await ctx.log.flush()
    if (settled === 'parked') this.#isParked = true
    const observation = events.findLast((event) => event.type === 'tool.result')?.data.observation
    if (settled === 'parked' || observation === undefined || observation.outcome === 'denied') {
      return { verdict: this.#lateVerdict(pending.id, events, settled === 'parked') }
    }
    const verdict = this.#verdict(pending.id, { decision: 'allow', reasons: [], message: '', stops: false })
    return { verdict, observation, observed: observedIn(events) }
  }

  /** An agent that gives the same id twice proposes twice. */
  #pending({ tool, args, callId }: { tool: string; args: unknown; callId?: string | undefined }): ToolCall {
    const isUsable = callId !== undefined && CALL_ID.test(callId) && !this.#seen.has(callId)
    const id = isUsable ? callId : this.#ctx.newId('call')
    this.#seen.add(id)
    return { id, tool, args }
  }

  /** Undefined unless the run is over. */
  async #proposed(
    ctx: RunContext,
    pending: ToolCall,
    subAgent?: OutsideProposal['subAgent'],
  ): Promise<GuardVerdict | undefined> {
    ctx.liveArgs.set(pending.id, pending.args)
    note(ctx, 'call.proposed', { call: pending, ...present({ subAgent: named(subAgent) }) })
    if (!this.isOver) return undefined
    skipCall(ctx, pending)
    await ctx.log.flush()
    return this.#verdict(pending.id, { decision: 'deny', reasons: ['RUN_OVER'], message: this.#over(), stops: true })
  }

  #keyOf(question: Question): string {
    return grantKey(this.#ctx.log.masked(question))
  }

  /** A yes that was given while no agent was waiting counts once. */
  #granted(key: string): { answer: 'y'; by: string } | undefined {
    const { grants } = this.#earlier
    const granted = grants.get(key)
    if (granted === undefined) return undefined
    grants.delete(key)
    return { answer: 'y', by: granted.by }
  }

  /** What the agent reports of a call. */
  async observe(callId: string, result: OutsideResult, tool = ''): Promise<Observed> {
    const id = this.#idOf(callId)
    const settling = this.#open.get(id)
    const { log } = this.#ctx
    if (settling === undefined) {
      // Of a call that this run did not see, such as one before a restart: inspected and recorded all the same.
      const events: Event[] = []
      const call = openCall({ id, tool: tool || 'unknown', args: {} })
      const ctx = this.#contextOf(call, undefined)
      const pending = { id, tool: toolName(call.tool), args: {} }
      const observation = { outcome: result.ok ? 'ok' : 'failed', text: result.text, elapsedMs: 0 } as const
      for await (const event of inspected(ctx, pending, { facts: plainFacts(ctx, pending), observation })) {
        events.push(event)
      }
      await log.flush()
      return observedIn(events)
    }
    settling.call.observed.resolve(result)
    await settling.over
    this.#open.delete(id)
    await log.flush()
    return observedIn(settling.events)
  }

  /** A person said no to a call that was asked about. */
  async decline(callId: string): Promise<void> {
    const id = this.#idOf(callId)
    const settling = this.#open.get(id)
    if (settling === undefined) return
    settling.call.observed.reject(new WritError('CALL_DECLINED'))
    await settling.over
    this.#open.delete(id)
    await this.#ctx.log.flush()
  }

  /** Calls without a report end as unknown. A run with an open question stays open for the answer. */
  async end(reply: string): Promise<void> {
    for (const { call } of this.#open.values()) call.observed.reject(new WritError('CALL_UNOBSERVED'))
    await Promise.all([...this.#open.values()].map(({ over }) => over))
    this.#open.clear()
    if (!this.#isParked) endOutsideRun(this.#ctx, this.#ctx.state.outcome ?? { reason: 'final', text: reply })
    await this.#ctx.log.flush()
  }

  #idOf(callId: string): string {
    if (this.#open.has(callId)) return callId
    return this.#named.get(callId)?.shift() ?? (CALL_ID.test(callId) ? callId : this.#ctx.newId('call'))
  }

  #contextOf(call: OutsideCall, cwd: string | undefined): RunContext {
    const { table, ours, home, outside } = this.#options
    const registry = registryOf(call, { agent: outside.agent, table, ours, home, cwd: cwd ?? outside.cwd })
    return { ...this.#ctx, registry, confirm: (question) => this.#ask(call, question) }
  }

  async #ask(
    call: OutsideCall,
    question: Question,
  ): Promise<'later' | (Reply & { by: string; refusal?: { message: string; hint: string } })> {
    const granted = this.#granted(this.#keyOf(question))
    if (granted !== undefined) return granted
    if (!this.#options.isAttended) return 'later'
    const { agent } = this.#options.outside
    call.early.resolve({ decision: 'ask', question })
    try {
      await call.observed.promise
      // It ran, so its user has approved it there.
      return { answer: 'y', by: agent }
    } catch {
      return { answer: 'n', by: agent }
    }
  }

  #earlyVerdict(call: OutsideCall, early: Early, events: readonly Event[]): GuardVerdict {
    if (early.decision === 'allow') {
      return this.#verdict(call.id, { decision: 'allow', reasons: [], message: '', stops: false })
    }
    const { question } = early
    const asked = decidedIn(events)
    return this.#verdict(call.id, {
      decision: 'ask',
      reasons: question.reasons,
      message: question.message,
      stops: false,
      question,
      ...present({ hint: asked?.hint }),
    })
  }

  #lateVerdict(id: string, events: readonly Event[], isParked: boolean): GuardVerdict {
    const { state } = this.#ctx
    const decided = decidedIn(events)
    const question = isParked ? state.question : undefined
    if (question !== undefined) {
      const { reasons, message } = question
      return this.#verdict(id, { decision: 'ask', reasons, message, stops: false, question, isParked: true })
    }
    const result = events.findLast((event) => event.type === 'tool.result')
    return this.#verdict(id, {
      decision: 'deny',
      reasons: decided?.all ?? [],
      message: result?.data.observation.text ?? '',
      stops: decided?.effect === 'stop',
      ...present({ hint: result?.data.observation.hint }),
    })
  }

  #verdict(callId: string, decided: Omit<GuardVerdict, 'callId' | 'runId'>): GuardVerdict {
    return { callId, runId: this.runId, ...decided }
  }

  #over(): string {
    const { outcome, lang } = this.#ctx.state
    return outcome?.text || gateTexts(lang).runOver('ended')
  }
}

/** As much of a name as a line of a list shows. */
function named(subAgent: OutsideProposal['subAgent']): OutsideProposal['subAgent'] {
  if (subAgent === undefined) return undefined
  return { id: subAgent.id.slice(0, 100), ...present({ type: subAgent.type?.slice(0, 100) }) }
}

/** No model is asked, and what an agent changes is not recorded for undo. */
export function outsideContext(
  engine: Engine,
  own: Pick<RunContext, 'log' | 'state' | 'owner' | 'signal' | 'confirm'>,
): RunContext {
  const system = async () => joinedPrompt('')
  return { ...engine, ...own, purpose: 'main', stream: false, recorder: undefined, liveArgs: new Map(), system }
}

/** Ends the run and its turn. The caller flushes. */
export function endOutsideRun(ctx: RunContext, stop: Stop): void {
  const { steps, toolCalls, usage, runId } = ctx.state
  note(ctx, 'run.stopped', { stop, steps, toolCalls, usage }, stop.reason)
  ctx.log.note('turn.committed', { reply: stop.text, notices: [], stopReason: stop.reason, runId }, stop.reason)
}

/** What stands for the model of an outside agent: it is asked elsewhere. */
export function outsideModel(agent: string): Model {
  return {
    id: agent,
    route: 'CloudLlm',
    reasoning: 'clear',
    // biome-ignore lint/correctness/useYield: the interface of models is a generator.
    async *ask() {
      throw new WritError('GUARD_CLOSED')
    },
  }
}
