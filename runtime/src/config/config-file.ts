/** The contents of `agent.config.json`. Generated from the schema by `npm run reference`; do not edit. */
import type { DecisionRuleSettings, McpServerSettings, PriceSettings, RuleSettings } from './config-entries.ts'

/** The contents of an `agent.config.json`. */
export interface ConfigFile {
  /** For editors. */
  $schema?: string
  agent?: AgentSettings
}

/** Settings of `agent`. */
export interface AgentSettings {
  /** "provider/name", "rules" or "scripted". Unset: the first provider with a key (in the environment, or stored by `writ setup`), else Ollama on this machine, else "rules". */
  model?: string
  /** Address of the model server; needed for "compatible/…", whose key is COMPATIBLE_API_KEY. */
  baseURL?: string
  /** For answers; classification and routing always use 0.1. Default: `0.7`. */
  temperature?: number
  /** What the model can read besides text: "image", "pdf". Unset: known from its name. */
  modelInput?: readonly ('image' | 'pdf')[]
  /** Maximum tokens of a model reply. Default: `8192`. */
  maxOutputTokens?: number
  /** Language of the texts of Writ. Unset: that of the system. */
  lang?: 'en' | 'zh'
  /** Token budget of a session; 0 is no limit. Default: `0`. */
  sessionTokenBudget?: number
  /** sqlite: a file in the data folder. postgres: the server of WRIT_DATABASE_URL. Default: `"sqlite"`. */
  store?: 'sqlite' | 'postgres'
  security?: SecuritySettings
  execution?: ExecutionSettings
  routing?: RoutingSettings
  scout?: ScoutSettings
  decision?: DecisionSettings
  docs?: DocsSettings
  mcp?: McpSettings
  server?: ServerSettings
  context?: ContextSettings
  feishu?: FeishuSettings
  memory?: MemorySettings
  limits?: LimitsSettings
  workflow?: WorkflowSettings
  tools?: ToolsSettings
  /** Prices of models by "provider/name"; override the built-in table. Default: `{}`. */
  prices?: Readonly<Record<string, PriceSettings>>
  budget?: BudgetSettings
  audit?: AuditSettings
  undo?: UndoSettings
  retention?: RetentionSettings
}

/** Settings of `agent.retention`. */
export interface RetentionSettings {
  /** Ended runs older than this are deleted. Unset: none. */
  days?: number
}

/** Settings of `agent.undo`. */
export interface UndoSettings {
  /** Record the workspace before the first change of a turn, for `writ undo`. Needs git. Default: `true`. */
  enabled?: boolean
  /** A larger workspace, ignored files not counted, is not recorded. A file above a tenth of it is left out. Default: `200000000`. */
  maxBytes?: number
}

/** Settings of `agent.audit`. */
export interface AuditSettings {
  /** File to which the head of every ended run is appended, for `writ audit verify --heads`. Only from your own configuration. */
  headsFile?: string
  /** Program and arguments that receive each head as a JSON line on standard input. Only from your own configuration. */
  headsCommand?: readonly string[]
}

/** Settings of `agent.budget`. */
export interface BudgetSettings {
  run?: BudgetRunSettings
  principal?: BudgetPrincipalSettings
  day?: BudgetDaySettings
}

/** Settings of `agent.budget.day`. */
export interface BudgetDaySettings {
  /** US dollars for the runs of a principal on one UTC day: above this, a notice. */
  warn?: number
  /** US dollars for the runs of a principal on one UTC day: above this, a person is asked once in each run. */
  ask?: number
  /** US dollars for the runs of a principal on one UTC day: above this, no model is called. */
  stop?: number
}

/** Settings of `agent.budget.principal`. */
export interface BudgetPrincipalSettings {
  /** US dollars for all runs of a principal: above this, a notice. */
  warn?: number
  /** US dollars for all runs of a principal: above this, a person is asked once in each run. */
  ask?: number
  /** US dollars for all runs of a principal: above this, no model is called. */
  stop?: number
}

/** Settings of `agent.budget.run`. */
export interface BudgetRunSettings {
  /** US dollars for a run and its child runs: above this, a notice. */
  warn?: number
  /** US dollars for a run and its child runs: above this, a person is asked once in each run. */
  ask?: number
  /** US dollars for a run and its child runs: above this, no model is called. */
  stop?: number
}

/** Settings of `agent.tools`. */
export interface ToolsSettings {
  /** Tools that are not offered. Default: `[]`. */
  disabled?: readonly string[]
}

