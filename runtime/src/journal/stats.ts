/** Statistics of runs: time, calls and cost, folded from journal events one at a time. */
import { isObject } from '../base/json.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import { addUsage, isAside, type Usage } from '../protocol/message.ts'
import { MODES, type Mode } from '../protocol/profile.ts'
import { isNormalEnd, STOP_REASONS, type StopReason } from '../protocol/stop.ts'
import { type Answer, DENIAL_REASONS, type DenialReason, STAGES, type Stage } from '../protocol/verdict.ts'
import type { Timing } from './durations.ts'
import { type Cost, costOf, type PriceTable, sumOf } from './prices.ts'
import { type Inspected, type PackedStatCounts, type ScoutStatus, StatCounts } from './stat-counts.ts'
import { Counts, isFirstDecision, type Tally } from './tally.ts'

const SCOUT_STATUSES: readonly ScoutStatus[] = ['success', 'partial', 'failed', 'timeout', 'aborted']
const ANSWERS: readonly Answer[] = ['y', 'a', 'n']
const INSPECTIONS: readonly Inspected[] = ['Block', 'Review', 'Warn']

/** One tool over a time range. */
export interface ToolStats extends Timing {
  /** Failed ones in `count`. */
  failed: number
  failureRate: number
  /** Denied before they ran; not in `count`. */
  denied: number
}

/** One model over a time range. */
export interface ModelStats extends Usage {
  /** Number of replies, and how long they took. */
  replies: Timing
  retries: number
  failures: number
  cost: Cost
}

/** Runs, denials, latency and cost over a time range. */
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

/** State of a run between its events. */
interface OpenRun {
  started: boolean
  model: string
  usage: Usage
  /** Duration of the current step so far; undefined before the first reply. */
  stepMs: number | undefined
  /** Calls that were decided and have no result. */
  decided: Set<string>
}

/** As JSON. */
export interface PackedStats {
  counts: PackedStatCounts
  open: [runId: string, run: Omit<OpenRun, 'decided'> & { decided: string[] }][]
}

/**
 * Takes events one at a time, in order within each run, and keeps only counts, so that memory use is bounded. Accounts
 * of different runs can be merged.
 */
export class StatsAccount {
  readonly #counts = new StatCounts()
  readonly #open = new Map<string, OpenRun>()

