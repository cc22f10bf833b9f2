/** What of a long conversation is sent. The journal keeps everything; only the request is cut. */
import type { Message } from '../protocol/message.ts'

/**
 * The newest `max` messages, or a little fewer: a tool's result without the call it answers is refused by
 * providers, so the cut moves forward past such orphans.
 */
export function window<T extends { role: string }>(messages: readonly T[], max: number): readonly T[] {
  if (messages.length <= max) return messages
  let start = messages.length - max
  while (start < messages.length - 1 && messages[start]?.role === 'tool') start++
  return messages.slice(start)
}

/** S1: a turn's reasoning is dropped when the next begins, except where the provider must have it back. */
export function clearOldReasoning(messages: readonly Message[], rule: 'clear' | 'keep-with-tool-calls'): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || message.reasoning_content === undefined) return message
    if (rule === 'keep-with-tool-calls' && message.calls !== undefined) return message
    const { reasoning_content: _, ...rest } = message
    return rest
  })
}
