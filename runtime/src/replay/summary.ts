/** Counts of journals, made by folding them again: the same journal always gives the same bytes. */

import type { Breach } from '../journal/breach.ts'
import { apply, begin } from '../journal/fold.ts'
import {
  Counts,
  type GateDecision,
  isFirstDecision,
  newTally,
  pick,
  type ReasonCounts,
  type Tally,
  tallyOf,
} from '../journal/tally.ts'
import { firstBreach } from '../journal/verify.ts'
import { ACTION_TYPES, type ActionType } from '../protocol/action.ts'
import type { EventOf, StoredEvent } from '../protocol/event.ts'
import type { Usage } from '../protocol/message.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../protocol/risk.ts'
import type { RunState } from '../protocol/state.ts'
import { STOP_REASONS, type StopReason } from '../protocol/stop.ts'
import { DENIAL_REASONS, type DenialReason, type ShadowVerdict } from '../protocol/verdict.ts'

export interface Summary {
  runs: number
  events: number
  steps: number
  tokens: Usage
  /** The first decision of the gate about each proposal, before any approval. */
  verdicts: Tally
  /** Why it asked. */
  asked: ReasonCounts
  /** Why proposals were denied in the end, by the gate or for lack of approval. */
  denied: ReasonCounts
  routes: Partial<Record<DecisionRoute, Tally>>
  tools: Record<string, Tally>
  actions: Partial<Record<ActionType, Tally>>
  /** `open`: the run has not stopped. */
  stops: Partial<Record<StopReason | 'open', number>>
  /** Proposals that the shadow policy would have decided differently. Absent: none. */
  shadow?: { differ: number; first: ShadowDifference[] }
  chain: { ok: boolean; breaches: Breach[] }
}

export interface ShadowDifference {
  runId: string
  seq: number
  tool: string
  decision: GateDecision
  shadow: ShadowVerdict
}

const LISTED_DIFFERENCES = 20

/** Takes run after run and stores only counts, so that a whole store fits in memory. */
export class SummaryBuilder {
  readonly #sums = { runs: 0, events: 0, steps: 0 }
  readonly #tokens: Usage = { inputTokens: 0, outputTokens: 0 }
  readonly #verdicts = newTally()
  readonly #asked = new Counts<DenialReason>()
  readonly #denied = new Counts<DenialReason>()
  readonly #stops = new Counts<StopReason | 'open'>()
  readonly #routes = new Map<DecisionRoute, Tally>()
  readonly #tools = new Map<string, Tally>()
  readonly #actions = new Map<ActionType, Tally>()
  readonly #breaches: Breach[] = []
  readonly #differences: ShadowDifference[] = []
  #differ = 0

  addRun(events: readonly StoredEvent[]): void {
    const breach = firstBreach(events)
    if (breach !== undefined) this.addBreach(breach)
    let state: RunState | undefined
    let stopped: EventOf<'run.stopped'>['data'] | undefined
    const decided = new Set<string>()
    let batchRoute: DecisionRoute = 'FallbackNoOp'
    for (const event of events) {
      this.#sums.events++
      if (event.type === 'run.started') state = begin(event, { history: [] })
      else if (state !== undefined) apply(state, event)
      if (event.type === 'run.stopped') stopped = event.data
      else if (event.type === 'batch.received') batchRoute = event.data.route
      else if (event.type === 'action.authorized') this.#action(event.data.action.action_type, 'allow', batchRoute)
      else if (event.type === 'action.denied') {
        this.#action(event.data.action.action_type, 'deny', batchRoute)
        this.#denied.add(event.data.denial.reason)
      } else if (event.type === 'gate.decided') {
        this.#decision(event, isFirstDecision(event, decided))
        this.#shadow(event)
      } else isFirstDecision(event, decided)
    }
    if (state === undefined) return
    this.#sums.runs++
    // The model of a decision is asked outside its run; only `run.stopped` has its cost.
    const { steps, usage } = stopped ?? state
    this.#sums.steps += steps
    this.#tokens.inputTokens += usage.inputTokens
    this.#tokens.outputTokens += usage.outputTokens
    this.#stops.add(state.stop?.reason ?? 'open')
  }

  /** Also for a run that could not be read. */
  addBreach(breach: Breach): void {
    this.#breaches.push(breach)
  }

  summary(): Summary {
    const names = [...this.#tools.keys()].sort()
    return {
      ...this.#sums,
      tokens: { ...this.#tokens },
      verdicts: { ...this.#verdicts },
      asked: this.#asked.inOrder(DENIAL_REASONS),
      denied: this.#denied.inOrder(DENIAL_REASONS),
      routes: pick(this.#routes, DECISION_ROUTES),
      tools: pick(this.#tools, names),
      actions: pick(this.#actions, ACTION_TYPES),
      stops: this.#stops.inOrder([...STOP_REASONS, 'open']),
      ...(this.#differ > 0 && { shadow: { differ: this.#differ, first: [...this.#differences] } }),
      chain: { ok: this.#breaches.length === 0, breaches: [...this.#breaches] },
    }
  }

  #shadow({ runId, seq, data: { tool, decision, shadow } }: StoredEvent & EventOf<'gate.decided'>): void {
    if (shadow === undefined) return
    this.#differ++
    if (this.#differences.length < LISTED_DIFFERENCES) this.#differences.push({ runId, seq, tool, decision, shadow })
  }

  #decision({ data }: EventOf<'gate.decided'>, isFirst: boolean): void {
    const { decision, reason, route, tool } = data
    if (decision === 'deny' && reason !== undefined) this.#denied.add(reason)
    if (!isFirst) return
    if (decision === 'ask' && reason !== undefined) this.#asked.add(reason)
    this.#verdicts[decision]++
    tallyOf(this.#routes, route)[decision]++
    tallyOf(this.#tools, tool)[decision]++
  }

  #action(type: ActionType, decision: GateDecision, route: DecisionRoute): void {
    this.#verdicts[decision]++
    tallyOf(this.#routes, route)[decision]++
    tallyOf(this.#actions, type)[decision]++
  }
}
