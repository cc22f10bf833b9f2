import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { INSTRUCTIONS, LOOKUP, lookup, MODEL, type Open } from '../contender.ts'

export const open: Open = async ({ baseURL }) => {
  const model = createOpenAICompatible({ name: 'stub', baseURL })(MODEL)
  const tools = {
    [LOOKUP.name]: tool({
      description: LOOKUP.description,
      inputSchema: jsonSchema<{ n: number }>({ ...LOOKUP.schema, required: ['n'] }),
      execute: async ({ n }) => lookup(n),
    }),
  }
  return {
    async run(task, steps) {
      const stopWhen = isStepCount(steps + 1)
      return (await generateText({ model, tools, instructions: INSTRUCTIONS, prompt: task, stopWhen })).text
    },
  }
}
