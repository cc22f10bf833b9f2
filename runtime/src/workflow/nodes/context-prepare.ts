import type { Transcripts } from '../../context/transcript.ts'
import type { Lang } from '../../i18n/locale.ts'
import { defineTool, type Tool, type ToolOutput } from '../../tool/tool.ts'
import { SESSION_SCHEMA } from './context-session.ts'
import type { NeutralMessage } from './messages.ts'
import { SHAPES, type Shapes, shapesOf } from './shapes.ts'

interface ContextPrepareArgs {
  session: string
  system?: string
  user: string
  outputs?: (keyof Shapes)[]
}

/** JSON that is cut short would be no JSON any more. */
const MAX_OUTPUT = 1_000_000

export interface ContextNode {
  transcripts: Transcripts
}

export function contextPrepareTool({ transcripts, lang }: ContextNode & { lang: Lang }): Tool {
  return defineTool<ContextPrepareArgs>({
    name: 'context_prepare',
    description:
      'Put a new user message after what was said lately in a session. Gives `messages_json`, and the same as `openai`, `gemini` and `anthropic` requests take it.',
    schema: {
      type: 'object',
      properties: {
        session: SESSION_SCHEMA,
        system: { type: 'string', maxLength: 100_000, description: 'What the model is told before everything else.' },
        user: { type: 'string', minLength: 1, maxLength: 100_000, description: 'The new message.' },
        outputs: {
          type: 'array',
          items: { type: 'string', enum: [...SHAPES] },
          minItems: 1,
          uniqueItems: true,
          description: 'Which of the four to give; all when absent.',
        },
      },
      required: ['session', 'user'],
      additionalProperties: false,
    },
    family: 'memory',
    // What it tells was inspected when it was kept.
    trust: 'internal',
    readOnly: true,

    async execute({ session, system, user, outputs = [...SHAPES] }, context): Promise<ToolOutput> {
      const own = transcripts.of(context.owner)
      const said: NeutralMessage[] = await own.prepare(session, { role: 'user', content: user })
      const before: NeutralMessage[] =
        system === undefined || system === '' ? [] : [{ role: 'system', content: system }]
      const messages = [...before, ...said]
      const text = JSON.stringify(shapesOf(messages, { only: outputs, lang }))
      if (text.length > MAX_OUTPUT) {
        const hint = 'Ask for fewer outputs, or set a smaller agent.context.window'
        return {
          ok: false,
          code: 'CONTEXT_TOO_LONG',
          error: `the conversation takes ${text.length} characters. ${hint}`,
        }
      }
      context.note('context.prepared', { messages: messages.length })
      return { ok: true, text }
    },
  }) as Tool
}
