/** The client of a Writ server: `import { createClient } from 'writ/client'`. For browsers, workers and Node. */

// ## Calls

export {
  ApiError,
  type CallInput,
  type Client,
  type ClientOptions,
  createClient,
  type Frame,
  type OptionalPart,
  type Part,
  type StreamKey,
} from './server/client.ts'

// ## Endpoints

export type {
  BodyOf,
  Contract,
  Info,
  ParamNames,
  ParamsOf,
  QueryOf,
  Returned,
  RouteKey,
  StatsView,
} from './server/contract/contract.ts'
export type { PolicyExplanation } from './server/contract/governance.ts'
export type { Problem } from './server/contract/route.ts'

// ## What the server sends

export type { DecisionReport, ExecutedAction, RouteCapability } from './assembly/decisions.ts'
export type { ActionOutcome, Decision, DeniedAction, Suggestion } from './decision/engine.ts'
export type { Timing } from './journal/durations.ts'
export type { Cost } from './journal/prices.ts'
export type { Inspected, ScoutStatus } from './journal/stat-counts.ts'
export type { ModelStats, Stats, ToolStats } from './journal/stats.ts'
export type { GateDecision, Tally } from './journal/tally.ts'
export type {
  ActionType,
  ActionUrgency,
  AuthorizedAction,
  ContextField,
  ExtensionCategory,
  Intent,
  IntentBatch,
  IntentType,
  StructuredContext,
  SuggestedAction,
} from './protocol/action.ts'
export type { BudgetScope } from './protocol/budget.ts'
export type { CommandClass, CommandUse } from './protocol/command.ts'
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
export type { TaskIntent, TaskIntentLabel, ToolFamily } from './protocol/intent.ts'
export type { Attachment, Media, MediaType } from './protocol/media.ts'
export type { FullResult, Message, ModelPurpose, ModelReply, Said, Told, ToolCall, Usage } from './protocol/message.ts'
export type { Observation, Outcome } from './protocol/observation.ts'
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
export type { Limits, Mode, Profile } from './protocol/profile.ts'
export type { ReviewCase, ReviewedValue, ValueOrigin } from './protocol/review.ts'
export type { DecisionRoute, RiskLevel } from './protocol/risk.ts'
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
export type { BudgetProfile, ScoutAdvice } from './protocol/scout.ts'
export type { Stop, StopReason } from './protocol/stop.ts'
export type { ContextCut, Trace, TraceEntry } from './protocol/trace.ts'
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
  Review,
  ReviewFailure,
  RuleScope,
  ShadowVerdict,
  Stage,
} from './protocol/verdict.ts'
export type { Why } from './protocol/why.ts'
