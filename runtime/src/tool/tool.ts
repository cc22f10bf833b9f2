/** The tool interface. A tool describes itself and what a call would touch; only `execute.ts` runs it. */
import type { JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Writ } from '../gate/writ.ts'
import type { Lang } from '../i18n/locale.ts'
import { familyOf } from '../intent/families.ts'
import type { ElicitedAnswer, ElicitedForm } from '../protocol/elicited.ts'
import type { Event, EventData } from '../protocol/event.ts'
import type { Facts, Trust } from '../protocol/facts.ts'
import type { ToolFamily } from '../protocol/intent.ts'
import type { Media } from '../protocol/media.ts'
import type { Told } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { RiskLevel } from '../protocol/risk.ts'
import type { MediaAccess } from './media/read-media.ts'
import type { ArgsOf, ToolSchema } from './schema-args.ts'
import { isStandardSchema, issueText, jsonSchemaOf, type StandardSchema } from './standard-schema.ts'

/** What a tool sees of its surroundings: folders, limits and configuration, never verdicts of the policy. */
export interface World {
  /** Absolute, with symbolic links resolved. */
  workspace: string
  /** Absolute folders and files that no tool may write: data folder, configuration, skills, identity. */
  protectedPaths: readonly string[]
  /** What no tool may read or write: `agent.security.blockedPaths`. */
  blockedPaths: readonly string[]
  /** The data folder. Tools may read only some of its folders. Absent: the journal is in memory. */
  data?: string
  /** The folder of the shadow repositories for undo. No tool may read or write it. Absent: nothing is recorded. */
  undo?: string
  /** The user's stored provider keys: no tool may read or write it. */
  keyFile?: string
  /** Loopback or private services that the user opened, as `host:port`. */
  allowedHosts: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  sandbox: 'required' | 'auto' | 'off'
  /** Folders outside the workspace that a sandboxed command may read, in addition to installed programs. */
  readablePaths?: readonly string[]
  /** Folders outside the workspace that tools may read, links resolved. Those in `writePaths` may also be written. */
  readPaths?: readonly string[]
  writePaths?: readonly string[]
  /** Branches that the remotes of the workspace's repository had when the agent was opened. */
  remoteBranches?: ReadonlySet<string>
}

/** What a call would touch, independent of policy. Merged into the gate's facts. */
export type CallFacts = Partial<
  Pick<
    Facts,
    | 'risk'
    | 'riskWhy'
    | 'readOnly'
    | 'deed'
    | 'paths'
    | 'hosts'
    | 'command'
    | 'configKeys'
    | 'targets'
    | 'scouts'
    | 'preview'
    | 'basis'
    | 'approvalKeys'
  >
>

/** Identifies the session and owner of a call; tools that keep state per session find it by this. */
export interface CallPlace {
  sessionId: string
  /** The principal of the run. What a tool keeps between sessions belongs to this principal alone. */
  owner: Principal
}

/** The only events a tool may write itself; the rest is written by the gate and the run. */
export type NoteFact = <T extends 'context.prepared' | 'context.persisted' | 'skill.loaded'>(
  type: T,
  data: EventData[T],
) => void

/** An earlier result of the session. */
export interface EarlierResult {
  tool: string
  text: string
  /** Its file was deleted or changed: only the shown part is left. */
  isGone: boolean
  /** Files the model was shown with it. */
  media?: Media[]
}