/** Settings of `agent.workflow`. */
export interface WorkflowSettings {
  /** Environment variables that workflows may read as {{env.NAME}}. Default: `[]`. */
  env?: readonly string[]
}

/** Settings of `agent.limits`. */
export interface LimitsSettings {
  /** Model replies of one run. Default: `10`. */
  maxSteps?: number
  /** Messages of earlier turns that are sent to the model, from the newest turn back. A turn that does not fit is sent as its question and its answer. The current turn is not limited by this, only by contextTokens, and the journal is never cut. Default: `50`. */
  historyMessages?: number
  /** Time limit of a run. Unset: none. */
  runMs?: number
  /** Time limit of a tool call. Unset: the tool's own. */
  callMs?: number
  /** Characters of a tool result shown to the model. Longer results are kept in a file; head and tail are shown. Default: `32000`. */
  observationMaxLen?: number
  /** Tokens that fit into the model's context window, including the answer. Unset: known from the model's name or learned from the provider's refusal. */
  contextTokens?: number
  /** Idle limit of a model stream: the longest time without any data. Default: `60000`. */
  modelIdleMs?: number
  /** Time limit of a model call, with or without streaming. The time in which a model only thinks counts too. Default: `600000`. */
  modelTotalMs?: number
  /** Maximum attempts of a model call. Default: `3`. */
  modelAttempts?: number
}

/** Settings of `agent.memory`. */
export interface MemorySettings {
  /** Long-term memory. Default: `true`. */
  enabled?: boolean
  /** Also store a summary of every finished turn, with its answer. Default: `false`. */
  turns?: boolean
}

/** Settings of `agent.feishu`. */
export interface FeishuSettings {
  /** "host", "host:port" or "*.domain" that feishu_bot may send to. Default: `["open.feishu.cn","open.larksuite.com"]`. */
  allowedHosts?: readonly string[]
}

/** Settings of `agent.context`. */
export interface ContextSettings {
  /** Where context_persist stores histories. redis: the server of WRIT_REDIS_URL. Default: `"store"`. */
  backend?: 'store' | 'redis'
  /** Messages of a session that are stored and used. Default: `50`. */
  window?: number
  /** How long a message is used. Default: `86400000`. */
  ttlMs?: number
}

/** Settings of `agent.server`. */
export interface ServerSettings {
  /** Port of `writ serve`. 0: any free port. Default: `4770`. */
  port?: number
  /** Address to listen on. Use a non-loopback address for access over a network. Default: `"127.0.0.1"`. */
  host?: string
  /** Additional host names of the server: "agent.example.org". Default: `[]`. */
  allowedHosts?: readonly string[]
}

/** Settings of `agent.mcp`. */
export interface McpSettings {
  /** MCP servers by name, each with the keys below. Default: `{}`. */
  servers?: Readonly<Record<string, McpServerSettings>>
}

/** Settings of `agent.docs`. */
export interface DocsSettings {
  /** Folders that search_docs covers, relative to the workspace. Default: `["."]`. */
  roots?: readonly string[]
}

/** Settings of `agent.decision`. */
export interface DecisionSettings {
  /** Highest risk of an automatic action; High is never automatic. Default: `"Low"`. */
  maxAutoRisk?: 'Low' | 'Medium' | 'High'
  /** Predictions below this are dropped. Default: `0.3`. */
  minConfidence?: number
  /** Action types that contain one of these are denied; case-sensitive. Default: `[]`. */
  blockedActions?: readonly string[]
  /** Approved actions per intent of a batch. Default: `5`. */
  maxActionsPerBatch?: number
  /** Fields of the observed window that are sent to a language model, with secrets masked. []: no model is used. Default: `["packages","paths","notifications","extension_categories","scenes"]`. */
  cloudFields?: readonly ('packages' | 'paths' | 'notifications' | 'extension_categories' | 'scenes')[]
  /** Time limit of all predictors together; after that nothing is done. Default: `20000`. */
  timeoutMs?: number
  /** Rules of the RuleBased route, each with name, when, intent, confidence and actions. []: none. Default: `[{"name":"keep_latest","when":{"packagesAtLeast":1},"intent":"SwitchToApp","confidence":0.6,"actions":[{"type":"KeepAlive","on":"latest","urgency":"Immediate"}]},{"name":"release_oldest","when":{"packagesAtLeast":8},"intent":"SwitchToApp","confidence":0.5,"actions":[{"type":"ReleaseMemory","on":"oldest","urgency":"Immediate"}]}]`. */
  rules?: readonly DecisionRuleSettings[]
}

