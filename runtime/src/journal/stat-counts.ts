/** The counts that statistics are computed from: bounded in size, mergeable, and stored with a run as JSON. */
import type { EventType } from '../protocol/event.ts'
import { addUsage, type Usage } from '../protocol/message.ts'
import type { Mode } from '../protocol/profile.ts'
import type { StopReason } from '../protocol/stop.ts'
import type { Answer, DenialReason, Stage } from '../protocol/verdict.ts'
import { Durations, type PackedDurations } from './durations.ts'
import { Counts, newTally, type PackedCounts, type Tally } from './tally.ts'

/** How a scout ended. */
export type ScoutStatus = 'success' | 'partial' | 'failed' | 'timeout' | 'aborted'
/** What the inspection said, by verdict. */
export type Inspected = 'Block' | 'Review' | 'Warn'

/** Number of events per type, and of failed ends among them. */
type Sum = EventType | 'events' | 'runs failed' | 'nodes failed' | 'workflows failed'

interface ToolSums {
  failed: number
  denied: number
}

interface ModelSums extends Usage {
  retries: number
  failures: number
}

interface Timed {
  durations: Durations
}

type ToolCounts = Timed & ToolSums
type ModelCounts = Timed & ModelSums
type Packed<Sums> = [name: string, durations: PackedDurations, sums: Sums][]

export interface PackedStatCounts {
  from: number | null
  to: number | null
  sums: PackedCounts<Sum>
  stops: [Mode, PackedCounts<StopReason>][]
  steps: PackedDurations
  nodes: PackedDurations
  verdicts: Tally
  tools: Packed<ToolSums>
  models: Packed<ModelSums>
  reasons: PackedCounts<DenialReason>
  stages: PackedCounts<Stage>
  answers: PackedCounts<Answer>
  inspections: PackedCounts<Inspected>
  scouts: PackedCounts<ScoutStatus>
}

const DECISIONS = ['allow', 'ask', 'deny'] as const

export class StatCounts {
  from: number | null = null
  to: number | null = null
  readonly sums = new Counts<Sum>()
  readonly stops = new Map<Mode, Counts<StopReason>>()
  readonly steps = new Durations()
  readonly nodes = new Durations()
  readonly verdicts = newTally()
  readonly tools = new Map<string, ToolCounts>()
  readonly models = new Map<string, ModelCounts>()
  readonly reasons = new Counts<DenialReason>()
  readonly stages = new Counts<Stage>()
  readonly answers = new Counts<Answer>()
  readonly inspections = new Counts<Inspected>()
  readonly scouts = new Counts<ScoutStatus>()

  packed(): PackedStatCounts {
    const { from, to, sums, steps, nodes, verdicts, reasons, stages, answers, inspections, scouts } = this
    return {
      from,
      to,
      sums: sums.packed(),
      stops: [...this.stops].map(([mode, stops]) => [mode, stops.packed()]),
      steps: steps.packed(),
      nodes: nodes.packed(),
      verdicts: { ...verdicts },
      tools: [...this.tools].map(([name, { durations, ...counts }]) => [name, durations.packed(), counts]),
      models: [...this.models].map(([name, { durations, ...counts }]) => [name, durations.packed(), counts]),
      reasons: reasons.packed(),
      stages: stages.packed(),
      answers: answers.packed(),
      inspections: inspections.packed(),
      scouts: scouts.packed(),
    }
  }

  /** Adds counts that were packed. */
  add(packed: PackedStatCounts): void {
    this.cover(packed.from, packed.to)
    this.sums.merge(packed.sums)
    this.steps.merge(packed.steps)
    this.nodes.merge(packed.nodes)
    this.reasons.merge(packed.reasons)
    this.stages.merge(packed.stages)
    this.answers.merge(packed.answers)
    this.inspections.merge(packed.inspections)
    this.scouts.merge(packed.scouts)
    for (const [mode, stops] of packed.stops) this.stopsOf(mode).merge(stops)
    for (const decision of DECISIONS) this.verdicts[decision] += packed.verdicts[decision]
    for (const [name, durations, { failed, denied }] of packed.tools) {
      const own = this.toolOf(name)
      own.durations.merge(durations)
      own.failed += failed
      own.denied += denied
    }
    for (const [name, durations, sums] of packed.models) {
      const own = this.modelOf(name)
      own.durations.merge(durations)
      own.retries += sums.retries
      own.failures += sums.failures
      Object.assign(own, addUsage(own, sums))
    }
  }

  /** Extends the time they cover. */
  cover(from: number | null, to: number | null): void {
    if (from !== null) this.from = Math.min(this.from ?? from, from)
    if (to !== null) this.to = Math.max(this.to ?? to, to)
  }

  stopsOf(mode: Mode): Counts<StopReason> {
    return found(this.stops, mode, () => new Counts())
  }

  toolOf(name: string): ToolCounts {
    return found(this.tools, name, () => ({ durations: new Durations(), failed: 0, denied: 0 }))
  }

  modelOf(name: string): ModelCounts {
    return found(this.models, name, () => ({
      durations: new Durations(),
      inputTokens: 0,
      outputTokens: 0,
      retries: 0,
      failures: 0,
    }))
  }
}

function found<Name, Value>(map: Map<Name, Value>, name: Name, make: () => Value): Value {
  let value = map.get(name)
  if (value === undefined) {
    value = make()
    map.set(name, value)
  }
  return value
}
