import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { INSTRUCTIONS, LOOKUP, lookup, MODEL, type Open } from '../contender.ts'

export const open: Open = async ({ baseURL }) => {
  setTracingDisabled(true)
  const agent = new Agent({
    name: 'bench',
    instructions: INSTRUCTIONS,
    model: new OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey: 'none' }), MODEL),
    tools: [
      tool({
        name: LOOKUP.name,
        description: LOOKUP.description,
        parameters: z.object({ n: z.int() }),
        execute: async ({ n }) => lookup(n),
      }),
    ],
  })
  return {
    async run(task, steps) {
      return (await run(agent, task, { maxTurns: steps + 2 })).finalOutput ?? ''
    },
  }
}
