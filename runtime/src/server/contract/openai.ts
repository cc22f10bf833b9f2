/** The supported part of OpenAI's API, with the extension `writ`. */
import * as z from 'zod'
import type { Endpoint } from './route.ts'
import { question } from './shapes.ts'

const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .describe(
    'Text, or parts: `text`; of user messages also `image_url` with a data: address, and `file` with a PDF in `file_data`. Other addresses and audio are rejected.',
  )

const chatRequest = z
  .looseObject({
    model: z.string().optional().describe('Ignored: the configured model answers.'),
    messages: z
      .array(z.looseObject({ role: z.string(), content }))
      .min(1)
      .describe('The last one is the task and must be a user message.'),
    n: z.literal(1).nullish().describe('A run has one answer.'),
    response_format: z
      .looseObject({
        type: z.enum(['text', 'json_object', 'json_schema']),
        json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }).optional(),
      })
      .nullish()
      .describe('The answer must be JSON, or match the schema; otherwise the run ends with `invalid_result`.'),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  })
  .describe('Other fields are ignored. The header `X-Writ-Session` continues an existing session.')

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
      stopReason: z.string().describe('A stop reason, or "parked": waiting for the answer to `question`.'),
      denials: z.array(z.object({ tool: z.string(), reason: z.string(), message: z.string() })),
      question: question.optional(),
    })
    .describe('Extension for Writ clients.'),
})

const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number(),
  owned_by: z.literal('writ'),
})
const models = z.object({ object: z.literal('list'), data: z.array(model) })

export const openai = {
  'GET /v1/models': { scope: 'read', summary: 'The agent and its model', returns: models },
  'GET /v1/models/:id': { scope: 'read', summary: 'One model', returns: model },
  'POST /v1/chat/completions': {
    scope: 'run',
    summary: 'A governed run as a chat completion; with `stream: true`, as server-sent events',
    body: chatRequest,
    returns: completion,
    streams: true,
  },
} as const satisfies Record<string, Endpoint>

export type ChatRequest = z.output<typeof chatRequest>
export type Completion = z.output<typeof completion>
