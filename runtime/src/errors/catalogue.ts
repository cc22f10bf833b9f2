/** Every error a person or a program can meet, by key. Each area is a file of its own; the compiler checks both languages. */
import { AGENT_ERRORS } from './agent.ts'
import { BROWSER_ERRORS } from './browser.ts'
import { CLASSIFIER_ERRORS } from './classifier.ts'
import { CLI_ERRORS } from './cli.ts'
import { CLI_USAGE_ERRORS } from './cli-usage.ts'
import { CONFIG_ERRORS } from './config.ts'
import { CONTEXT_ERRORS } from './context.ts'
import { DECISION_ERRORS } from './decision.ts'
import { EDIT_ERRORS } from './edit.ts'
import type { ErrorEntry } from './entry.ts'
import { GATE_ERRORS } from './gate.ts'
import { GUARD_ERRORS } from './guard.ts'
import { MCP_ERRORS } from './mcp.ts'
import { MEDIA_ERRORS } from './media.ts'
import { MODEL_ERRORS } from './model.ts'
import { OUTSIDE_ERRORS } from './outside.ts'
import { ROUTINE_ERRORS } from './routine.ts'
import { SCOUT_ERRORS } from './scout.ts'
import { SERVER_ERRORS } from './server.ts'
import { STORAGE_ERRORS } from './storage.ts'
import { TOOL_ERRORS } from './tool.ts'
import { UNDO_ERRORS } from './undo.ts'
import { WORKFLOW_ERRORS } from './workflow.ts'

export const CATALOGUE = {
  ...AGENT_ERRORS,
  ...BROWSER_ERRORS,
  ...CLASSIFIER_ERRORS,
  ...CLI_ERRORS,
  ...CLI_USAGE_ERRORS,
  ...CONFIG_ERRORS,
  ...CONTEXT_ERRORS,
  ...DECISION_ERRORS,
  ...EDIT_ERRORS,
  ...GATE_ERRORS,
  ...GUARD_ERRORS,
  ...MCP_ERRORS,
  ...MEDIA_ERRORS,
  ...MODEL_ERRORS,
  ...OUTSIDE_ERRORS,
  ...ROUTINE_ERRORS,
  ...SCOUT_ERRORS,
  ...SERVER_ERRORS,
  ...STORAGE_ERRORS,
  ...TOOL_ERRORS,
  ...UNDO_ERRORS,
  ...WORKFLOW_ERRORS,
}

/** The code of an error, with a variant where one code has several messages; docs/reference/errors.md lists them. */
export type ErrorKey = keyof typeof CATALOGUE
/** What the message of an error is made from. */
export type ErrorValues<Key extends ErrorKey> =
  (typeof CATALOGUE)[Key] extends ErrorEntry<infer Values> ? Values : never
