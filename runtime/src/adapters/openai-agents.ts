/** `writ/openai-agents`: the function tools of an OpenAI agent behind the gate. */
import type { FunctionTool, Tool } from '@openai/agents'
import type { GuardedSession } from '../assembly/guard.ts'
import { declareAll, type GovernOptions, governed, notGovernable } from './governed.ts'

export type { GovernOptions } from './governed.ts'

/**
 * Returns tools of the same types. Each call is judged by the session's gate before the tool's own code runs, and its
 * result is inspected before the model reads it. A call that may not run has a text that says why as its result.
 */
export async function govern<Own extends Tool>(
  tools: readonly Own[],
  session: GuardedSession,
  options: GovernOptions = {},
): Promise<Own[]> {
  const functions = tools.map((tool) => {
    // Hosted tools run at the provider; a shell or a computer runs code that is not here.
    if (!isFunction(tool)) throw notGovernable(tool.name)
    return tool
  })
  await declareAll(
    functions.map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
    session,
    options,
  )
  return functions.map((tool) => {
    const { name, invoke } = tool
    const judged: typeof invoke = async (context, input, details) => {
      const outcome = await governed(
        {
          tool: name,
          args: argsIn(input),
          callId: details?.toolCall?.callId,
          act: () => invoke(context, input, details),
        },
        session,
        options,
      )
      return 'withheld' in outcome ? outcome.withheld : outcome.result
    }
    return { ...tool, invoke: judged }
  }) as Own[]
}

function isFunction(tool: Tool): tool is FunctionTool {
  return tool.type === 'function'
}

function argsIn(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
