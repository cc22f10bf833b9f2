import { canonical, isObject } from '../../base/json.ts'
import type { NewMessage, Transcripts } from '../../context/transcript.ts'
import type { Lang } from '../../i18n/locale.ts'
import { defineTool, type Tool, type ToolOutput } from '../../tool/tool.ts'
import { SESSION_SCHEMA } from './context-session.ts'
import { type NeutralMessage, ownPart } from './messages.ts'
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
    // What it tells was inspected when it was kept; whose it is, is said with each result.
    trust: 'internal',
    readOnly: true,

    async execute({ session, system, user, outputs = [...SHAPES] }, context): Promise<ToolOutput> {
      const authored = isObject(context.authored) ? context.authored : { system, user }
      const next: NewMessage = { role: 'user', content: user, ...ownPart(user, authored.user) }
      const said: NeutralMessage[] = await transcripts.of(context.owner).prepare(session, next)
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
      const ours = [...before.map((message) => ({ ...message, ...contentOf(authored.system) })), ...said.map(ownIn)]
      if (canonical(ours) === canonical(messages)) return { ok: true, text }
      // As trusted text, untrusted words of an earlier run would choose paths, commands and hosts in this one.
      return { ok: true, text, told: { own: JSON.stringify({ messages_json: ours }), retold: text } }
    },
  }) as Tool
}

/** A message with nothing in it but what its user said: an answer may repeat anything that was read for it. */
function ownIn({ role, content, own }: NeutralMessage): NeutralMessage {
  return { role, content: role === 'user' ? (own ?? content) : '' }
}

function contentOf(authored: unknown): { content: string } {
  return { content: typeof authored === 'string' ? authored : '' }
}
