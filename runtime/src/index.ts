/**
 * The public interface; everything else may change. Loads little: the runtime is loaded with the first agent.
 * `docs/reference/api.md` is generated from here: a heading for each `##`.
 */

import type { Guard } from './assembly/guard.ts'
import type { GuardOptions } from './assembly/guard-agents.ts'
import type { Agent, AgentOptions } from './assembly/library.ts'
import type { DataSummary } from './storage/data-summary.ts'
import type { Workflow } from './workflow/document.ts'

/**
 * Opens an agent in a folder: its configuration, model, tools and journal. What it may do is decided by the policy of that
 * configuration; without `confirm`, calls that need approval are denied.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const { reply, stopReason } = await agent.run('read notes.txt')
 * console.log(stopReason) // final
 * console.log(reply.includes('buy milk')) // true
 * ```
 */
export async function createAgent(options?: AgentOptions): Promise<Agent> {
  return (await import('./assembly/library-agent.ts')).createLibraryAgent(options)
}

/**
 * Opens the gate for outside agents. Each of their sessions is a session here: their calls are judged, their results
 * inspected, and both are journaled.
 *
 * @example
 * ```ts
 * import { openGuard } from 'writ'
 *
 * const guard = await openGuard({ data: 'guard-data' })
 * const session = guard.session({ id: 'one', agent: 'claude', cwd: '.' })
 * await session.say('read notes.txt')
 * const verdict = await session.propose({ tool: 'Read', args: { file_path: `${process.cwd()}/notes.txt` } })
 * console.log(verdict.decision) // allow
 * await session.observe(verdict.callId, { ok: true, text: 'buy milk' })
 * await session.end('Milk.')
 * await guard.close()
 * ```
 */
export async function openGuard(options?: GuardOptions): Promise<Guard> {
  return (await import('./assembly/guard.ts')).openGuard(options)
}

/**
 * Binds a data folder that was made elsewhere to this user and machine, as `writ data adopt` does.
 *
 * @example
 * ```ts
 * import { adoptData, createAgent } from 'writ'
 *
 * const agent = await createAgent({ model: 'rules', data: 'copied-data' })
 * await agent.run('read notes.txt')
 * await agent.close()
 * const { runs, questions } = await adoptData('copied-data')
 * console.log(runs, questions.length) // 1 0
 * ```
 */
export async function adoptData(
  data: string,
  options?: { env?: Record<string, string | undefined> },
): Promise<DataSummary> {
  return (await import('./assembly/adopt-data.ts')).adoptData(data, options)
}

/**
 * Reads a workflow from its YAML or JSON. `origin` names it in error messages.
 *
 * @example
 * ```ts
 * import { createAgent, parseWorkflow } from 'writ'
 *
 * const text = `
 * name: shout
 * inputs: { file: { default: notes.txt } }
 * nodes:
 *   - { id: read, tool: file_read, args: { path: '{{external.file}}' } }
 * `
 * const workflow = await parseWorkflow(text, { origin: 'shout.yaml' })
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const { ok, nodes } = await agent.workflows.run(workflow)
 * console.log(ok, nodes.read?.state) // true done
 * ```
 */
export async function parseWorkflow(text: string, at: { origin: string }): Promise<Workflow> {
  return (await import('./workflow/read.ts')).parseWorkflow(text, at)
}

// ## Agents

export type { AttachedFile } from './agent/attachments.ts'
export type { Explanation } from './agent/explain.ts'
export type { Conversation } from './assembly/conversation.ts'
export type { UntrustedFiles } from './assembly/identity-and-skills.ts'
export type { Agent, AgentOptions, ConfigInForce } from './assembly/library.ts'
export type { RunStream } from './assembly/run-stream.ts'
export type { Execution, RunOptions, RunResult } from './assembly/turns.ts'
export type { Json, JsonObject } from './base/json.ts'
export type { Bilingual, Lang } from './base/lang.ts'
export type { SkillMeta } from './context/skills.ts'
export type { RefusedCall } from './journal/refused.ts'
export type { StreamEvent, ToolStatus } from './journal/stream.ts'
export type { Totals } from './journal/totals.ts'
export type { TaskIntent, TaskIntentLabel, ToolFamily } from './protocol/intent.ts'
export type { Principal } from './protocol/principal.ts'
export type { Limits, Mode, Profile } from './protocol/profile.ts'
export type { Stop, StopReason } from './protocol/stop.ts'
export type { DataSummary } from './storage/data-summary.ts'

