/** Statistics of runs: time, calls and cost, folded from journal events one at a time. */
import { isObject } from '../base/json.ts'
import type { Event, EventOf, EventType } from '../protocol/event.ts'
import { addUsage, isAside, type Usage } from '../protocol/message.ts'
import { MODES, type Mode } from '../protocol/profile.ts'
import { isNormalEnd, STOP_REASONS, type StopReason } from '../protocol/stop.ts'
import { type Answer, DENIAL_REASONS, type DenialReason, STAGES, type Stage } from '../protocol/verdict.ts'
import { Durations, type Timing } from './durations.ts'
import { type Cost, costOf, type PriceTable, sumOf } from './prices.ts'
import { Counts, firstDecisions, newTally, type Tally } from './tally.ts'

const SCOUT_STATUSES = ['success', 'partial', 'failed', 'timeout', 'aborted'] as const
export type ScoutStatus = (typeof SCOUT_STATUSES)[number]

const ANSWERS = ['y', 'a', 'n'] as const satisfies readonly Answer[]
const INSPECTIONS = ['Block', 'Review', 'Warn'] as const
type Inspected = (typeof INSPECTIONS)[number]

export interface ToolStats extends Timing {
  /** Failed ones in `count`. */
  failed: number
  failureRate: number
  /** Denied before they ran; not in `count`. */
  denied: number
}

export interface ModelStats extends Usage {
  /** Number of replies, and how long they took. */
  replies: Timing
  retries: number
  failures: number
  cost: Cost
}

export interface Stats {
  /** Times of the first and last event, in milliseconds since 1970; null when there was none. */
  from: number | null
  to: number | null
  events: number
  runs: {
    started: number
    open: number
    ended: number
    /** Ended without an answer, a report or a question. A failure that also ends the runs around it counts once. */
    failed: number
    /** `failed` divided by `ended`; null before a run has ended. */
    failureRate: number | null
  }
  /** S3's finish_reason of every run that ended, in total and by mode. */
  finishReasons: Partial<Record<StopReason, number>>
  stops: Partial<Record<Mode, Partial<Record<StopReason, number>>>>
  /** A reply with its calls, without the time waiting for a person. */
  steps: Timing
  /** The first verdict on each proposal, calls and actions alike; a replay counts the same way. */
  verdicts: Tally
  calls: { ran: number; failed: number; denied: number }
  tools: Record<string, ToolStats>
  models: Record<string, ModelStats>
  tokens: Usage
  /** All models together. */
  cost: Cost
  denials: {
    total: number
    byReason: Partial<Record<DenialReason, number>>
    byStage: Partial<Record<Stage, number>>
  }
  questions: { asked: number; answers: Partial<Record<Answer, number>> }
  inspections: Partial<Record<Inspected, number>>
  scouts: { started: number; byStatus: Partial<Record<ScoutStatus, number>> }
  decisions: { batches: number; authorized: number; denied: number; executed: number; failed: number }
  routines: { fired: number; skipped: number; finished: number }
  workflows: { finished: number; failed: number; nodes: Timing & { failed: number } }
}

interface ToolCounts {
  durations: Durations
  failed: number
  denied: number
}

interface ModelCounts extends Usage {
  durations: Durations
  retries: number
  failures: number
}

/** State of a run between its events. */
interface OpenRun {
  started: boolean
  model: string
  usage: Usage
  /** Duration of the current step so far; undefined before the first reply. */
  stepMs: number | undefined
  isFirst: (event: Event) => boolean
}

/** Number of events per type, and of failed ends among them. */
type Sum = EventType | 'events' | 'runs failed' | 'nodes failed' | 'workflows failed'

/**
 * Takes events one at a time, in order within each run, and keeps only counts, so that memory use is bounded. Accounts
 * of different runs can be merged.
 */
export class StatsAccount {
  #from: number | null = null
  #to: number | null = null
  readonly #sums = new Counts<Sum>()
  readonly #stops = new Map<Mode, Counts<StopReason>>()
  readonly #steps = new Durations()
  readonly #nodes = new Durations()
  readonly #verdicts = newTally()
  readonly #tools = new Map<string, ToolCounts>()
  readonly #models = new Map<string, ModelCounts>()
  readonly #reasons = new Counts<DenialReason>()
  readonly #stages = new Counts<Stage>()
  readonly #answers = new Counts<Answer>()
  readonly #inspections = new Counts<Inspected>()
  readonly #scouts = new Counts<ScoutStatus>()
  readonly #open = new Map<string, OpenRun>()

