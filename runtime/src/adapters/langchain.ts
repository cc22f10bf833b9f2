/** `writ/langchain`: the tools of a LangChain or LangGraph agent behind the gate. */
import { StructuredTool } from '@langchain/core/tools'
import type { GuardedSession } from '../assembly/guard.ts'
import { declareAll, type GovernOptions, governed, resultText } from './governed.ts'

export type { GovernOptions } from './governed.ts'

/** What a tool's class does; the name is protected there. */
type Call = StructuredTool['_call']

/**
 * Returns tools of LangChain's own type. Each call is judged by the session's gate before the tool's own code runs, and
 * its result is inspected before the model reads it. A call that may not run has a text that says why as its result.
 */
export async function govern(
  tools: readonly StructuredTool[],
  session: GuardedSession,
  options: GovernOptions = {},
): Promise<StructuredTool[]> {
  await declareAll(tools, session, options)
  return tools.map((tool) => new GovernedTool(tool, session, options))
}

class GovernedTool extends StructuredTool {
  readonly name: string
  readonly description: string
  readonly schema: StructuredTool['schema']
  readonly #call: Call
  readonly #session: GuardedSession
  readonly #options: GovernOptions

  constructor(tool: StructuredTool, session: GuardedSession, options: GovernOptions) {
    super(settingsOf(tool))
    const { name, description, schema } = tool
    this.name = name
    this.description = description
    this.schema = schema
    this.returnDirect = tool.returnDirect
    const own: Call = Reflect.get(tool, '_call')
    this.#call = own.bind(tool)
    this.#session = session
    this.#options = options
  }

  protected async _call(...[args, manager, config]: Parameters<Call>): Promise<unknown> {
    const hasArtifact = this.responseFormat === 'content_and_artifact'
    const outcome = await governed(
      {
        tool: this.name,
        args,
        callId: callIdIn(config),
        act: async (judged) => this.#call(judged, manager, config),
        textOf: (result) => resultText(hasArtifact && Array.isArray(result) ? result[0] : result),
      },
      this.#session,
      this.#options,
    )
    if ('result' in outcome) return outcome.result
    return hasArtifact ? [outcome.withheld, undefined] : outcome.withheld
  }
}

function settingsOf(tool: StructuredTool) {
  const { callbacks, tags, metadata, verbose, verboseParsingErrors, responseFormat, extras } = tool
  const given = { callbacks, tags, metadata, verbose, verboseParsingErrors, responseFormat, extras }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function callIdIn(config: object | undefined): string | undefined {
  const { toolCall } = { toolCall: undefined, ...config } as { toolCall: { id?: unknown } | undefined }
  return typeof toolCall?.id === 'string' ? toolCall.id : undefined
}
