/** What a scout sees of the conversation that sent it: the last few messages, shortened. */
import type { Message } from '../protocol/message.ts'

export const SNAPSHOT_MESSAGES = 6
export const SNAPSHOT_CHARACTERS = 500

export function snapshotOf(messages: readonly Message[], dispatchTool: string): Message[] {
  const spoken = messages.flatMap((message): Message[] =>
    message.role === 'tool' || message.content.trim() === ''
      ? []
      : [{ role: message.role, content: head(message.content) }],
  )
  const last = spoken.slice(-SNAPSHOT_MESSAGES)
  // The scout's task follows as a user message, and two in a row would look like one.
  if (last.at(-1)?.role !== 'user') return last
  return [...last.slice(1 - SNAPSHOT_MESSAGES), { role: 'assistant', content: `[${dispatchTool}]` }]
}

function head(text: string): string {
  return [...text.slice(0, 2 * SNAPSHOT_CHARACTERS)].slice(0, SNAPSHOT_CHARACTERS).join('').toWellFormed()
}
