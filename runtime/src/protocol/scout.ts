/** S4's vocabulary: the states a scout goes through, and how it can end. */
export const SCOUT_STATES = [
  'QUEUED',
  'PREPARE',
  'RUNNING',
  'AGGREGATING',
  'COMPLETED',
  'TIMEOUT',
  'ABORTED',
  'FAILED',
] as const
export type ScoutState = (typeof SCOUT_STATES)[number]

/** The seed's edges, and those for a cancel or a failure where it has none (C26). States without one are final. */
export const SCOUT_EDGES: Readonly<Record<ScoutState, readonly ScoutState[]>> = {
  QUEUED: ['PREPARE', 'ABORTED'],
  PREPARE: ['RUNNING', 'ABORTED', 'FAILED'],
  RUNNING: ['AGGREGATING', 'TIMEOUT', 'ABORTED', 'FAILED'],
  AGGREGATING: ['COMPLETED', 'FAILED', 'ABORTED'],
  COMPLETED: [],
  TIMEOUT: [],
  ABORTED: [],
  FAILED: [],
}

export const SCOUT_STATUSES = ['success', 'partial', 'failed', 'timeout', 'aborted'] as const
export type ScoutStatus = (typeof SCOUT_STATUSES)[number]

export const BUDGET_PROFILES = ['light', 'normal', 'deep'] as const
export type BudgetProfile = (typeof BUDGET_PROFILES)[number]

/** Whether sending scouts would help with a task, or is forbidden. It never sends any. */
export interface ScoutAdvice {
  shouldRun: boolean
  reason: string
  suggestedTask: string
  budgetProfile: BudgetProfile
  /** Five at most. */
  tasks: { task: string; priority: number }[]
}

/** The only tools a scout can ever have. */
export const SCOUT_TOOLS = ['search_docs', 'read_doc', 'report_findings'] as const
