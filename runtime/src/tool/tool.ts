/** The hands. A tool says what it is and what a call would touch; only `execute.ts` makes it act. */
import type { JsonObject } from '../base/json.ts'
import type { Writ } from '../gate/writ.ts'
import type { Lang } from '../i18n/locale.ts'
import { familyOf } from '../intent/families.ts'
import type { Event, EventData } from '../protocol/event.ts'
import type { Facts, Trust } from '../protocol/facts.ts'
import type { ToolFamily } from '../protocol/intent.ts'
import type { Told } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { RiskLevel } from '../protocol/risk.ts'

/** What the world looks like to a tool: folders, limits and live configuration, never the policy's verdicts. */
export interface World {
  /** Absolute, symbolic links resolved. */
  workspace: string
  /** Absolute folders and files no tool may write: data folder, config, skills, identity. */
  protectedPaths: readonly string[]
  /** What no tool may read or write, as `agent.security.blockedPaths` says it. */
  blockedPaths: readonly string[]
  /** The data folder; of it only what is meant to be read may be. Absent: the journal is kept in memory. */
  data?: string
  /** `host:port` pairs of loopback or private services that were opened by name. */
  allowedHosts: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  sandbox: 'required' | 'auto' | 'off'
  /** Folders outside the workspace that a sandboxed command may read beside programs. */
  readablePaths?: readonly string[]
  /** Folders outside the workspace that tools may read, links resolved; those in `writePaths` they may also write. */
  readPaths?: readonly string[]
  writePaths?: readonly string[]
  /** Branches that the remotes of the workspace's repository had when the agent was opened. */
  remoteBranches?: ReadonlySet<string>
}

/** What a call would touch, as the tool knows it; policy-free. Merged into the gate's facts. */
export type CallFacts = Partial<
  Pick<
    Facts,
    | 'risk'
    | 'readOnly'
    | 'deed'
    | 'paths'
    | 'hosts'
    | 'command'
    | 'configKeys'
    | 'targets'
    | 'scouts'
    | 'preview'
    | 'approvalKeys'
  >
>

/** Whose call it is; a tool that keeps something open for a session finds it by this. */
export interface CallPlace {
  sessionId: string
  /** Whom the run works for; what a tool keeps or finds between sessions is theirs alone. */
  owner: Principal
}

/** What a tool itself may say in the journal; all else about a call is noted by those who judge and run it. */
export type NoteFact = <T extends 'context.prepared' | 'context.persisted' | 'skill.loaded'>(
  type: T,
  data: EventData[T],
) => void

export interface ToolContext {
  world: World
  signal: AbortSignal
  runId: string
  sessionId: string
  turnId: string
  callId: string
  /** Whom the run works for; what a tool keeps or finds between sessions is theirs alone. */
  owner: Principal
  /** The writ this call is made under, already used: proof for whatever starts more work. */
  writ: Writ
  /** What the calling run is held to; a run that this call starts is held to no less. */
  policy: Policy
  /** In a workflow: the arguments without what strangers have put into them. Absent: all of them are meant. */
  authored?: unknown
  /** True when a text that the calling run wants to keep may be the word of somebody whom nobody vouches for. */
  isHearsay(text: string): boolean
  /** Shows an event of a run this call has started to whoever watches; it was journaled there. */
  emit(event: Event): void
  /** Writes a fact about this call into the journal of the run that makes it. */
  note: NoteFact
}

/**
 * `ok: false` means the tool ran and reports failure; throwing means it could not run. `told`: the text taken apart,
 * where some of it only repeats what others wrote. `notDone`: the failure came before anything took effect, so that
 * the call may be repeated.
 */
export type ToolOutput =
  | { ok: true; text: string; told?: Told }
  | { ok: false; error: string; partial?: string; code?: string; notDone?: true }

/** A result as named values. `main` is the one that stands for all of them; absent: all of them together. */
export interface Outputs {
  values: JsonObject
  main?: string
}

/** What is wrong with an argument, and which one: `allowed_tools[1]`. */
export interface ArgProblem {
  key: string
  message: string
}

/** What cannot be judged before the call is made. */
export interface Unknowns {
  /**
   * Values that are given, but are not known yet or do not fit the schema: `prompt`, which is then left out of the
   * arguments, or `messages_json.0.content`, where some text stands instead.
   */
  open: readonly string[]
  lang: Lang
}

/** What a tool is, without what it does. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of the arguments. */
  readonly schema: JsonObject
  readonly family: ToolFamily
  /** The least risk of any call; `preValidate` may raise or, for plain reads, state it per call. */
  readonly risk: RiskLevel
  readonly trust: Trust
  readonly readOnly: boolean
  /** True: running a half-done call again does no harm. */
  readonly idempotent: boolean
  /** True: a call that was cut off, made again by the same run, goes on where it stood. */
  readonly resumes?: true
  readonly callMs?: number
}

export interface Tool<Args = unknown> extends ToolDescription {
  /** Of a result that is in part our own making: what of it is to be inspected. Absent: all of it. */
  outside?(text: string): string
  /**
   * Of a result whose text is made for models: what a workflow's next node reads of it. Made from the text, so that
   * whatever was masked or withheld there is here too. Undefined, or absent: see `workflow/attempt.ts`.
   */
  outputs?(text: string): Outputs | undefined
  /** What no schema can say of arguments, asked before anything of a workflow runs. Problems at open places are dropped. */
  check?(args: Partial<Args>, unknowns: Unknowns): ArgProblem[]
  preValidate?(args: Args, world: World, at: CallPlace): CallFacts | Promise<CallFacts>
  execute(args: Args, context: ToolContext): Promise<ToolOutput>
}

export interface ToolDefinition<Args> {
  name: string
  description: string
  schema: JsonObject
  family?: ToolFamily
  risk?: RiskLevel
  trust?: Trust
  readOnly?: boolean
  idempotent?: boolean
  resumes?: true
  callMs?: number
  outside?(text: string): string
  outputs?(text: string): Outputs | undefined
  check?(args: Partial<Args>, unknowns: Unknowns): ArgProblem[]
  preValidate?(args: Args, world: World, at: CallPlace): CallFacts | Promise<CallFacts>
  execute(args: Args, context: ToolContext): Promise<ToolOutput | string> | ToolOutput | string
}

/** Fills what a definition leaves open, always with the stricter reading. */
export function defineTool<Args = Record<string, unknown>>(definition: ToolDefinition<Args>): Tool<Args> {
  const readOnly = definition.readOnly ?? false
  return {
    name: definition.name,
    description: definition.description,
    schema: definition.schema,
    family: familyOf(definition.name, definition.family),
    risk: definition.risk ?? (readOnly ? 'Low' : 'Medium'),
    trust: definition.trust ?? 'external',
    readOnly,
    idempotent: definition.idempotent ?? readOnly,
    ...(definition.callMs === undefined ? {} : { callMs: definition.callMs }),
    ...(definition.resumes && { resumes: true }),
    ...(definition.outside === undefined ? {} : { outside: definition.outside }),
    ...(definition.outputs === undefined ? {} : { outputs: definition.outputs }),
    ...(definition.check === undefined ? {} : { check: definition.check }),
    ...(definition.preValidate === undefined ? {} : { preValidate: definition.preValidate.bind(definition) }),
    async execute(args, context) {
      const output = await definition.execute(args, context)
      return typeof output === 'string' ? { ok: true, text: output } : output
    },
  }
}
