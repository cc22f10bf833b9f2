/** Input and output of a scout (S4 §2.2), and of an exploration with several of them. */
import type { JsonObject } from '../base/json.ts'
import { isObject } from '../base/json.ts'
import type { Message } from '../protocol/message.ts'
import { BUDGET_PROFILES, type BudgetProfile, type ScoutStatus } from '../protocol/scout.ts'
import { VISIBLE_PATTERN } from '../protocol/visible-text.ts'

/** A request can only lower what the configuration allows. */
export interface Constraints {
  maxSteps: number
  maxToolCalls: number
  timeoutMs: number
  tokenBudget: number
}

/** One question for a scout. */
export interface ScoutTaskInput {
  scoutId: string
  sessionId: string
  task: string
  constraints: Constraints
  allowedTools: string[]
  contextSnapshot: Message[]
}

/** What a scout found, with where it is written. */
export interface Evidence {
  source: string
  quote?: string
  note: string
}

/** A scout's report, as `report_findings` takes it. */
export interface Findings {
  /** False: what the scout read does not answer its task. */
  found?: boolean
  summary: string
  evidence: Evidence[]
  confidence: number
}

/** A call that a scout made. */
export interface ToolRun {
  name: string
  ok: boolean
  durationMs: number
}

/** What one scout found. */
export interface ScoutTaskResult {
  scoutId: string
  task: string
  status: ScoutStatus
  summary: string
  evidence: Evidence[]
  confidence: number
  /** `kept`: evidence found in what the scout read. `dropped`: evidence that was not. */
  grounding: { kept: number; dropped: number }
  toolRuns: ToolRun[]
  /** Documents not shown to the scout because of prompt injection in them. */
  withheld?: string[]
  /** The scout reported only after every other call was denied. */
  reason?: 'forced'
  error?: { code: string; message: string }
}

/** What an exploration found. */
export interface ExploreResult {
  status: Exclude<ScoutStatus, 'timeout'>
  summary: string
  confidence: number
  scoutIds: string[]
  results: ScoutTaskResult[]
  failures: { scoutId: string; task: string; status: ScoutStatus; error: { code: string; message: string } }[]
}

export interface ExploreTask {
  task: string
  priority: number
}

export interface ExploreRequest {
  tasks: ExploreTask[]
  profile: BudgetProfile
  constraints: Partial<Constraints>
}

export const MAX_TASKS = 5

const COUNT = { type: 'integer', minimum: 1 } as const
/** With a blank task a scout could only guess. */
const TASK = { type: 'string', minLength: 1, maxLength: 2000, pattern: VISIBLE_PATTERN } as const

export const EXPLORE_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_TASKS,
      items: {
        anyOf: [
          TASK,
          {
            type: 'object',
            properties: {
              task: TASK,
              priority: { type: 'number', description: 'Higher is sent first; 0 when absent.' },
            },
            required: ['task'],
            additionalProperties: false,
          },
        ],
      },
      description: 'One question per scout; each is answered from the documents alone.',
    },
    profile: { enum: [...BUDGET_PROFILES], description: 'How much each scout may spend; normal when absent.' },
    constraints: {
      type: 'object',
      properties: { maxSteps: COUNT, maxToolCalls: COUNT, timeoutMs: COUNT, tokenBudget: COUNT },
      additionalProperties: false,
      description: 'Less than the profile allows; never more.',
    },
  },
  required: ['tasks'],
  additionalProperties: false,
}

/** Reads arguments that fit EXPLORE_SCHEMA. */
export function readRequest(args: unknown): ExploreRequest {
  const {
    tasks,
    profile = 'normal',
    constraints = {},
  } = args as {
    tasks: (string | { task: string; priority?: number })[]
    profile?: BudgetProfile
    constraints?: Partial<Constraints>
  }
  return {
    tasks: distinct(
      tasks.map((item) =>
        typeof item === 'string' ? { task: item, priority: 0 } : { task: item.task, priority: item.priority ?? 0 },
      ),
    ),
    profile,
    constraints,
  }
}

/** Duplicate questions are asked once, with the higher priority. */
function distinct(tasks: readonly ExploreTask[]): ExploreTask[] {
  const known = new Map<string, ExploreTask>()
  for (const { task, priority } of tasks) {
    const key = task.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
    const first = known.get(key)
    known.set(key, { task: first?.task ?? task.trim(), priority: Math.max(first?.priority ?? priority, priority) })
  }
  return [...known.values()]
}

const EVIDENCE: JsonObject = {
  type: 'object',
  properties: {
    source: { type: 'string', minLength: 1, description: 'The id of the document.' },
    quote: { type: 'string', description: 'Word for word from what read_doc returned.' },
    note: { type: 'string', description: 'What it shows.' },
  },
  required: ['source', 'note'],
  additionalProperties: false,
}

export const FINDINGS_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    found: { type: 'boolean', description: 'false when the documents do not answer the question; true when absent.' },
    summary: { type: 'string', minLength: 1, description: 'The answer in a few sentences.' },
    evidence: { type: 'array', items: EVIDENCE },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['summary', 'evidence', 'confidence'],
  additionalProperties: false,
}

/**
 * Checks the report again before the main session gets it; undefined when it does not fit the schema. The journal may
 * have masked a part of it, or a replaced report tool may have accepted anything.
 */
export function readFindings(value: unknown): Findings | undefined {
  if (!isObject(value)) return undefined
  const { found = true, summary, evidence, confidence } = value
  if (typeof found !== 'boolean') return undefined
  if (typeof summary !== 'string' || summary.trim() === '' || !Array.isArray(evidence)) return undefined
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return undefined
  const read = evidence.map(readEvidence)
  return read.every((item) => item !== undefined) ? { found, summary, evidence: read, confidence } : undefined
}

function readEvidence(value: unknown): Evidence | undefined {
  if (!isObject(value)) return undefined
  const { source, quote, note } = value
  if (typeof source !== 'string' || source === '' || typeof note !== 'string') return undefined
  if (quote === undefined) return { source, note }
  return typeof quote === 'string' ? { source, quote, note } : undefined
}
