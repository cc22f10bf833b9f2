/** A histogram of durations: two can be merged, and the size is bounded. */

/** Growth factor of the buckets: a percentile is off by 5 % at most. */
const GROWTH = 1.1
const LOG_GROWTH = Math.log(GROWTH)

export interface Timing {
  count: number
  total_ms: number
  avg_ms: number
  p50_ms: number
  p95_ms: number
  max_ms: number
}

/** Accounts of earlier versions have no `min`. */
export type PackedDurations = [
  count: number,
  total: number,
  max: number,
  buckets: [bucket: number, count: number][],
  min?: number,
]

export class Durations {
  /** Indexed by bucket number; one bucket covers everything below a millisecond. */
  readonly #buckets = new Map<number, number>()
  #count = 0
  #total = 0
  #max = 0
  #min = Number.POSITIVE_INFINITY

  add(ms: number): void {
    this.#count++
    this.#total += ms
    this.#max = Math.max(this.#max, ms)
    this.#min = Math.min(this.#min, ms)
    const bucket = ms < 1 ? -1 : Math.floor(Math.log(ms) / LOG_GROWTH)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
  }

  packed(): PackedDurations {
    return [this.#count, this.#total, this.#max, [...this.#buckets], this.#count === 0 ? 0 : this.#min]
  }

  merge([count, total, max, buckets, min = count === 1 ? max : 0]: PackedDurations): void {
    if (count === 0) return
    this.#count += count
    this.#total += total
    this.#max = Math.max(this.#max, max)
    this.#min = Math.min(this.#min, min)
    for (const [bucket, n] of buckets) this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + n)
  }

  timing(): Timing {
    return {
      count: this.#count,
      total_ms: this.#total,
      avg_ms: this.#count === 0 ? 0 : Math.round(this.#total / this.#count),
      p50_ms: this.#percentile(0.5),
      p95_ms: this.#percentile(0.95),
      max_ms: this.#max,
    }
  }

  /** The middle of the bucket that contains the percentile, within what was measured. */
  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      left -= this.#buckets.get(bucket) ?? 0
      if (left > 0) continue
      const middle = bucket < 0 ? 0 : Math.round(GROWTH ** bucket * ((1 + GROWTH) / 2))
      return Math.min(this.#max, Math.max(this.#min, middle))
    }
    return 0
  }
}