  add(event: Event): void {
    this.#sums.add('events')
    this.#from = Math.min(this.#from ?? event.timestamp, event.timestamp)
    this.#to = Math.max(this.#to ?? event.timestamp, event.timestamp)
    this.#sums.add(event.type)
    switch (event.type) {
      case 'run.started':
        this.#runOf(event.runId).started = true
        this.#runOf(event.runId).model = event.data.model
        break
      case 'run.stopped':
        this.#stopped(event)
        break
      case 'model.requested':
        this.#runOf(event.runId).model = event.data.model
        break
      case 'model.replied':
        this.#replied(event)
        break
      case 'model.failed':
        this.#modelOf(this.#runOf(event.runId).model)[event.data.retryInMs === undefined ? 'failures' : 'retries']++
        break
      case 'gate.decided':
        if (this.#runOf(event.runId).isFirst(event)) this.#verdicts[event.data.decision]++
        if (event.data.decision === 'deny') this.#denied(event.data)
        break
      case 'action.authorized':
        this.#verdicts.allow++
        break
      case 'action.denied':
        this.#verdicts.deny++
        this.#denied(event.data.denial)
        break
      case 'tool.result':
        this.#result(event)
        break
      case 'confirm.answered':
        this.#answers.add(event.data.answer)
        break
      case 'injection.flagged':
        this.#inspections.add(event.data.verdict)
        break
      case 'SCOUT_COMPLETED':
        this.#scouts.add(isPartial(event.data.result) ? 'partial' : 'success')
        break
      case 'SCOUT_FAILED':
        this.#scouts.add('failed')
        break
      case 'SCOUT_TIMEOUT':
        this.#scouts.add('timeout')
        break
      case 'SCOUT_ABORTED':
        this.#scouts.add('aborted')
        break
      case 'node.finished':
        this.#nodes.add(event.data.elapsedMs)
        // A node that was skipped is not `ok` either.
        if (!event.data.ok && event.data.state !== 'skipped') this.#sums.add('nodes failed')
        break
      case 'workflow.finished':
        if (!event.data.ok) this.#sums.add('workflows failed')
        break
    }
  }

  merge(other: StatsAccount): void {
    if (other.#from !== null) this.#from = Math.min(this.#from ?? other.#from, other.#from)
    if (other.#to !== null) this.#to = Math.max(this.#to ?? other.#to, other.#to)
    this.#sums.merge(other.#sums)
    this.#steps.merge(other.#steps)
    this.#nodes.merge(other.#nodes)
    this.#reasons.merge(other.#reasons)
    this.#stages.merge(other.#stages)
    this.#answers.merge(other.#answers)
    this.#inspections.merge(other.#inspections)
    this.#scouts.merge(other.#scouts)
    for (const [mode, stops] of other.#stops) this.#stopsOf(mode).merge(stops)
    for (const decision of ['allow', 'ask', 'deny'] as const) this.#verdicts[decision] += other.#verdicts[decision]
    for (const [name, { durations, ...counts }] of other.#tools) {
      const { durations: own, ...sums } = this.#toolOf(name)
      own.merge(durations)
      this.#tools.set(name, { durations: own, ...added(sums, counts) })
    }
    for (const [name, { durations, ...counts }] of other.#models) {
      const own = this.#modelOf(name)
      own.durations.merge(durations)
      own.retries += counts.retries
      own.failures += counts.failures
      Object.assign(own, addUsage(own, counts))
    }
    for (const [runId, run] of other.#open) this.#open.set(runId, run)
  }

  stats(prices: PriceTable): Stats {
    const models = byName(this.#models, ({ durations, ...counts }, name) => ({
      ...counts,
      replies: durations.timing(),
      cost: costOf(name, counts, prices),
    }))
    const tools = byName(this.#tools, ({ durations, failed, denied }) => {
      const timing = durations.timing()
      return { ...timing, failed, failureRate: timing.count === 0 ? 0 : failed / timing.count, denied }
    })
    const each = { tools: Object.values(tools), models: Object.values(models) }
    const all = new Counts<StopReason>()
    for (const stops of this.#stops.values()) all.merge(stops)
    const ended = this.#sums.of('run.stopped')
    const failed = this.#sums.of('runs failed')
    return {
      from: this.#from,
      to: this.#to,
      events: this.#sums.of('events'),
      runs: {
        started: this.#sums.of('run.started'),
        open: [...this.#open.values()].filter((run) => run.started).length,
        ended,
        failed,
        failureRate: ended === 0 ? null : failed / ended,
      },
      finishReasons: all.inOrder(STOP_REASONS),
      stops: Object.fromEntries(
        MODES.flatMap((mode) => {
          const stops = this.#stops.get(mode)
          return stops === undefined ? [] : [[mode, stops.inOrder(STOP_REASONS)]]
        }),
      ),
      steps: this.#steps.timing(),
      verdicts: { ...this.#verdicts },
      calls: {
        ran: total(each.tools, ({ count }) => count),
        failed: total(each.tools, (tool) => tool.failed),
        denied: total(each.tools, ({ denied }) => denied),
      },
      tools,
      models,
      tokens: each.models.reduce(addUsage, { inputTokens: 0, outputTokens: 0 }),
      cost: sumOf(each.models.map(({ cost }) => cost)),
      denials: {
        total: total(DENIAL_REASONS, (reason) => this.#reasons.of(reason)),
        byReason: this.#reasons.inOrder(DENIAL_REASONS),
        byStage: this.#stages.inOrder(STAGES),
      },
      questions: { asked: this.#sums.of('confirm.asked'), answers: this.#answers.inOrder(ANSWERS) },
      inspections: this.#inspections.inOrder(INSPECTIONS),
      scouts: { started: this.#sums.of('SCOUT_STARTED'), byStatus: this.#scouts.inOrder(SCOUT_STATUSES) },
      decisions: {
        batches: this.#sums.of('batch.received'),
        authorized: this.#sums.of('action.authorized'),
        denied: this.#sums.of('action.denied'),
        executed: this.#sums.of('action.executed'),
        failed: this.#sums.of('action.failed'),
      },
      routines: {
        fired: this.#sums.of('routine.fired'),
        skipped: this.#sums.of('routine.skipped'),
        finished: this.#sums.of('routine.finished'),
      },
      workflows: {
        finished: this.#sums.of('workflow.finished'),
        failed: this.#sums.of('workflows failed'),
        nodes: { ...this.#nodes.timing(), failed: this.#sums.of('nodes failed') },
      },
    }
  }

  #stopped({ runId, mode, data }: EventOf<'run.stopped'>): void {
    const run = this.#runOf(runId)
    if (run.stepMs !== undefined) this.#steps.add(run.stepMs)
    // The model of a decision is called outside its run; only the end of the run has its cost.
    const input = Math.max(0, data.usage.inputTokens - run.usage.inputTokens)
    const output = Math.max(0, data.usage.outputTokens - run.usage.outputTokens)
    // A predictor without tokens is not a model.
    if (mode === 'decision' && input + output > 0) {
      const model = this.#modelOf(run.model)
      model.inputTokens += input
      model.outputTokens += output
    }
    this.#open.delete(runId)
    this.#stopsOf(mode).add(data.stop.reason)
    // A failed agent in a workflow ends three runs: its own, its node's and the workflow's. It is one failure.
    if (!data.inner && !isNormalEnd(data.stop.reason)) this.#sums.add('runs failed')
  }

  #replied({ runId, data }: EventOf<'model.replied'>): void {
    const run = this.#runOf(runId)
    const model = this.#modelOf(run.model)
    model.durations.add(data.elapsedMs)
    Object.assign(model, addUsage(model, data.usage))
    run.usage = addUsage(run.usage, data.usage)
    if (isAside(data.purpose)) return
    if (run.stepMs !== undefined) this.#steps.add(run.stepMs)
    run.stepMs = data.elapsedMs
  }

  #result(event: EventOf<'tool.result'>): void {
    const { tool: name, observation } = event.data
    const run = this.#runOf(event.runId)
    run.isFirst(event)
    if (observation.code === 'SKIPPED') return
    const tool = this.#toolOf(name)
    if (observation.outcome === 'denied') {
      tool.denied++
      return
    }
    tool.durations.add(observation.elapsedMs)
    if (observation.outcome !== 'ok') tool.failed++
    if (run.stepMs !== undefined) run.stepMs += observation.elapsedMs
  }

  #denied({ reason, stage }: { reason?: DenialReason; stage?: Stage }): void {
    if (reason !== undefined) this.#reasons.add(reason)
    if (stage !== undefined) this.#stages.add(stage)
  }

  #runOf(runId: string): OpenRun {
    return found(this.#open, runId, () => ({
      started: false,
      model: '',
      usage: { inputTokens: 0, outputTokens: 0 },
      stepMs: undefined,
      isFirst: firstDecisions(),
    }))
  }

  #stopsOf(mode: Mode): Counts<StopReason> {
    return found(this.#stops, mode, () => new Counts())
  }

  #toolOf(name: string): ToolCounts {
    return found(this.#tools, name, () => ({ durations: new Durations(), failed: 0, denied: 0 }))
  }

  #modelOf(name: string): ModelCounts {
    return found(this.#models, name, () => ({
      durations: new Durations(),
      inputTokens: 0,
      outputTokens: 0,
      retries: 0,
      failures: 0,
    }))
  }
}

function isPartial(result: unknown): boolean {
  return isObject(result) && result.status === 'partial'
}

function found<Name, Value>(map: Map<Name, Value>, name: Name, make: () => Value): Value {
  let value = map.get(name)
  if (value === undefined) {
    value = make()
    map.set(name, value)
  }
  return value
}

function added<Sums extends { [name in keyof Sums]: number }>(one: Sums, other: Sums): Sums {
  const names = Object.keys(one) as (keyof Sums)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Sums
}

function total<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

function byName<From, To>(map: ReadonlyMap<string, From>, as: (from: From, name: string) => To): Record<string, To> {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, from]) => [name, as(from, name)]))
}
