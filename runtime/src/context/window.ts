/** What of a long conversation is sent. The journal keeps everything; only the request is cut. */
import type { Message } from '../protocol/message.ts'

/**
 * The current turn is sent whole: without its task the model works on nothing, and a result without its call is refused
 * by providers. `max` bounds the earlier turns, the task counted in.
 */
export function window(messages: readonly Message[], max: number): readonly Message[] {
  const task = messages.findLastIndex((message) => message.role === 'user' && message.by === undefined)
  if (task <= 0) return messages
  return [...newest(messages.slice(0, task), max - 1), ...messages.slice(task)]
}

/** The newest `max` messages from a user's on: providers refuse a conversation that begins with an answer. */
export function newest<T extends { role: string; by?: string }>(messages: readonly T[], max: number): readonly T[] {
  const kept = max > 0 ? messages.slice(-max) : []
  const start = kept.findIndex(({ role, by }) => role === 'user' && by === undefined)
  return start < 0 ? [] : kept.slice(start)
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
