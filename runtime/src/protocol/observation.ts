/** The result of a proposal, as the model reads it. */
import type { Media } from './media.ts'
import type { FullResult, Told } from './message.ts'

/** How a call ended. */
export type Outcome = 'ok' | 'failed' | 'error' | 'denied'

/** Failures that are not denials: the call was allowed, but failed. */
export type FailureCode =
  | 'TOOL_TIMEOUT'
  | 'TOOL_EXCEPTION'
  | 'TOOL_FAILED'
  | 'INTERRUPTED'
  | 'ARGS_REDACTED'
  | 'SKIPPED'

/** The result of a call, as the model reads it. */
export interface Observation {
  outcome: Outcome
  text: string
  /** Present when part of it repeats text of other authors. */
  told?: Told
  /** Output before the failure. */
  partial?: string
  code?: string
  recoverable?: boolean
  /** It failed before it had any effect, so it can be repeated safely. */
  notDone?: true
  hint?: string
  /** Present when only head and tail are shown. */
  full?: FullResult
  /** Files that the model is shown. */
  media?: Media[]
  elapsedMs: number
}

/** Protocol: never translated where they are stored or sent, only where a person reads them. */
export const RESULT_MARKS = { failed: '[失败]', error: '[错误]', partial: '[部分输出]' } as const

/** S1's result texts. */
export function render(observation: Observation): string {
  const { outcome, text, partial, code, hint } = observation
  switch (outcome) {
    case 'ok':
      return hint === undefined ? text : `${text}\n${hint}`
    case 'failed':
      return `${RESULT_MARKS.failed} ${text}${partial === undefined || partial === '' ? '' : `\n${RESULT_MARKS.partial}\n${partial}`}${hint === undefined ? '' : `\n${hint}`}`
    case 'error':
    case 'denied':
      return `${RESULT_MARKS.error} ${code === undefined ? '' : `${code}: `}${text}${hint === undefined ? '' : `\n${hint}`}`
  }
}
