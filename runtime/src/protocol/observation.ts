/** What came of a proposal, as the model will read it. */
import type { Told } from './message.ts'

export type Outcome = 'ok' | 'failed' | 'error' | 'denied'

/** Failures that are not denials: the tool was allowed, and something went wrong. */
export type FailureCode =
  | 'TOOL_TIMEOUT'
  | 'TOOL_EXCEPTION'
  | 'TOOL_FAILED'
  | 'INTERRUPTED'
  | 'ARGS_REDACTED'
  | 'SKIPPED'

export interface Observation {
  outcome: Outcome
  text: string
  /** Present where some of it only repeats what others wrote. */
  told?: Told
  /** What was printed before a failure. */
  partial?: string
  code?: string
  recoverable?: boolean
  /** It failed before anything took effect: a second call does not do it twice. */
  notDone?: true
  hint?: string
  elapsedMs: number
}

/** S1's result texts. The bracketed words are protocol, the same in every language. */
export function render(observation: Observation): string {
  const { outcome, text, partial, code, hint } = observation
  switch (outcome) {
    case 'ok':
      return hint === undefined ? text : `${text}\n${hint}`
    case 'failed':
      return `[失败] ${text}${partial === undefined || partial === '' ? '' : `\n[部分输出]\n${partial}`}${hint === undefined ? '' : `\n${hint}`}`
    case 'error':
    case 'denied':
      return `[错误] ${code === undefined ? '' : `${code}: `}${text}${hint === undefined ? '' : `\n${hint}`}`
  }
}
