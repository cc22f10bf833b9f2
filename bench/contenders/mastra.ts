import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { INSTRUCTIONS, LOOKUP, lookup, MODEL, type Open } from '../contender.ts'

export const open: Open = async ({ baseURL }) => {
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: INSTRUCTIONS,
    model: { providerId: 'stub', modelId: MODEL, url: baseURL, apiKey: 'none' },
    tools: {
      [LOOKUP.name]: createTool({
        id: LOOKUP.name,
        description: LOOKUP.description,
        inputSchema: z.object({ n: z.int() }),
        execute: async ({ n }) => lookup(n),
      }),
    },
  })
  return {
    async run(task, steps) {
      return (await agent.generate(task, { maxSteps: steps + 1 })).text
    },
  }
}
