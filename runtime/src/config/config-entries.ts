/** Entries of the lists and records in `agent.config.json`. Generated from the schema by `npm run reference`; do not edit. */

/** Settings of `agent.prices`. */
export interface PriceSettings {
  /** US dollars per million input tokens. */
  input: number
  /** US dollars per million output tokens. */
  output: number
  /** Of input tokens read from the cache. Unset: the input price. */
  cachedInput?: number
  /** Of input tokens written to the cache. Unset: the input price. */
  cacheWrite?: number
  /** Date of the price. */
  asOf?: string
  /** Source of the price. */
  source?: string
}

/** Settings of `agent.mcp.servers`. */
export interface McpServerSettings {
  /** Program that speaks MCP over standard input and output. */
  command?: string
  /** Its arguments. Folders named here are accessible to it. */
  args?: readonly string[]
  /** Names of environment variables passed to it, in addition to PATH, HOME and similar ones. */
  env?: readonly string[]
  /** Working folder, relative to the workspace. */
  cwd?: string
  /** Address of a server with streamable HTTP. */
  url?: string
  /** Headers by name; a value names a variable: "$TOKEN" or "Bearer $TOKEN". */
  headers?: Readonly<Record<string, string>>
  /** False: ignored. Default: `true`. */
  enabled?: boolean
  /** internal: results of its tools are not inspected. Default: `"external"`. */
  trust?: 'external' | 'internal'
  /** Tools that are offered. Unset: all. */
  tools?: readonly string[]
  /** Properties of its tools, by name; the rest is inferred. Default: `{}`. */
  declare?: Readonly<Record<string, McpServerDeclareSettings>>
  /** Time limit of a call, and of connecting (at most 20 s). Default: `60000`. */
  timeoutMs?: number
}

/** Settings of `agent.mcp.servers.declare`. */
export interface McpServerDeclareSettings {
  /** Unset: inferred from the name. */
  family?: 'browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown'
  /** Unset: inferred; never High. */
  risk?: 'Low' | 'Medium' | 'High'
  /** True: it changes nothing outside the run. Unset: inferred. */
  readOnly?: boolean
  /** Arguments with the target of a call. Unset: inferred. */
  targetParams?: readonly string[]
}

/** Settings of `agent.decision.rules`. */
export interface DecisionRuleSettings {
  /** Short and unique; used as id and tag of the intent. */
  name: string
  /** All given conditions must be met. */
  when?: DecisionRuleWhenSettings
  /** The predicted intent, about the program, notification, file kind or scene observed last. Default: `"SwitchToApp"`. */
  intent?: 'OpenApp' | 'SwitchToApp' | 'CheckNotification' | 'HandleFile' | 'EnterContext' | 'Idle'
  /** From 0 to 1. */
  confidence: number
  /** Suggested actions. */
  actions: readonly DecisionRuleActionSettings[]
}

/** Settings of `agent.decision.rules.actions`. */
export interface DecisionRuleActionSettings {
  /** The only actions rules may propose. */
  type: 'KeepAlive' | 'ReleaseMemory' | 'NoOp'
  /** The program observed last or first, or none. */
  on: 'latest' | 'oldest' | 'nothing'
  /** When it is executed. Default: `"Immediate"`. */
  urgency?: 'Immediate' | 'IdleTime' | 'Deferred'
}

/** Settings of `agent.decision.rules.when`. */
export interface DecisionRuleWhenSettings {
  /** One of these programs was observed. */
  packages?: readonly string[]
  /** One of these scenes was entered. */
  scenes?: readonly string[]
  /** At least this many programs were observed. */
  packagesAtLeast?: number
  /** Whether there was a notification. */
  notification?: boolean
}

/** Settings of `agent.security.rules`. */
export interface RuleSettings {
  /** Tools by name; * is any text. Unset: every tool. */
  tool?: string | readonly string[]
  /** Conditions; all of them must hold. A list holds when one of its entries does. */
  when?: RuleConditions
  /** What to do with a call that the rule matches. */
  decide: 'allow' | 'ask' | 'deny'
  /** Shown with the decision. */
  reason?: string
  /** Shell lines, or {tool, args}. Checked when the configuration is used. */
  examples?: RuleExamples
}

/** Settings of `agent.security.rules.examples`. */
export interface RuleExamples {
  /** Calls that the rule must match. */
  match?: readonly (string | RuleExampleCall)[]
  /** Calls that it must not match. */
  noMatch?: readonly (string | RuleExampleCall)[]
}

/** Settings of `agent.security.rules.examples.match`. */
export interface RuleExampleCall {
  tool: string
  args: Readonly<Record<string, unknown>>
}

/** Settings of `agent.security.rules.when`. */
export interface RuleConditions {
  /** Families of tools. */
  family?: 'browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown' | readonly ('browser' | 'network' | 'filesystem' | 'memory' | 'vcs' | 'task' | 'shell' | 'unknown')[]
  /** What the call does. */
  deed?: 'exec' | 'payment' | 'delete' | 'share' | 'account' | 'order' | 'send' | 'write' | 'browse' | 'read' | readonly ('exec' | 'payment' | 'delete' | 'share' | 'account' | 'order' | 'send' | 'write' | 'browse' | 'read')[]
  /** Classes of commands. */
  class?: 'read' | 'build' | 'fetch' | 'change' | 'unknown' | 'publish' | 'lose-work' | 'delete-outside' | 'remote' | 'send' | 'credentials' | 'pay' | 'run-programs' | 'system' | readonly ('read' | 'build' | 'fetch' | 'change' | 'unknown' | 'publish' | 'lose-work' | 'delete-outside' | 'remote' | 'send' | 'credentials' | 'pay' | 'run-programs' | 'system')[]
  /** Words of a command: "npm test" is exactly that; a last * stands for any further words: "git log *". */
  command?: string | readonly string[]
  /** The command has one of these options: "--force", "-f". */
  flags?: string | readonly string[]
  /** Real paths; relative ones start at the workspace. * stays within one name, ** is any number of folders. */
  path?: string | readonly string[]
  /** How the path is used. */
  access?: 'read' | 'write'
  /** "api.example.com", "*.example.com" or "localhost:8080". */
  host?: string | readonly string[]
  /** HTTP methods. */
  method?: string | readonly string[]
  /** Arguments by JSON pointer: {"/amount": {"above": 100}}. A text is a pattern. */
  args?: Readonly<Record<string, string | number | boolean | null | RuleArgument>>
}

/** Settings of `agent.security.rules.when.args`. */
export interface RuleArgument {
  /** Larger than this number. */
  above?: number
  /** Smaller than this number. */
  below?: number
  /** Not this value. */
  not?: string | number | boolean | null
}