// ## Approvals

export type { Confirm, DenialText, WithheldText } from './agent/context.ts'
export type { ElicitedAnswer, ElicitedForm, FormField } from './protocol/elicited.ts'
export type { ReviewCase, ReviewedValue, ValueOrigin } from './protocol/review.ts'
export type {
  Answer,
  ContentCode,
  Denial,
  DenialReason,
  Effect,
  Judgement,
  Objection,
  Offer,
  Question,
  Remembered,
  Reply,
  Review,
  ReviewFailure,
  RuleScope,
  ShadowVerdict,
  Stage,
} from './protocol/verdict.ts'

// ## Tools

export type { Writ } from './gate/writ.ts'
export type { CommandClass, CommandUse } from './protocol/command.ts'
export type {
  AddressClass,
  CommandFact,
  ContextFacts,
  Deed,
  Facts,
  HostFact,
  PathFact,
  ScoutFact,
  TargetFact,
  Trust,
} from './protocol/facts.ts'
export type { Attachment, Media, MediaKind, MediaType } from './protocol/media.ts'
export type { Observation, Outcome } from './protocol/observation.ts'
export type { ActionProposal, Proposal, ProposalBase, ToolProposal } from './protocol/proposal.ts'
export type { MediaAccess } from './tool/media/read-media.ts'
export type {
  ArgsOf,
  Flat,
  FromJsonSchema,
  JsonTypes,
  ObjectOf,
  OfType,
  RequiredIn,
  ToolSchema,
} from './tool/schema-args.ts'
export type { SchemaIssue, SchemaResult, StandardSchema } from './tool/standard-schema.ts'
export {
  type ArgProblem,
  type CallFacts,
  type CallPlace,
  defineTool,
  type EarlierResult,
  type NoteFact,
  type Outputs,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolDescription,
  type ToolOutput,
  type Unknowns,
  type World,
} from './tool/tool.ts'

// ## Models

export type { MediaBytes } from './model/media-input.ts'
export {
  type Completion,
  type Model,
  ModelError,
  type ModelRequest,
  type RawCall,
  type ToolSpec,
} from './model/model.ts'
export { type ScriptEntry, scriptedModel } from './model/scripted.ts'
export type { FullResult, Message, ModelPurpose, ModelReply, Said, Told, ToolCall, Usage } from './protocol/message.ts'
export type { Why } from './protocol/why.ts'

// ## Outside agents

export type { Guard, GuardedSession, SessionOptions } from './assembly/guard.ts'
export type { GuardOptions } from './assembly/guard-agents.ts'
export type { Clock } from './base/clock.ts'
export type { IdSource } from './base/id.ts'
export type { AppendListener } from './journal/store.ts'
export type { ToolDeclaration } from './outside/known-tool.ts'
export type { OutsideResult } from './outside/outside-call.ts'
export type { GuardVerdict, Observed, OutsideProposal } from './outside/verdict.ts'
export type { DeclaredTool } from './tool/infer.ts'

// ## Workflows

export type { AgentWorkflows, ResumeOptions, WorkflowEnd, WorkflowOptions } from './assembly/workflows.ts'
export type { Workflow } from './workflow/document.ts'
export { type Problem, WorkflowInvalid } from './workflow/invalid.ts'
export type { NodeState } from './workflow/plan.ts'
export type { WorkflowResult } from './workflow/run.ts'
export type { DocumentPath } from './workflow/variables.ts'

// ## Memory

export type { Memory, MemoryEntry, MemoryFilter, MemorySource } from './ports/memory.ts'