/** Settings of `agent.scout`. */
export interface ScoutSettings {
  /** Offer the tool that starts scouts. Default: `true`. */
  enabled?: boolean
  /** Time limit of a scout. Default: `12000`. */
  defaultTimeoutMs?: number
  /** Model replies of one scout. Default: `4`. */
  maxSteps?: number
  /** Tool calls of one scout before it must report. Default: `3`. */
  maxToolCalls?: number
  /** Turns without scouts after a turn that started some. Default: `2`. */
  cooldownTurns?: number
  /** Tools of a scout; the list can only be shortened. Default: `["search_docs","read_doc","report_findings"]`. */
  allowedTools?: readonly ('search_docs' | 'read_doc' | 'report_findings')[]
  /** Maximum concurrent scouts of a session; at most 5. Default: `5`. */
  maxConcurrentScouts?: number
  /** Name of the tool that starts scouts. Default: `"explore"`. */
  dispatchToolName?: string
  /** A scout must read a document before it reports. Default: `true`. */
  requireReadBeforeReport?: boolean
  /** At the limit of tool calls, only a report is accepted. Default: `true`. */
  forceReportOnToolLimit?: boolean
  /** Tokens of one scout; 0 is no limit. Default: `8000`. */
  tokenBudget?: number
  /** What to do with tasks when all slots are in use. Default: `"queue"`. */
  overflow?: 'queue' | 'reject'
  /** Maximum queued tasks of a session. Default: `20`. */
  maxQueue?: number
  clip?: ScoutClipSettings
  profiles?: ScoutProfilesSettings
  /** Largest profile a request may use; normal means the values above. Default: `"normal"`. */
  maxProfile?: 'light' | 'normal' | 'deep'
}

/** Settings of `agent.scout.profiles`. */
export interface ScoutProfilesSettings {
  light?: ScoutProfileSettings
  deep?: ScoutProfileSettings
}

/** Settings of `agent.scout.profiles.light`. */
export interface ScoutProfileSettings {
  /** Model replies. */
  maxSteps?: number
  /** Tool calls before a report is forced. */
  maxToolCalls?: number
  /** Time limit. */
  timeoutMs?: number
  /** Tokens; 0 is no limit. */
  tokenBudget?: number
}

/** Settings of `agent.scout.clip`. */
export interface ScoutClipSettings {
  /** Characters of a summary. Default: `2000`. */
  summary?: number
  /** Pieces of evidence in a report. Default: `10`. */
  evidence?: number
  /** Characters of a quote. Default: `500`. */
  quote?: number
  /** Characters of a note. Default: `300`. */
  note?: number
}

/** Settings of `agent.routing`. */
export interface RoutingSettings {
  /** Choose skills for a task before working on it. Default: `true`. */
  enabled?: boolean
  /** Earlier messages shown to the router. Default: `6`. */
  historyMessages?: number
}

/** Settings of `agent.execution`. */
export interface ExecutionSettings {
  intentGuard?: IntentGuardSettings
}

/** Settings of `agent.execution.intentGuard`. */
export interface IntentGuardSettings {
  /** Enable the intent guard. Default: `true`. */
  enabled?: boolean
  /** "auto": phrase lists, and the model where they find a cue. Unset: auto with a provider, else heuristic. */
  detector?: 'heuristic' | 'auto' | 'model'
  /** Time limit of the model for classifying a task; after that the phrase lists decide. Default: `5000`. */
  detectorTimeoutMs?: number
  /** Default for every intent without its own setting. Default: `2`. */
  softBlockAfter?: number
  /** Blocked calls that are reported to the model before the next one ends the run. 0: the first one does. Default: `1`. */
  blockBudget?: number
  intents?: IntentGuardIntentsSettings
}

/** Settings of `agent.execution.intentGuard.intents`. */
export interface IntentGuardIntentsSettings {
  /** Policy for tasks detected as general. */
  general?: IntentSettings
  /** Policy for tasks detected as browser_access. */
  browser_access?: IntentSettings
  /** Policy for tasks detected as network_research. */
  network_research?: IntentSettings
  /** Policy for tasks detected as filesystem_ops. */
  filesystem_ops?: IntentSettings
  /** Policy for tasks detected as code_edit. */
  code_edit?: IntentSettings
  /** Policy for tasks detected as memory_ops. */
  memory_ops?: IntentSettings
}

