/** The public interface; everything else may change. Loads little: the runtime is loaded with the first agent. */
import type { Agent, AgentOptions } from './assembly/agent.ts'
import type { Guard, GuardOptions } from './assembly/guard.ts'
import type { DataSummary } from './storage/data-summary.ts'
import type { Workflow } from './workflow/document.ts'

export type { AttachedFile } from './agent/attachments.ts'
export type { Confirm, WithheldText } from './agent/context.ts'
export type { Agent, AgentOptions } from './assembly/agent.ts'
export type { Conversation } from './assembly/conversation.ts'
export type {
  AgentDecisions,
  DecisionReport,
  DecisionRequest,
  ExecutedAction,
  ObservedContext,
  RouteCapability,
} from './assembly/decisions.ts'
export type { Guard, GuardedSession, GuardOptions, SessionOptions } from './assembly/guard.ts'
export type { Execution, RunOptions, RunResult } from './assembly/turns.ts'
export type { AgentWorkflows, WorkflowOptions } from './assembly/workflows.ts'
export type { AgentConfig } from './config/schema.ts'
export { WritError } from './errors/writ-error.ts'
export type { RefusedCall } from './journal/refused.ts'
export type { StreamEvent, ToolStatus } from './journal/stream.ts'
export type { Completion, Model, ModelRequest } from './model/model.ts'
export { ModelError } from './model/model.ts'
export { type ScriptEntry, scriptedModel } from './model/scripted.ts'
export type { ToolDeclaration } from './outside/known-tool.ts'
export type { OutsideResult } from './outside/outside-call.ts'
export type { GuardVerdict, Observed, OutsideProposal } from './outside/verdict.ts'
export type {
  ActionType,
  ActionUrgency,
  AuthorizedAction,
  DecisionBackendResult,
  ExtensionCategory,
  Intent,
  IntentBatch,
  IntentType,
  StructuredContext,
  SuggestedAction,
} from './protocol/action.ts'
export type { Event, EventType, StoredEvent } from './protocol/event.ts'
export type { TaskIntent, TaskIntentLabel, ToolFamily } from './protocol/intent.ts'
export type { Media } from './protocol/media.ts'
export type { Message } from './protocol/message.ts'
export type { Autonomy, IntentGuardPolicy, IntentPolicy, Policy } from './protocol/policy.ts'
export type { DecisionRoute, RiskLevel } from './protocol/risk.ts'
export type { ScoutState, ScoutStatus } from './protocol/scout.ts'
export type { StopReason } from './protocol/stop.ts'
export type { Trace, TraceEntry } from './protocol/trace.ts'
export type { Answer, Denial, DenialReason, Offer, Question, Reply, RuleScope } from './protocol/verdict.ts'
export type { ExploreResult, ScoutTaskInput, ScoutTaskResult } from './scout/contracts.ts'
export type { LiveScout, Scouts } from './scout/orchestrator.ts'
export type { DataSummary } from './storage/data-summary.ts'
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolDescription,
  type ToolOutput,
} from './tool/tool.ts'
export { WorkflowInvalid } from './workflow/invalid.ts'
export type { WorkflowResult } from './workflow/run.ts'

export async function createAgent(options?: AgentOptions): Promise<Agent> {
  return (await import('./assembly/agent.ts')).createAgent(options)
}

/**
 * Opens the gate for outside agents. Each of their sessions is a session here: their calls are judged, their results
 * inspected, and both are journaled.
 */
export async function openGuard(options?: GuardOptions): Promise<Guard> {
  return (await import('./assembly/guard.ts')).openGuard(options)
}

/** Binds a data folder that was made elsewhere to this user and machine, as `writ data adopt` does. */
export async function adoptData(
  data: string,
  options?: { env?: Record<string, string | undefined> },
): Promise<DataSummary> {
  return (await import('./assembly/adopt-data.ts')).adoptData(data, options)
}

/** Reads a workflow from its YAML or JSON. `origin` names it in error messages. */
export async function parseWorkflow(text: string, at: { origin: string }): Promise<Workflow> {
  return (await import('./workflow/read.ts')).parseWorkflow(text, at)
}
