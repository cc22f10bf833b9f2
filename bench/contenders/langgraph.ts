import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { INSTRUCTIONS, LOOKUP, lookup, MODEL, type Open } from '../contender.ts'

export const open: Open = async ({ baseURL }) => {
  const agent = createReactAgent({
    llm: new ChatOpenAI({ model: MODEL, apiKey: 'none', configuration: { baseURL } }),
    tools: [
      tool(async ({ n }: { n: number }) => lookup(n), {
        name: LOOKUP.name,
        description: LOOKUP.description,
        schema: z.object({ n: z.int() }),
      }),
    ],
    prompt: INSTRUCTIONS,
  })
  return {
    async run(task, steps) {
      const messages = [{ role: 'user' as const, content: task }]
      const state = await agent.invoke({ messages }, { recursionLimit: 2 * steps + 5 })
      return String(state.messages.at(-1)?.content ?? '')
    },
  }
}
