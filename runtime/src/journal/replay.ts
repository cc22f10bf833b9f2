/** What journals amount to, counted by folding them anew: the same journal always gives the same bytes. */
import { ACTION_TYPES, type ActionType } from '../protocol/action.ts'
import type { Event, EventOf, StoredEvent } from '../protocol/event.ts'
import type { Usage } from '../protocol/message.ts'
import { DECISION_ROUTES, type DecisionRoute } from '../protocol/risk.ts'
import type { RunState } from '../protocol/state.ts'
import { STOP_REASONS, type StopReason } from '../protocol/stop.ts'
import { DENIAL_REASONS, type DenialReason } from '../protocol/verdict.ts'
import { apply, begin } from './fold.ts'
import type { Breach } from './store.ts'
import { firstBreach } from './verify.ts'

type Decision = EventOf<'gate.decided'>['data']['decision']
export type Tally = Record<Decision, number>
export type ReasonCounts = Partial<Record<DenialReason, number>>

export interface Summary {
  runs: number
  events: number
  steps: number
  tokens: Usage
  /** What the gate said first of each proposal, before any person spoke. */
  verdicts: Tally
  /** Why it asked. */
  asked: ReasonCounts
  /** Why proposals were refused in the end, by the gate or for want of a yes. */
  denied: ReasonCounts
  routes: Partial<Record<DecisionRoute, Tally>>
  tools: Record<string, Tally>
  actions: Partial<Record<ActionType, Tally>>
  /** `open`: the run has not stopped. */
  stops: Partial<Record<StopReason | 'open', number>>
  chain: { ok: boolean; breaches: Breach[] }
}

/** Takes run after run and keeps only counts, so that a whole store fits. */
export class Account {
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

  addRun(events: readonly StoredEvent[]): void {
    const breach = firstBreach(events)
    if (breach !== undefined) this.addBreach(breach)
    let state: RunState | undefined
    let stopped: EventOf<'run.stopped'>['data'] | undefined
    const proposed = firstDecisions()
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
      } else if (event.type === 'gate.decided') this.#decision(event, proposed(event))
      else proposed(event)
    }
    if (state === undefined) return
    this.#sums.runs++
    // A decision's model is asked outside its run, and only the end of the run says what that cost.
    const { steps, usage } = stopped ?? state
    this.#sums.steps += steps
    this.#tokens.inputTokens += usage.inputTokens
    this.#tokens.outputTokens += usage.outputTokens
    this.#stops.add(state.stop?.reason ?? 'open')
  }

  /** Also for a run that could not be read at all. */
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
      chain: { ok: this.#breaches.length === 0, breaches: [...this.#breaches] },
    }
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

  #action(type: ActionType, decision: Decision, route: DecisionRoute): void {
    this.#verdicts[decision]++
    tallyOf(this.#routes, route)[decision]++
    tallyOf(this.#actions, type)[decision]++
  }
}

/**
 * Tells the first decision about a call from those that follow a question or a restart. A provider may use a
 * call's id again once the call has its result.
 */
export function firstDecisions(): (event: Event) => boolean {
  const open = new Set<string>()
  return (event) => {
    if (event.type === 'tool.result' && !event.data.retried) open.delete(event.data.callId)
    if (event.type !== 'gate.decided' || open.has(event.data.callId)) return false
    open.add(event.data.callId)
    return true
  }
}

/** How often each of some names occurred; printed in the order of their enum, not of their occurrence. */
export class Counts<Name extends string> {
  readonly #counts = new Map<Name, number>()

  add(name: Name, by = 1): void {
    this.#counts.set(name, this.of(name) + by)
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0
  }

  merge(other: Counts<Name>): void {
    for (const [name, count] of other.#counts) this.add(name, count)
  }

  inOrder(names: readonly Name[]): Partial<Record<Name, number>> {
    return pick(this.#counts, names)
  }
}

export function newTally(): Tally {
  return { allow: 0, ask: 0, deny: 0 }
}

function tallyOf<Name>(tallies: Map<Name, Tally>, name: Name): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = newTally()
    tallies.set(name, tally)
  }
  return tally
}

function pick<Name extends string, Value>(from: ReadonlyMap<Name, Value>, names: readonly Name[]) {
  const found = names.flatMap((name) => {
    const value = from.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found) as Record<Name, Value>
}