/** What a tool is told about its call. */
export interface ToolContext {
  world: World
  signal: AbortSignal
  runId: string
  sessionId: string
  turnId: string
  callId: string
  /** The principal of the run. What a tool keeps between sessions belongs to this principal alone. */
  owner: Principal
  /** The writ of this call, already used: proof for whatever starts further runs. */
  writ: Writ
  /** The policy of the calling run. A run that this call starts gets no looser one. */
  policy: Policy
  /** From the facts that were judged: what the call was computed from then. */
  basis?: string
  /** The call was judged as one that changes nothing: a command then runs without write access. */
  readOnly: boolean
  /** In a workflow: the arguments without the parts from untrusted sources. Absent: all arguments are the author's. */
  authored?: unknown
  /** True when a text that the run wants to store may come from an untrusted source. */
  isHearsay(text: string): boolean
  /** An earlier result of the session, as the model may read it: what was withheld or masked stays so. */
  resultOf(id: string): Promise<EarlierResult | undefined>
  media: MediaAccess
  /** Puts a question of an MCP server to the person who can approve this call. Absent: there is none. */
  elicit?(form: ElicitedForm): Promise<ElicitedAnswer>
  /** The time limit of the call stands still during this work: a person is asked. */
  untimed?<T>(work: () => Promise<T>): Promise<T>
  /** Shows listeners an event of a run that this call started. That run has already journaled it. */
  emit(event: Event): void
  /** The user's language, if known. */
  lang?: Lang | undefined
  /** Writes an event about this call to the journal of the calling run. */
  note: NoteFact
}

/**
 * `ok: false`: the tool ran and reports failure; a thrown error: it could not run. `told`: the text split into own and
 * retold parts. `media`: files that the model is shown. `notDone`: it failed before anything took effect, so the call may be repeated.
 */
export type ToolOutput =
  | { ok: true; text: string; told?: Told; media?: Media[] }
  | { ok: false; error: string; partial?: string; code?: string; notDone?: true }

/** A result as named values. `main` names the main output; absent: all values together. */
export interface Outputs {
  values: JsonObject
  main?: string
}

/** A problem with one argument, such as `allowed_tools[1]`. */
export interface ArgProblem {
  key: string
  message: string
}

/** Keys whose values are known only when the call is made. */
export interface Unknowns {
  /**
   * Values that are given, but are not known yet or do not fit the schema: `prompt`, which is then left out of the
   * arguments, or `messages_json.0.content`, where some text stands instead.
   */
  open: readonly string[]
  lang: Lang
}

/** What a tool is, without its implementation. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 of the arguments. */
  readonly schema: JsonObject
  readonly family: ToolFamily
  /** The lowest risk of any call; `preValidate` may raise it, or state it for plain reads. */
  readonly risk: RiskLevel
  readonly trust: Trust
  readonly readOnly: boolean
  /** True: repeating a half-done call does no harm. */
  readonly idempotent: boolean
  /** True: when the same run repeats an interrupted call, the call continues where it stopped. */
  readonly resumes?: true
  /** False: no call changes files of the workspace. */
  readonly touchesFiles?: false
  readonly callMs?: number
  /** The setting behind `callMs`; absent when it is fixed. */
  readonly callSetting?: string
}

/** A tool. Make one with `defineTool`. */
export interface Tool<Args = unknown> extends ToolDescription {
  /** For results that are partly written by Writ: the part to inspect. Absent: all of it. */
  outside?(text: string): string
  /** Parts of its latest result, of which `text` is what was shown, that are also inspected by themselves. */
  alone?(text: string): readonly string[]
  /**
   * For results whose text is written for models: what the next node of a workflow reads. Computed from the text, so
   * masked or withheld parts stay masked. Undefined or absent: see `workflow/attempt.ts`.
   */
  outputs?(text: string): Outputs | undefined
  /** What a schema of another library finds in arguments that fit its JSON Schema. */
  misfits?(args: unknown): Promise<string[]>
  /** Problems that a schema cannot express; checked before a workflow starts. Problems at open places are dropped. */
  check?(args: Partial<Args>, unknowns: Unknowns): ArgProblem[]
  preValidate?(args: Args, world: World, at: CallPlace): CallFacts | Promise<CallFacts>
  execute(args: Args, context: ToolContext): Promise<ToolOutput>
}

/** What `defineTool` takes. What is left out gets the strictest value. */
export interface ToolDefinition<Args, Schema = JsonObject> {
  name: string
  description: string
  schema: Schema
  family?: ToolFamily
  risk?: RiskLevel
  trust?: Trust
  readOnly?: boolean
  idempotent?: boolean
  resumes?: true
  touchesFiles?: false
  callMs?: number
  callSetting?: string
  outside?(text: string): string
  outputs?(text: string): Outputs | undefined
  check?(args: Partial<Args>, unknowns: Unknowns): ArgProblem[]
  preValidate?(args: Args, world: World, at: CallPlace): CallFacts | Promise<CallFacts>
  execute(args: Args, context: ToolContext): Promise<ToolOutput | string> | ToolOutput | string
}

