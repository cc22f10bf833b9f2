/** Types of S2 (docs/spec/inventory.md), field for field: snake_case, externally tagged enums as serde writes them. */
import type { ContextFacts } from './facts.ts'
import type { DecisionRoute, RiskLevel } from './risk.ts'

export const ACTION_TYPES = ['PreWarmProcess', 'PrefetchFile', 'KeepAlive', 'ReleaseMemory', 'NoOp'] as const
/** The kinds of actions that a prediction can suggest. */
export type ActionType = (typeof ACTION_TYPES)[number]

export const ACTION_URGENCIES = ['Immediate', 'IdleTime', 'Deferred'] as const
/** When an action is executed. */
export type ActionUrgency = (typeof ACTION_URGENCIES)[number]

/** An action that a prediction suggests. */
export interface SuggestedAction {
  action_type: ActionType
  target: string | null
  urgency: ActionUrgency
}

export const EXTENSION_CATEGORIES = [
  'Document',
  'Image',
  'Video',
  'Audio',
  'Archive',
  'Code',
  'Other',
  'Unknown',
] as const
/** Kinds of files. */
export type ExtensionCategory = (typeof EXTENSION_CATEGORIES)[number]

/** What the user is expected to do next. */
export type IntentType =
  | { OpenApp: string }
  | { SwitchToApp: string }
  | { CheckNotification: string }
  | { HandleFile: ExtensionCategory }
  | { EnterContext: string }
  | 'Idle'

export const INTENT_KINDS = [
  'OpenApp',
  'SwitchToApp',
  'CheckNotification',
  'HandleFile',
  'EnterContext',
  'Idle',
] as const
export type IntentKind = (typeof INTENT_KINDS)[number]

/** A predicted intent, with the actions it suggests. */
export interface Intent {
  intent_id: string
  intent_type: IntentType
  confidence: number
  risk_level: RiskLevel
  suggested_actions: SuggestedAction[]
  rationale_tags: string[]
}

/** The predictions for one window. */
export interface IntentBatch {
  window_id: string
  intents: Intent[]
  generated_at_ms: number
  model: string
}

/** What a predictor answered. */
export interface DecisionBackendResult {
  route: DecisionRoute
  intent_batch: IntentBatch
  rationale_tags: string[]
  latency_us: number
  error: string | null
}

/** An action that may be executed. */
export interface AuthorizedAction {
  intent_id: string
  action: SuggestedAction
  authorized_at_ms: number
}

/** The parts of a window that may be sent to a model; agent.decision.cloudFields selects from them. */
export const CONTEXT_FIELDS = ['packages', 'paths', 'notifications', 'extension_categories', 'scenes'] as const
/** The lists of an observed window. */
export type ContextField = (typeof CONTEXT_FIELDS)[number]

/** The observations of one window, oldest first. A decision may use nothing else. */
export interface StructuredContext extends ContextFacts {
  window_id: string
  notifications: string[]
  extension_categories: ExtensionCategory[]
  /** Scenes, such as "home" or "locked". */
  scenes: string[]
}
