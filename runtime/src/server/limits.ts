/** Rate limits per token, and back-off for addresses that guess tokens. */
import type { Clock } from '../base/clock.ts'

/** Token bucket per access token. */
const BURST = 1000
const PER_SECOND = 200

/** Open event streams per token: each one polls the store. */
export const MAX_STREAMS = 50

/** Unknown tokens from one address before it has to wait. */
const FAILURES = 10
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 300_000
/** Failures are forgotten after this time without another one. */
const FORGET_MS = 600_000
/** Remembered addresses and tokens; the oldest is dropped first, so memory use is bounded. */
const MAX_REMEMBERED = 10_000

export interface Limits {
  /** Reserves one of the token's streams; undefined when all are in use. The returned function releases it, once. */
  openStream(tokenId: string): (() => void) | undefined
  /** Seconds until the token's next request is accepted; 0: now. */
  spend(tokenId: string): number
  /** Seconds for which unknown tokens from this address are rejected without a lookup. */
  waitOf(address: string): number
  /** Returns the number of recent failures. */
  failed(address: string): number
}

export function openLimits(clock: Clock): Limits {
  const streams = new Map<string, number>()
  const buckets = new Map<string, { left: number; at: number }>()
  const failures = new Map<string, { count: number; at: number }>()

  const recent = (address: string) => {
    const found = failures.get(address)
    return found !== undefined && clock.now() - found.at < FORGET_MS ? found : undefined
  }
  return {
    openStream(tokenId) {
      const open = streams.get(tokenId) ?? 0
      if (open >= MAX_STREAMS) return undefined
      streams.set(tokenId, open + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (streams.get(tokenId) ?? 1) - 1
        if (left === 0) streams.delete(tokenId)
        else streams.set(tokenId, left)
      }
    },
    spend(tokenId) {
      const now = clock.now()
      const { left, at } = buckets.get(tokenId) ?? { left: BURST, at: now }
      const filled = Math.min(BURST, left + ((now - at) / 1000) * PER_SECOND)
      remember(buckets, tokenId, { left: Math.max(0, filled - 1), at: now })
      return filled >= 1 ? 0 : Math.ceil((1 - filled) / PER_SECOND)
    },
    waitOf(address) {
      const found = recent(address)
      if (found === undefined || found.count < FAILURES) return 0
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (found.count - FAILURES))
      return Math.max(0, Math.ceil((found.at + wait - clock.now()) / 1000))
    },
    failed(address) {
      const count = (recent(address)?.count ?? 0) + 1
      remember(failures, address, { count, at: clock.now() })
      return count
    },
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest)
}
