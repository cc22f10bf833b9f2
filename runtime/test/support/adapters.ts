/** The real loops of the libraries that have an adapter, each with the same three tools and a stub for its model. */
import { createOpenAI } from '@ai-sdk/openai'
import { tool as langchainTool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIChatCompletionsModel, tool as openaiTool, run, setTracingDisabled } from '@openai/agents'
import { tool as aiTool, generateText, isStepCount } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { govern as governAi } from '../../src/adapters/ai.ts'
import type { GovernOptions } from '../../src/adapters/governed.ts'
import { govern as governLangchain } from '../../src/adapters/langchain.ts'
import { govern as governOpenai } from '../../src/adapters/openai-agents.ts'
import type { GuardedSession } from '../../src/index.ts'

/** What the tools do. */
export interface Bodies {
  read_mail(args: { id: string }): string | Promise<string>
  send_mail(args: { to: string; body: string }): string | Promise<string>
}

const DESCRIPTIONS = { read_mail: 'Reads one mail of the inbox.', send_mail: 'Sends a mail.' }
const SCHEMAS = {
  read_mail: z.object({ id: z.string() }),
  send_mail: z.object({ to: z.string(), body: z.string() }),
}
const BASE = { apiKey: 'none', maxRetries: 0 }

/** Runs a task in the library's own loop and returns its last words. */
export type Library = (
  task: string,
  at: { baseURL: string; session: GuardedSession; bodies: Bodies; options?: GovernOptions },
) => Promise<string>

export const LIBRARIES: Record<'ai' | 'langchain' | 'openai-agents', Library> = {
  async ai(task, { baseURL, session, bodies, options }) {
    const tools = await governAi(
      {
        read_mail: aiTool({
          description: DESCRIPTIONS.read_mail,
          inputSchema: SCHEMAS.read_mail,
          execute: (args) => bodies.read_mail(args),
        }),
        send_mail: aiTool({
          description: DESCRIPTIONS.send_mail,
          inputSchema: SCHEMAS.send_mail,
          execute: (args) => bodies.send_mail(args),
        }),
      },
      session,
      options,
    )
    const model = createOpenAI({ baseURL, apiKey: 'none' }).chat('stub')
    return (await generateText({ model, tools, prompt: task, stopWhen: isStepCount(8), maxRetries: 0 })).text
  },

  async langchain(task, { baseURL, session, bodies, options }) {
    const tools = await governLangchain(
      [
        langchainTool((args) => bodies.read_mail(args), {
          name: 'read_mail',
          description: DESCRIPTIONS.read_mail,
          schema: SCHEMAS.read_mail,
        }),
        langchainTool((args) => bodies.send_mail(args), {
          name: 'send_mail',
          description: DESCRIPTIONS.send_mail,
          schema: SCHEMAS.send_mail,
        }),
      ],
      session,
      options,
    )
    const llm = new ChatOpenAI({ model: 'stub', configuration: { baseURL }, ...BASE })
    const state = await createReactAgent({ llm, tools }).invoke({ messages: [{ role: 'user', content: task }] })
    return String(state.messages.at(-1)?.content ?? '')
  },

  async 'openai-agents'(task, { baseURL, session, bodies, options }) {
    setTracingDisabled(true)
    const tools = await governOpenai(
      [
        openaiTool({
          name: 'read_mail',
          description: DESCRIPTIONS.read_mail,
          parameters: SCHEMAS.read_mail,
          execute: (args) => bodies.read_mail(args),
        }),
        openaiTool({
          name: 'send_mail',
          description: DESCRIPTIONS.send_mail,
          parameters: SCHEMAS.send_mail,
          execute: (args) => bodies.send_mail(args),
        }),
      ],
      session,
      options,
    )
    const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL, ...BASE }), 'stub')
    const agent = new Agent({ name: 'test', instructions: '', model, tools })
    return String((await run(agent, task, { maxTurns: 8 })).finalOutput ?? '')
  },
}
