import type { RiskLevel } from './risk.ts'

export const MODES = ['chat', 'routine', 'workflow', 'scout', 'decision', 'guard'] as const
/** What started a run. */
export type Mode = (typeof MODES)[number]

/** How much one run may use. */
export interface Limits {
  maxSteps: number
  maxToolCalls?: number
  runMs?: number
  callMs?: number
  /** `soft`: one last step to answer after the budget is spent; `hard`: no further model call. 0 means no budget. */
  tokens?: { budget: number; mode: 'soft' | 'hard' }
}

/** All differences between the five uses of the loop, and the loop of an outside agent, as data. */
export interface Profile {
  mode: Mode
  dialect: 'native' | 'json'
  limits: Limits
  /** `detected`: the task is classified and its intent is enforced (S0). Runs with a fixed purpose are `general`. */
  taskIntent: 'detected' | 'general'
  /** Whether a first, short model call chooses the skills for the task (S1). */
  routing: boolean
  /** Tools the run may see; `*` is every registered tool except `hidden`. */
  exposure: { only?: string[]; hidden: string[] }
  /** What runs without approval: a level, or the policy's autonomy or decision section. */
  maxAutoRisk: RiskLevel | 'by-autonomy' | 'by-decision'
  /** Whether a person can be asked for approval in this kind of run. */
  human: boolean
  onToolFailure: 'feedback' | 'repair_once' | 'retry_once_then_fail' | 'record'
  atToolLimit: 'stop' | 'report' | 'none'
  /**
   * When all calls are used and nothing was read, the run ends; see
   * docs/decisions/2026-11-15-a-scout-ends-with-its-report.md.
   */
  reportNeedsRead?: boolean
  observationMaxLen: number
  historyMessages: number
}
