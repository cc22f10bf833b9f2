import { messageOf } from '../base/errors.ts'
import { errorText } from '../errors/writ-error.ts'
import { type BreachFault, breachText } from '../i18n/breach.ts'

/** A place where the journal does not verify. */
export interface Breach {
  runId: string
  seq: number
  /** The fault in English. */
  why: string
  fault: BreachFault
}

export function breachAt(runId: string, seq: number, fault: BreachFault): Breach {
  return { runId, seq, why: breachText(fault, 'en'), fault }
}

export function unreadableAt(runId: string, seq: number, error: unknown): Breach {
  return breachAt(runId, seq, {
    code: 'runUnreadable',
    why: { en: messageOf(error), zh: errorText(error, 'zh').message },
  })
}
