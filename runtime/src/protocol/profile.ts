import type { RiskLevel } from './risk.ts'

export const MODES = ['chat', 'routine', 'workflow', 'scout', 'decision'] as const
export type Mode = (typeof MODES)[number]

export interface Limits {
  maxSteps: number
  maxToolCalls?: number
  runMs?: number
  callMs?: number
  /** `soft`: one last answer-now step after crossing; `hard`: no further model call. A budget of 0 is none. */
  tokens?: { budget: number; mode: 'soft' | 'hard' }
}

/** Everything that differs between the five uses of the one loop, as data. */
export interface Profile {
  mode: Mode
  dialect: 'native' | 'json'
  limits: Limits
  /** `detected`: the task is labelled and held to its label (S0). Narrow runs are `general` by nature (C41). */
  taskIntent: 'detected' | 'general'
  /** Whether a first, short model call chooses the skills the task needs (S1). */
  routing: boolean
  /** Tools the run may see; `*` is every registered one but `hidden`. */
  exposure: { only?: string[]; hidden: string[] }
  /** The most that runs unasked: a level, or what the policy's autonomy or decision section says. */
  maxAutoRisk: RiskLevel | 'by-autonomy' | 'by-decision'
  /** Whether a person can be asked at all in this kind of run. */
  human: boolean
  onToolFailure: 'feedback' | 'repair_once' | 'retry_once_then_fail' | 'record'
  atToolLimit: 'stop' | 'report' | 'none'
  /** Calls spent and nothing read is then a dead end, and the run is closed (C22). */
  reportNeedsRead?: boolean
  observationMaxLen: number
  historyMessages: number
}
