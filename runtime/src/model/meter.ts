/** Pays for model calls. Every attempt is reserved before it is sent, and settled when its cost is known. */
import type { Usage } from '../protocol/message.ts'
import type { ModelError, ModelRequest } from './model.ts'

export interface Charge {
  /** What is reserved, in US dollars; absent where nothing is counted. */
  readonly usd?: number
  /** Replaces the reservation by the real cost. */
  settle(usage: Usage): Promise<void>
  /** The provider did no work. */
  release(): Promise<void>
}

export interface Meter {
  /** Throws BUDGET_EXCEEDED or PRICE_UNKNOWN when this request must not be sent. */
  reserve(request: ModelRequest): Promise<Charge>
}

export const NO_CHARGE: Charge = { settle: async () => {}, release: async () => {} }
export const UNMETERED: Meter = { reserve: async () => NO_CHARGE }

/** A meter whose first reservation is already made. */
export function prepaid(first: Charge, meter: Meter): Meter {
  let left: Charge | undefined = first
  return {
    async reserve(request) {
      const charge = left ?? (await meter.reserve(request))
      left = undefined
      return charge
    },
  }
}

/** The connection was never made, so the provider has received nothing. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** An answer that broke off may be billed; a refusal with a status is not. */
export function mayBeBilled({ status, cause }: ModelError): boolean {
  if (status !== undefined) return false
  for (let at = cause, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && UNSENT.has(String(at.code))) return false
    if (at instanceof AggregateError && at.errors.every((one) => UNSENT.has(String(one?.code)))) return false
  }
  return true
}
