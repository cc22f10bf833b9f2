/** The result of a proposal, as the model reads it. */
import type { Media } from './media.ts'
import type { FullResult, Told } from './message.ts'

export type Outcome = 'ok' | 'failed' | 'error' | 'denied'

/** Failures that are not denials: the call was allowed, but failed. */
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

/** S1's result texts. The words in brackets are protocol and are not translated. */
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
