import { isObject } from '../../base/json.ts'
import type { NewMessage } from '../../context/transcript.ts'
import { WritError } from '../../errors/writ-error.ts'
import { defineTool, type Tool, type ToolOutput } from '../../tool/tool.ts'
import type { ContextNode } from './context-prepare.ts'
import { SESSION_SCHEMA } from './context-session.ts'
import { ownPart } from './messages.ts'

interface ContextPersistArgs {
  session: string
  user: string
  assistant: string
}

export function contextPersistTool({ transcripts }: ContextNode): Tool {
  return defineTool<ContextPersistArgs>({
    name: 'context_persist',
    description: 'Add a finished turn, what the user said and what was answered, to the history of a session.',
    schema: {
      type: 'object',
      properties: {
        session: SESSION_SCHEMA,
        user: { type: 'string', minLength: 1, maxLength: 100_000, description: 'What the user said.' },
        assistant: { type: 'string', maxLength: 1_000_000, description: 'What was answered; empty: nothing was.' },
      },
      required: ['session', 'user', 'assistant'],
      additionalProperties: false,
    },
    family: 'memory',
    risk: 'Low',
    trust: 'internal',
    readOnly: false,

    async execute({ session, user, assistant }, { note, authored, owner, isHearsay }): Promise<ToolOutput> {
      // Read back in a later run, untrusted text would otherwise count as the user's.
      const own = isObject(authored) ? ownPart(user, authored.user) : isHearsay(user) ? { own: '' } : {}
      const turn: NewMessage[] = [{ role: 'user', content: user, ...own }]
      if (assistant !== '') turn.push({ role: 'assistant', content: assistant })
      try {
        const messages = await transcripts.of(owner).persist(session, turn)
        note('context.persisted', { messages })
        return { ok: true, text: JSON.stringify({ messages }) }
      } catch (error) {
        if (!(error instanceof WritError) || error.code !== 'TRANSCRIPT_POISONED') throw error
        return { ok: false, code: error.code, error: `${error.message}. ${error.hint ?? ''}`.trim() }
      }
    },
  }) as Tool
}