/**
 * Makes a tool of your own. Its arguments are typed by its schema: zod, any other Standard Schema, or JSON Schema. What the
 * definition leaves out gets the strictest value: Medium risk, not read-only, results inspected.
 *
 * @example
 * ```ts
 * import { createAgent, defineTool, scriptedModel } from 'writ'
 * import * as z from 'zod'
 *
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   schema: z.object({ a: z.number(), b: z.number().default(1) }),
 *   readOnly: true,
 *   execute: ({ a, b }) => String(a + b),
 * })
 * const model = scriptedModel([
 *   { purpose: 'main', calls: [{ tool: 'add', args: { a: 2 } }] },
 *   { purpose: 'main', text: 'Three.' },
 * ])
 * await using agent = await createAgent({ model, tools: [add], data: ':memory:' })
 * const { reply, runId } = await agent.run('add one to two')
 * const events = await agent.events(runId)
 * const result = events.find((event) => event.type === 'tool.result')
 * console.log(reply) // Three.
 * console.log(result?.data.observation.text) // 3
 * ```
 */
export function defineTool<const Schema extends ToolSchema>(
  definition: ToolDefinition<ArgsOf<Schema>, Schema>,
): Tool<ArgsOf<Schema>>
export function defineTool<Args>(definition: ToolDefinition<Args>): Tool<Args>
export function defineTool<Args>(definition: ToolDefinition<Args, ToolSchema>): Tool<Args> {
  const { name, description, schema, readOnly = false } = definition
  const standard = isStandardSchema(schema) ? schema : undefined
  const { preValidate } = definition
  return {
    name,
    description,
    schema: standard === undefined ? (schema as JsonObject) : jsonSchemaOf(standard, { tool: name }),
    family: familyOf(name, definition.family),
    risk: definition.risk ?? (readOnly ? 'Low' : 'Medium'),
    trust: definition.trust ?? 'external',
    readOnly,
    idempotent: definition.idempotent ?? readOnly,
    ...present({
      callMs: definition.callMs,
      callSetting: definition.callSetting,
      resumes: definition.resumes,
      touchesFiles: definition.touchesFiles,
      outside: definition.outside,
      outputs: definition.outputs,
      check: definition.check,
      preValidate: preValidate?.bind(definition),
      ...(standard && withStandard(standard, definition)),
    }),
    async execute(args, context) {
      const given = standard === undefined ? args : await parsed(standard, args)
      const output = await definition.execute(given, context)
      return typeof output === 'string' ? { ok: true, text: output } : output
    },
  }
}

/** Beside its JSON Schema, the schema checks the arguments itself, and the tool gets what it makes of them. */
function withStandard<Args>(schema: StandardSchema, definition: ToolDefinition<Args, ToolSchema>) {
  const { preValidate } = definition
  return {
    misfits: async (args: unknown) => (await read(schema, args)).problems,
    preValidate:
      preValidate &&
      (async (args: Args, world: World, at: CallPlace) =>
        preValidate.call(definition, await parsed(schema, args), world, at)),
  }
}

/** The arguments as the schema gives them on: with its defaults and conversions. */
async function parsed<Args>(schema: StandardSchema, args: Args): Promise<Args> {
  const { value, problems } = await read(schema, args)
  if (problems.length > 0) throw new WritError('ARGS_INVALID', { problems })
  return value as Args
}

async function read(schema: StandardSchema, args: unknown): Promise<{ value?: unknown; problems: string[] }> {
  // A copy: a schema may change what it is given, and these arguments are what was judged.
  const result = await schema['~standard'].validate(structuredClone(args))
  return result.issues === undefined
    ? { value: result.value, problems: [] }
    : { problems: result.issues.map(issueText) }
}
