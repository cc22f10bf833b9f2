/** Rules that people write about calls. They match facts, so a recorded call can be judged again under other rules. */
import type { CommandClass } from './command.ts'
import type { Deed } from './facts.ts'
import type { ToolFamily } from './intent.ts'

export const RULE_DECISIONS = ['allow', 'ask', 'deny'] as const
/** What a rule decides. */
export type RuleDecision = (typeof RULE_DECISIONS)[number]

/** Highest first. A project's rules can only tighten: its `allow` is ignored. */
export const RULE_LAYERS = ['project', 'session', 'user', 'organisation', 'built-in'] as const
/** Where a rule comes from, the strongest layer first. */
export type RuleLayer = (typeof RULE_LAYERS)[number]

/** One pattern or several. */
export type RulePatterns = string | readonly string[]
/** A value that an argument is compared with. */
export type PlainValue = string | number | boolean | null
/** A text is a glob; a number, boolean or null must be equal. */
export type RuleComparison = PlainValue | { above?: number; below?: number; not?: PlainValue }

/** All conditions must hold. A list matches when one of its entries does. */
export interface RuleCondition {
  family?: ToolFamily | readonly ToolFamily[]
  deed?: Deed | readonly Deed[]
  class?: CommandClass | readonly CommandClass[]
  /** Words of a command: `npm test` is exactly that, a last `*` is any further words: `git log *`. */
  command?: RulePatterns
  /** The command has one of these options: `--force`, `-f`. */
  flags?: RulePatterns
  /** Globs for real paths; relative ones start at the workspace. `**` is any number of folders. */
  path?: RulePatterns
  access?: 'read' | 'write'
  /** `api.example.com`, `*.example.com`, `localhost:8080`. */
  host?: RulePatterns
  method?: RulePatterns
  /** Arguments by JSON pointer: `{"/amount": {"above": 100}}`. */
  args?: Readonly<Record<string, RuleComparison>>
}

/** A shell line, or a call of a tool. */
export type RuleExample = string | { tool: string; args: unknown }

/** A rule that people write; see docs/guides/rules.md. */
export interface Rule {
  /** Names or globs; absent: every tool. */
  tool?: RulePatterns
  when?: RuleCondition
  decide: RuleDecision
  reason?: string
  /** Checked when the configuration loads. */
  examples?: { match?: readonly RuleExample[]; noMatch?: readonly RuleExample[] }
}

/** A rule and the layer it comes from. */
export interface LayeredRule extends Rule {
  layer: RuleLayer
  /** Where it is written: `file:line:column`, `built-in`, `remembered`. */
  from: string
}

/** The rule that decided, as journaled with the verdict. */
export type DecidingRule = Pick<LayeredRule, 'layer' | 'from' | 'decide' | 'reason'>
