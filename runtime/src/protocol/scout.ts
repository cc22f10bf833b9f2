/** States and outcomes of a scout (S4). */
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
/** Where a scout is in its life. */
export type ScoutState = (typeof SCOUT_STATES)[number]

/** S4's transitions, plus those for a cancel or a failure in other states (S4-55). States without any are final. */
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
/** How a scout ended. */
export type ScoutStatus = (typeof SCOUT_STATUSES)[number]

export const BUDGET_PROFILES = ['light', 'normal', 'deep'] as const
/** How much a scout may use. */
export type BudgetProfile = (typeof BUDGET_PROFILES)[number]

/** Whether scouts would help with a task, or are forbidden. Advice only: it starts none. */
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
