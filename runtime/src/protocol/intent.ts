/** The intent of the user's task (S0). Not S2's `Intent`, which is a prediction about a user. */
export const TASK_INTENTS = [
  'general',
  'browser_access',
  'network_research',
  'filesystem_ops',
  'code_edit',
  'memory_ops',
] as const
/** The types of tasks. */
export type TaskIntentLabel = (typeof TASK_INTENTS)[number]

/** How a task was classified. */
export interface TaskIntent {
  label: TaskIntentLabel
  confidence: number
  source: 'heuristic' | 'model'
  reason: string
}

/** How a task is classified. `auto`: by phrase lists, and by the model where they find a cue. */
export const DETECTORS = ['heuristic', 'auto', 'model'] as const
export type Detector = (typeof DETECTORS)[number]

export const TOOL_FAMILIES = ['browser', 'network', 'filesystem', 'memory', 'vcs', 'task', 'shell', 'unknown'] as const
/** The families of tools. */
export type ToolFamily = (typeof TOOL_FAMILIES)[number]