/** Settings of `agent.execution.intentGuard.intents.general`. */
export interface IntentSettings {
  /** Enforce this policy. */
  enabled?: boolean
  /** Tool families allowed directly. Empty: none, never all. */
  allowedFamilies?: readonly ('browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown')[]
  /** Tool families allowed for a limited number of calls. */
  softAllowedFamilies?: readonly ('browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown')[]
  /** Maximum of such calls in a run. 0: none. Overrides the general setting. */
  softBlockAfter?: number
  /** Fail before the start when no tool of the required families is available. */
  noFallback?: boolean
  /** Fail at the end when no required family has succeeded. */
  failTaskIfUnmet?: boolean
  /** At least one of these must have succeeded. */
  requiredSuccessFamilies?: readonly ('browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown')[]
}

/** Settings of `agent.security`. */
export interface SecuritySettings {
  /** ReadOnly: reads only. Supervised: asks before anything above Low risk. Full: asks above Medium. Default: `"Supervised"`. */
  autonomy?: 'ReadOnly' | 'Supervised' | 'Full'
  /** Base names of listed shell commands; any other needs approval. Risky use of a listed one can still need it. "*" lists every command. Unset: every command that Writ can classify. */
  allowedCommands?: readonly string[]
  /** Paths no tool may access, including everything below them; a bare name is blocked everywhere. Your list is added to the built-in secret paths. Default: `[".env",".env.local",".env.production",".env.prod",".env.staging",".env.keys",".env.development.local",".env.test.local",".env.production.local",".env.staging.local",".ssh",".gnupg",".aws",".netrc",".git-credentials",".pgpass","id_rsa","id_dsa","id_ecdsa","id_ed25519","id_ecdsa_sk","id_ed25519_sk"]`. */
  blockedPaths?: readonly string[]
  /** Built-in secret paths that tools may access. Only from your own or a trusted file; Writ warns about them. Default: `[]`. */
  unblockedPaths?: readonly string[]
  /** "host", "host:port" or "*.domain" that can be read without approval and that every command can reach from its sandbox. Loopback and private hosts need a port. Default: `[]`. */
  allowedHosts?: readonly string[]
  /** Inspect results of external tools for prompt injection. Default: `true`. */
  injectionCheck?: boolean
  /** Folder of an ONNX text-classification model that inspects beside the rules. Only from your own configuration. See docs/guides/classifier.md. */
  injectionModel?: string
  /** review: the model can only make a text suspicious. either: the model or the rules withhold it. both: only the two together. Default: `"review"`. */
  injectionModelUse?: 'review' | 'either' | 'both'
  /** The labels of the model that mean injection. Unset: known from their names. */
  injectionLabels?: readonly string[]
  /** Time limit of the model for one text; after that the text counts as suspicious. Default: `20000`. */
  injectionModelTimeoutMs?: number
  /** What to do when only untrusted text has named the target of a call. Default: `"ask"`. */
  provenance?: 'off' | 'ask' | 'deny'
  /** Tools whose results are trusted like your own input. Default: `[]`. */
  trustedSources?: readonly string[]
  /** required: no command runs without the system sandbox. auto: commands run in it where it works; a notice is shown where it does not. Default: `"auto"`. */
  sandbox?: 'required' | 'auto' | 'off'
  /** Folders outside the workspace that tools and commands may read: "/srv/data", "~/notes". Only from your own configuration. Blocked paths stay blocked. Default: `[]`. */
  readPaths?: readonly string[]
  /** Folders outside the workspace that tools and commands may read and write. Only from your own configuration. Blocked paths stay blocked. Default: `[]`. */
  writePaths?: readonly string[]
  /** Absolute folders outside the workspace that sandboxed commands may also read, for example a toolchain. Default: `[]`. */
  readablePaths?: readonly string[]
  /** A model that is asked about calls of Medium risk before a person is. It can approve them, never override a denial. See docs/guides/reviewer.md. */
  reviewer?: string
  /** Time limit of the reviewer; after that a person is asked. Default: `10000`. */
  reviewerTimeoutMs?: number
  /** Rules that allow, ask about or deny calls. The rules of all files add up; those of a workspace can only ask and deny. See docs/guides/rules.md. Default: `[]`. */
  rules?: readonly RuleSettings[]
  /** A second configuration file whose policy also judges every call. Differences are recorded, nothing else changes. Only from your own configuration. */
  shadow?: string
}
