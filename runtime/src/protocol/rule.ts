/** Rules that people write about calls. They match facts, so a recorded call can be judged again under other rules. */
import type { CommandClass } from './command.ts'
import type { Deed } from './facts.ts'
import type { ToolFamily } from './intent.ts'

export const RULE_DECISIONS = ['allow', 'ask', 'deny'] as const
export type RuleDecision = (typeof RULE_DECISIONS)[number]

/** Highest first. A project's rules can only tighten: its `allow` is ignored. */
export const RULE_LAYERS = ['project', 'session', 'user', 'organisation', 'built-in'] as const
export type RuleLayer = (typeof RULE_LAYERS)[number]

export type Patterns = string | readonly string[]
export type Plain = string | number | boolean | null
/** A text is a glob; a number, boolean or null must be equal. */
export type Comparison = Plain | { above?: number; below?: number; not?: Plain }

/** All conditions must hold. A list matches when one of its entries does. */
export interface RuleCondition {
  family?: ToolFamily | readonly ToolFamily[]
  deed?: Deed | readonly Deed[]
  class?: CommandClass | readonly CommandClass[]
  /** Words of a command: `npm test` is exactly that, a last `*` is any further words: `git log *`. */
  command?: Patterns
  /** The command has one of these options: `--force`, `-f`. */
  flags?: Patterns
  /** Globs for real paths; relative ones start at the workspace. `**` is any number of folders. */
  path?: Patterns
  access?: 'read' | 'write'
  /** `api.example.com`, `*.example.com`, `localhost:8080`. */
  host?: Patterns
  method?: Patterns
  /** Arguments by JSON pointer: `{"/amount": {"above": 100}}`. */
  args?: Readonly<Record<string, Comparison>>
}

/** A shell line, or a call of a tool. */
export type RuleExample = string | { tool: string; args: unknown }

export interface Rule {
  /** Names or globs; absent: every tool. */
  tool?: Patterns
  when?: RuleCondition
  decide: RuleDecision
  reason?: string
  /** Checked when the configuration loads. */
  examples?: { match?: readonly RuleExample[]; noMatch?: readonly RuleExample[] }
}

export interface LayeredRule extends Rule {
  layer: RuleLayer
  /** Where it is written: `file:line:column`, `built-in`, `remembered`. */
  from: string
}

/** The rule that decided, as journaled with the verdict. */
export type DecidingRule = Pick<LayeredRule, 'layer' | 'from' | 'decide' | 'reason'>
