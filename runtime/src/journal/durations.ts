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

export type PackedDurations = [count: number, total: number, max: number, buckets: [bucket: number, count: number][]]

export class Durations {
  /** Indexed by bucket number; one bucket covers everything below a millisecond. */
  readonly #buckets = new Map<number, number>()
  #count = 0
  #total = 0
  #max = 0

  add(ms: number): void {
    this.#count++
    this.#total += ms
    this.#max = Math.max(this.#max, ms)
    const bucket = ms < 1 ? -1 : Math.floor(Math.log(ms) / LOG_GROWTH)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
  }

  packed(): PackedDurations {
    return [this.#count, this.#total, this.#max, [...this.#buckets]]
  }

  merge([count, total, max, buckets]: PackedDurations): void {
    this.#count += count
    this.#total += total
    this.#max = Math.max(this.#max, max)
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

  /** The middle of the bucket that contains the percentile. */
  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      left -= this.#buckets.get(bucket) ?? 0
      if (left > 0) continue
      if (bucket < 0) return 0
      return Math.min(this.#max, Math.round(GROWTH ** bucket * ((1 + GROWTH) / 2)))
    }
    return 0
  }
}