// ## Decisions

export type {
  AgentDecisions,
  DecisionReport,
  DecisionRequest,
  ExecutedAction,
  ObservedContext,
  RouteCapability,
} from './assembly/decisions.ts'
export type { ActionOutcome, Decision, DeniedAction, Suggestion } from './decision/engine.ts'
export type {
  ActionType,
  ActionUrgency,
  AuthorizedAction,
  ContextField,
  DecisionBackendResult,
  ExtensionCategory,
  Intent,
  IntentBatch,
  IntentType,
  StructuredContext,
  SuggestedAction,
} from './protocol/action.ts'
export type { DecisionRoute, RiskLevel } from './protocol/risk.ts'

// ## Scouts

export type { ScoutView } from './journal/scout-states.ts'
export type { BudgetProfile, ScoutAdvice, ScoutState, ScoutStatus } from './protocol/scout.ts'
export type {
  Constraints,
  Evidence,
  ExploreResult,
  ScoutTaskInput,
  ScoutTaskResult,
  ToolRun,
} from './scout/contracts.ts'
export type { LiveScout, Scouts } from './scout/orchestrator.ts'

// ## Configuration

export type {
  DecisionRuleActionSettings,
  DecisionRuleSettings,
  DecisionRuleWhenSettings,
  McpServerDeclareSettings,
  McpServerSettings,
  PriceSettings,
  RuleArgument,
  RuleConditions,
  RuleExampleCall,
  RuleExamples,
  RuleSettings,
} from './config/config-entries.ts'
export type {
  AgentSettings,
  AuditSettings,
  BudgetDaySettings,
  BudgetPrincipalSettings,
  BudgetRunSettings,
  BudgetSettings,
  ConfigFile,
  ContextSettings,
  DecisionSettings,
  DocsSettings,
  ExecutionSettings,
  FeishuSettings,
  IntentGuardIntentsSettings,
  IntentGuardSettings,
  IntentSettings,
  LimitsSettings,
  McpSettings,
  MemorySettings,
  RetentionSettings,
  RoutingSettings,
  ScoutClipSettings,
  ScoutProfileSettings,
  ScoutProfilesSettings,
  ScoutSettings,
  SecuritySettings,
  ServerSettings,
  ToolsSettings,
  UndoSettings,
  WorkflowSettings,
} from './config/config-file.ts'
export type { AgentConfig } from './config/schema.ts'
export type { BudgetScope } from './protocol/budget.ts'
export type {
  Autonomy,
  DecisionPolicy,
  IntentGuardPolicy,
  IntentPolicy,
  Policy,
  PolicyNarrowing,
  ScoutGate,
  SecurityPolicy,
} from './protocol/policy.ts'
export type {
  DecidingRule,
  LayeredRule,
  PlainValue,
  Rule,
  RuleComparison,
  RuleCondition,
  RuleDecision,
  RuleExample,
  RuleLayer,
  RulePatterns,
} from './protocol/rule.ts'

// ## The journal

export type {
  Change,
  EarlierTurns,
  Event,
  EventData,
  EventOf,
  EventPlace,
  EventType,
  GivenContext,
  ScoutEventData,
  SkillRoute,
  StoredEvent,
} from './protocol/event.ts'
export type { ContextCut, Trace, TraceEntry } from './protocol/trace.ts'

// ## Errors

export { CodedError } from './base/errors.ts'
export type { OverBudget } from './errors/agent.ts'
export type { RefusedRequest } from './errors/browser.ts'
export type { ErrorKey, ErrorValues } from './errors/catalogue.ts'
export type { EditedPath, FailedHunk, PatchLine } from './errors/edit.ts'
export type { BothLines, ErrorEntry, ErrorText, HttpStatus, ReportedAt } from './errors/entry.ts'
export type { PathAt } from './errors/guard.ts'
export type { AllowedValues, ArgumentPlace } from './errors/tool.ts'
export { type ErrorArgs, WritError } from './errors/writ-error.ts'
