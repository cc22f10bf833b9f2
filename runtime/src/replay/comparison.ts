/** Counts recorded decisions and those of another policy. */
import { Counts, newTally, type ReasonCounts, type Tally } from '../journal/tally.ts'
import { DENIAL_REASONS, type DenialReason } from '../protocol/verdict.ts'
import { differs, type Redecision, type Ruling, spelled } from './what-if.ts'

export interface Side {
  verdicts: Tally
  asked: ReasonCounts
  denied: ReasonCounts
}

/** Differing decisions of one kind. */
export interface Kind {
  tool: string
  before: Omit<Ruling, 'message'>
  after: Omit<Ruling, 'message'>
  count: number
  runs: number
  /** The earliest. */
  example: Pick<Redecision, 'runId' | 'seq' | 'callId' | 'args'>
}

export interface Comparison {
  runs: number
  proposals: number
  changed: number
  first: Redecision | null
  before: Side
  after: Side
  kinds: Kind[]
}

/** Takes re-decided proposals run by run; stores only counts and one example of each kind of difference. */
export class ComparisonBuilder {
  readonly #sums = { runs: 0, proposals: 0, changed: 0 }
  readonly #before = new SideCount()
  readonly #after = new SideCount()
  readonly #kinds = new Map<string, Kind & { lastRun: string; at: number }>()
  #first: Redecision | undefined

  addRun(redecisions: Iterable<Redecision>, onDifference?: (redecision: Redecision) => void): void {
    this.#sums.runs++
    for (const each of redecisions) {
      this.#sums.proposals++
      this.#before.add(each.before)
      this.#after.add(each.after)
      if (!differs(each)) continue
      this.#sums.changed++
      this.#group(each)
      if (this.#first === undefined || each.timestamp < this.#first.timestamp) this.#first = each
      onDifference?.(each)
    }
  }

  result(): Comparison {
    const kinds = [...this.#kinds.entries()].sort(
      ([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : a > b ? 1 : 0),
    )
    return {
      ...this.#sums,
      first: this.#first ?? null,
      before: this.#before.side(),
      after: this.#after.side(),
      kinds: kinds.map(([, { lastRun: _run, at: _at, ...kind }]) => kind),
    }
  }

  #group(each: Redecision): void {
    const { runId, seq, callId, args, tool, timestamp } = each
    const key = `${tool} ${spelled(each.before)} ${spelled(each.after)}`
    const example = { runId, seq, callId, args }
    const found = this.#kinds.get(key)
    if (found === undefined) {
      const { message: _was, ...before } = each.before
      const { message: _would, ...after } = each.after
      this.#kinds.set(key, { tool, before, after, count: 1, runs: 1, example, lastRun: runId, at: timestamp })
      return
    }
    found.count++
    if (found.lastRun !== runId) found.runs++
    found.lastRun = runId
    if (timestamp < found.at) {
      found.at = timestamp
      found.example = example
    }
  }
}

class SideCount {
  readonly #verdicts = newTally()
  readonly #asked = new Counts<DenialReason>()
  readonly #denied = new Counts<DenialReason>()

  add({ decision, reason }: Ruling): void {
    this.#verdicts[decision]++
    if (reason !== undefined) (decision === 'ask' ? this.#asked : this.#denied).add(reason)
  }

  side(): Side {
    return {
      verdicts: { ...this.#verdicts },
      asked: this.#asked.inOrder(DENIAL_REASONS),
      denied: this.#denied.inOrder(DENIAL_REASONS),
    }
  }
}
