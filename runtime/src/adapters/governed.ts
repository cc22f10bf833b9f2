/**
 * What the adapters share: a call is judged first, runs only with an allow, and its result is inspected. In the package
 * it is a file that they import, so they import no other code from here.
 */
import type { GuardedSession } from '../assembly/guard.ts'
import { messageOf } from '../base/errors.ts'
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
  act(): Promise<Result>
  /** What the model reads of a result. */
  textOf(result: Result): string
}

export async function governed<Result>(
  { tool, args, callId, act, textOf }: GovernedCall<Result>,
  session: GuardedSession,
  { confirm }: GovernOptions,
): Promise<Outcome<Result>> {
  const verdict = await session.propose({ tool, args, ...(callId !== undefined && { callId }) })
  const { decision, message, hint, question, isParked } = verdict
  const refusal = { withheld: hint === undefined ? message : `${message}\n${hint}` }
  if (decision === 'deny' || isParked) return refusal
  if (decision === 'ask' && !(confirm && question && (await confirm(question)))) {
    await session.decline(verdict.callId)
    return refusal
  }
  let result: Result
  try {
    result = await act()
  } catch (error) {
    const { text } = await session.observe(verdict.callId, { ok: false, text: messageOf(error) })
    if (text !== undefined) return { withheld: text }
    throw error
  }
  const { text } = await session.observe(verdict.callId, { ok: true, text: textOf(result) })
  return text === undefined ? { result } : { withheld: text }
}

export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  return JSON.stringify(result) ?? ''
}
