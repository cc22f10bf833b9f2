/** `writ/ai`: the tools of an AI SDK agent behind the gate. */
import type { ToolSet } from 'ai'
import type { GuardedSession } from '../assembly/guard.ts'
import { declareAll, type GovernOptions, governed, notGovernable, resultText, withheldError } from './governed.ts'

export type { GovernOptions } from './governed.ts'

type Execute = (input: unknown, options: { toolCallId: string }) => unknown

/**
 * Returns tools of the same types. Each call is judged by the session's gate before the tool's own code runs, and its
 * result is inspected before the model reads it. A call that may not run is a tool error that says why.
 */
export async function govern<Tools extends ToolSet>(
  tools: Tools,
  session: GuardedSession,
  options: GovernOptions = {},
): Promise<Tools> {
  const described = Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    name,
    ...(typeof description === 'string' && { description }),
    schema: inputSchema,
  }))
  await declareAll(described, session, options)
  const governedTools = Object.entries(tools).map(([name, tool]) => {
    const own = tool.execute as Execute | undefined
    // Run by the provider or by the program itself: there is nothing to hold back.
    if (own === undefined) throw notGovernable(name)
    const execute: Execute = async (input, call) => {
      const { toolCallId } = call
      const textOf = async (output: unknown) => {
        const shown = await tool.toModelOutput?.({ toolCallId, input, output })
        return shown === undefined ? resultText(output) : `${resultText(output)}\n${resultText(shown)}`
      }
      const act = async (judged: unknown) => own.call(tool, judged, call)
      const outcome = await governed({ tool: name, args: input, callId: toolCallId, act, textOf }, session, options)
      if ('withheld' in outcome) throw withheldError(outcome.withheld)
      return outcome.result
    }
    return [name, { ...tool, execute }]
  })
  return Object.fromEntries(governedTools) as Tools
}
