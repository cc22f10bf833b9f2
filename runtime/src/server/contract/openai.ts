/** The part of OpenAI's interface that is spoken here, as their clients know it, and what is said beside it. */
import * as z from 'zod'
import type { Endpoint } from './route.ts'
import { question } from './shapes.ts'

const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .describe('Text, or parts of the type `text`. Images, sound and files are refused.')

const chatRequest = z
  .looseObject({
    model: z.string().optional().describe('Whatever it says, the configured model answers.'),
    messages: z
      .array(z.looseObject({ role: z.string(), content }))
      .min(1)
      .describe('The last one is the task, and the user’s.'),
    n: z.literal(1).nullish().describe('A run has one answer.'),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  })
  .describe('Other fields of theirs are let pass. The header `X-Writ-Session` goes on with a conversation.')

const completion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number().describe('Seconds since 1970.'),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: z.enum(['stop', 'length', 'content_filter']),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() }),
  writ: z
    .object({
      sessionId: z.string(),
      runId: z.string(),
      stopReason: z.string().describe('A stop reason, or "parked": it waits for the answer to `question`.'),
      denials: z.array(z.object({ tool: z.string(), reason: z.string(), message: z.string() })),
      question: question.optional(),
    })
    .describe('What an OpenAI client does not know of and a Writ client may want.'),
})

const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number(),
  owned_by: z.literal('writ'),
})
const models = z.object({ object: z.literal('list'), data: z.array(model) })

export const openai = {
  'GET /v1/models': { scope: 'read', summary: 'The agent, and the model behind it', returns: models },
  'GET /v1/models/:id': { scope: 'read', summary: 'One of them', returns: model },
  'POST /v1/chat/completions': {
    scope: 'run',
    summary: 'A governed run as a chat completion; with `stream: true`, its chunks as server-sent events',
    body: chatRequest,
    returns: completion,
    streams: true,
  },
} as const satisfies Record<string, Endpoint>

export type ChatRequest = z.output<typeof chatRequest>
export type Completion = z.output<typeof completion>
