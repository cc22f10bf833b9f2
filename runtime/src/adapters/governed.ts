/**
 * What the adapters share: a call is judged first, runs only with an allow, and its result is inspected. In the package
 * it is a file that they import, so they import no other code from here.
 */
import type { GuardedSession } from '../assembly/guard.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import type { ToolDeclaration } from '../outside/known-tool.ts'
import type { Question } from '../protocol/verdict.ts'
import { jsonSchemaIn } from './library-schema.ts'

/** What you know of a tool. What you leave out is inferred from its name, description and schema. */
export type Declared = Omit<ToolDeclaration, 'name' | 'description' | 'schema'>

export interface GovernOptions {
  /** By the names of the tools. */
  declare?: Readonly<Record<string, Declared>>
  /** Asks a person. Without it, a call that needs approval is not made. */
  confirm?: (question: Question) => boolean | Promise<boolean>
}

export interface LibraryTool {
  name: string
  description?: string
  schema?: unknown
}

/** Makes the tools known to the session. */
export async function declareAll(
  tools: readonly LibraryTool[],
  session: Pick<GuardedSession, 'declare'>,
  { declare = {} }: GovernOptions,
): Promise<void> {
  const unknown = Object.keys(declare).find((name) => !tools.some((tool) => tool.name === name))
  if (unknown !== undefined) throw new WritError('TOOL_NOT_GIVEN', { tool: unknown })
  const declarations = tools.map(async ({ name, description = '', schema: given }) => {
    const schema = await jsonSchemaIn(given)
    return { ...(Object.hasOwn(declare, name) ? declare[name] : {}), name, description, ...present({ schema }) }
  })
  session.declare(await Promise.all(declarations))
}

/** A tool without code in this process cannot be held back. */
export function notGovernable(tool: string): Error {
  return new WritError('TOOL_NOT_GOVERNABLE', { tool })
}

/** For libraries that show a model the message of an error. */
export function withheldError(text: string): Error {
  return new WritError('CALL_WITHHELD', { text })
}

/** What became of a call: the tool's own result, or the text that the model is to read in its place. */
export type Outcome<Result> = { result: Result } | { withheld: string }

export interface GovernedCall<Result> {
  tool: string
  args: unknown
  callId: string | undefined
  /** Runs the tool's own code with the arguments as they were judged. */
  act(args: unknown): Promise<Result>
  /** What the model reads of a result, where that is not its text as JSON. */
  textOf?(result: Result): string | Promise<string>
}

export async function governed<Result>(
  { tool, args, callId, act, textOf = resultText }: GovernedCall<Result>,
  session: GuardedSession,
  { confirm }: GovernOptions,
): Promise<Outcome<Result>> {
  const judged = judgedArgs(args ?? {})
  // Some tools take a single text.
  const named = typeof judged.value === 'string' ? { input: judged.value } : judged.value
  const verdict = await session.propose({ tool, args: named, ...(callId !== undefined && { callId }) })
  const { decision, message, hint, question, isParked } = verdict
  const refusal = { withheld: hint === undefined ? message : `${message}\n${hint}` }
  if (decision === 'deny' || isParked) return refusal
  if (decision === 'ask' && !(confirm && question && (await confirm(question)))) {
    await session.decline(verdict.callId)
    return refusal
  }
  let result: Result
  try {
    result = (await finished(await act(judged.isWhole ? judged.value : args))) as Result
  } catch (error) {
    const failure = error instanceof Error ? error.message : resultText(error)
    const { text } = await session.observe(verdict.callId, { ok: false, text: failure })
    if (text !== undefined) return { withheld: text }
    // LangGraph pauses a run this way; nothing of it is shown to a model.
    if (error instanceof Error && 'is_bubble_up' in error) throw error
    // Libraries show a model more of an error than its message, so only what was inspected goes on.
    throw new Error(failure, { cause: error })
  }
  const shown = await textOf(result)
  const { text } = await session.observe(verdict.callId, { ok: true, text: shown })
  return text === undefined ? { result } : { withheld: text }
}

/**
 * A copy that shows all that the arguments hold: a schema may have made sets, maps or objects of a class of them. What
 * hides its content cannot be judged: this throws, and the tool does not run. Whole: the tool works with the copy, and
 * later changes of the arguments have no effect.
 */
function judgedArgs(args: unknown): { value: unknown; isWhole: boolean } {
  let isWhole = true
  const changed = <T>(value: T): T => {
    isWhole = false
    return value
  }
  const copy = (value: unknown): unknown => {
    if (typeof value === 'bigint') throw new WritError('ARGS_HIDDEN')
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(copy)
    if (value instanceof Map)
      return changed(Object.fromEntries([...value].map(([key, each]) => [String(key), copy(each)])))
    if (value instanceof Set) return changed([...value].map(copy))
    if (ArrayBuffer.isView(value)) return changed(value)
    if ('toJSON' in value && typeof value.toJSON === 'function') return changed(copy(value.toJSON()))
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) throw new WritError('ARGS_HIDDEN')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]))
  }
  return { value: copy(args), isWhole }
}

/** A generator gives its result at its end; nothing of it is shown before it was inspected. */
async function finished(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const isStream = Symbol.asyncIterator in value || (Symbol.iterator in value && 'next' in value)
  if (!isStream) return value
  const parts = value as AsyncIterable<unknown> & Iterable<unknown>
  const iterator = parts[Symbol.asyncIterator]?.() ?? parts[Symbol.iterator]()
  let last: unknown
  for (;;) {
    const { done, value: part } = await iterator.next()
    if (done) return part ?? last
    last = part
  }
}

/** As JSON; texts with line breaks or quotation marks once more as they are, because escapes hide what they say. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  const json = JSON.stringify(result) ?? ''
  if (!json.includes('\\')) return json
  const texts: string[] = []
  JSON.parse(json, (key, value) => {
    texts.push(key, ...(typeof value === 'string' ? [value] : []))
    return value
  })
  return `${json}\n${texts.filter((text) => /[\n"\\]/.test(text)).join('\n')}`
}