  add(event: Event): void {
    this.#counts.sums.add('events')
    this.#counts.cover(event.timestamp, event.timestamp)
    this.#counts.sums.add(event.type)
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
        this.#counts.modelOf(this.#runOf(event.runId).model)[
          event.data.retryInMs === undefined ? 'failures' : 'retries'
        ]++
        break
      case 'gate.decided':
        if (this.#isFirst(event)) this.#counts.verdicts[event.data.decision]++
        if (event.data.decision === 'deny') this.#denied(event.data)
        break
      case 'action.authorized':
        this.#counts.verdicts.allow++
        break
      case 'action.denied':
        this.#counts.verdicts.deny++
        this.#denied(event.data.denial)
        break
      case 'tool.result':
        this.#result(event)
        break
      case 'confirm.answered':
        this.#counts.answers.add(event.data.answer)
        break
      case 'injection.flagged':
        this.#counts.inspections.add(event.data.verdict)
        break
      case 'SCOUT_COMPLETED':
        this.#counts.scouts.add(isPartial(event.data.result) ? 'partial' : 'success')
        break
      case 'SCOUT_FAILED':
        this.#counts.scouts.add('failed')
        break
      case 'SCOUT_TIMEOUT':
        this.#counts.scouts.add('timeout')
        break
      case 'SCOUT_ABORTED':
        this.#counts.scouts.add('aborted')
        break
      case 'node.finished':
        this.#counts.nodes.add(event.data.elapsedMs)
        // A node that was skipped is not `ok` either.
        if (!event.data.ok && event.data.state !== 'skipped') this.#counts.sums.add('nodes failed')
        break
      case 'workflow.finished':
        if (!event.data.ok) this.#counts.sums.add('workflows failed')
        break
    }
  }

  packed(): PackedStats {
    return {
      counts: this.#counts.packed(),
      open: [...this.#open].map(([runId, run]) => [runId, { ...run, decided: [...run.decided] }]),
    }
  }

  merge({ counts, open }: PackedStats): void {
    this.#counts.add(counts)
    for (const [runId, run] of open) this.#open.set(runId, { ...run, decided: new Set(run.decided) })
  }

  stats(prices: PriceTable): Stats {
    const { sums, reasons, nodes } = this.#counts
    const models = byName(this.#counts.models, ({ durations, ...counts }, name) => ({
      ...counts,
      replies: durations.timing(),
      cost: costOf(name, counts, prices),
    }))
    const tools = byName(this.#counts.tools, ({ durations, failed, denied }) => {
      const timing = durations.timing()
      return { ...timing, failed, failureRate: timing.count === 0 ? 0 : failed / timing.count, denied }
    })
    const each = { tools: Object.values(tools), models: Object.values(models) }
    const all = new Counts<StopReason>()
    for (const stops of this.#counts.stops.values()) all.merge(stops.packed())
    const ended = sums.of('run.stopped')
    const failed = sums.of('runs failed')
    return {
      from: this.#counts.from,
      to: this.#counts.to,
      events: sums.of('events'),
      runs: {
        started: sums.of('run.started'),
        open: [...this.#open.values()].filter((run) => run.started).length,
        ended,
        failed,
        failureRate: ended === 0 ? null : failed / ended,
      },
      finishReasons: all.inOrder(STOP_REASONS),
      stops: Object.fromEntries(
        MODES.flatMap((mode) => {
          const stops = this.#counts.stops.get(mode)
          return stops === undefined ? [] : [[mode, stops.inOrder(STOP_REASONS)]]
        }),
      ),
      steps: this.#counts.steps.timing(),
      verdicts: { ...this.#counts.verdicts },
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
        total: total(DENIAL_REASONS, (reason) => reasons.of(reason)),
        byReason: reasons.inOrder(DENIAL_REASONS),
        byStage: this.#counts.stages.inOrder(STAGES),
      },
      questions: { asked: sums.of('confirm.asked'), answers: this.#counts.answers.inOrder(ANSWERS) },
      inspections: this.#counts.inspections.inOrder(INSPECTIONS),
      scouts: { started: sums.of('SCOUT_STARTED'), byStatus: this.#counts.scouts.inOrder(SCOUT_STATUSES) },
      decisions: {
        batches: sums.of('batch.received'),
        authorized: sums.of('action.authorized'),
        denied: sums.of('action.denied'),
        executed: sums.of('action.executed'),
        failed: sums.of('action.failed'),
      },
      routines: {
        fired: sums.of('routine.fired'),
        skipped: sums.of('routine.skipped'),
        finished: sums.of('routine.finished'),
      },
      workflows: {
        finished: sums.of('workflow.finished'),
        failed: sums.of('workflows failed'),
        nodes: { ...nodes.timing(), failed: sums.of('nodes failed') },
      },
    }
  }

  #stopped({ runId, mode, data }: EventOf<'run.stopped'>): void {
    const run = this.#runOf(runId)
    if (run.stepMs !== undefined) this.#counts.steps.add(run.stepMs)
    // The model of a decision is called outside its run; only the end of the run has its cost.
    const input = Math.max(0, data.usage.inputTokens - run.usage.inputTokens)
    const output = Math.max(0, data.usage.outputTokens - run.usage.outputTokens)
    // A predictor without tokens is not a model.
    if (mode === 'decision' && input + output > 0) {
      const model = this.#counts.modelOf(run.model)
      model.inputTokens += input
      model.outputTokens += output
    }
    this.#open.delete(runId)
    this.#counts.stopsOf(mode).add(data.stop.reason)
    // A failed agent in a workflow ends three runs: its own, its node's and the workflow's. It is one failure.
    if (!data.inner && !isNormalEnd(data.stop.reason)) this.#counts.sums.add('runs failed')
  }

  #replied({ runId, data }: EventOf<'model.replied'>): void {
    const run = this.#runOf(runId)
    const model = this.#counts.modelOf(run.model)
    model.durations.add(data.elapsedMs)
    Object.assign(model, addUsage(model, data.usage))
    run.usage = addUsage(run.usage, data.usage)
    if (isAside(data.purpose)) return
    if (run.stepMs !== undefined) this.#counts.steps.add(run.stepMs)
    run.stepMs = data.elapsedMs
  }

  #result(event: EventOf<'tool.result'>): void {
    const { tool: name, observation } = event.data
    const run = this.#runOf(event.runId)
    this.#isFirst(event)
    if (observation.code === 'SKIPPED') return
    const tool = this.#counts.toolOf(name)
    if (observation.outcome === 'denied') {
      tool.denied++
      return
    }
    tool.durations.add(observation.elapsedMs)
    if (observation.outcome !== 'ok') tool.failed++
    if (run.stepMs !== undefined) run.stepMs += observation.elapsedMs
  }

  #denied({ reason, stage }: { reason?: DenialReason; stage?: Stage }): void {
    if (reason !== undefined) this.#counts.reasons.add(reason)
    if (stage !== undefined) this.#counts.stages.add(stage)
  }

  #isFirst(event: Event): boolean {
    return isFirstDecision(event, this.#runOf(event.runId).decided)
  }

  #runOf(runId: string): OpenRun {
    let run = this.#open.get(runId)
    if (run === undefined) {
      const usage = { inputTokens: 0, outputTokens: 0 }
      run = { started: false, model: '', usage, stepMs: undefined, decided: new Set() }
      this.#open.set(runId, run)
    }
    return run
  }
}

function isPartial(result: unknown): boolean {
  return isObject(result) && result.status === 'partial'
}

function total<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

function byName<From, To>(map: ReadonlyMap<string, From>, as: (from: From, name: string) => To): Record<string, To> {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, from]) => [name, as(from, name)]))
}
