/** What of a long conversation is sent. The journal keeps everything; only the request is cut. */
import type { Message } from '../protocol/message.ts'

/**
 * The current turn is sent whole: without its task the model works on nothing, and a result without its call is refused
 * by providers. `max` bounds the earlier turns, the task counted in; they are taken from the newest back. A turn that is
 * too long for what is left is told by its question and its answer: without them the next "do that" means nothing.
 */
export function window(messages: readonly Message[], max: number): readonly Message[] {
  const task = messages.findLastIndex(isTask)
  if (task <= 0) return messages
  let room = max - 1
  const kept: Message[][] = []
  for (const turn of turnsOf(messages.slice(0, task)).toReversed()) {
    const shown = turn.length <= room ? turn : questionAndAnswer(turn)
    if (shown.length > room) break
    room -= shown.length
    kept.unshift(shown)
  }
  return [...kept.flat(), ...messages.slice(task)]
}

function isTask({ role, by }: { role: string; by?: string }): boolean {
  return role === 'user' && by === undefined
}

/** What comes before the first task is left out: providers refuse a conversation that begins with an answer. */
function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = []
  for (const message of messages) {
    if (isTask(message)) turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return turns
}

function questionAndAnswer(turn: readonly Message[]): Message[] {
  const answer = turn.findLast((message) => message.role === 'assistant' && message.calls === undefined)
  return [...turn.slice(0, 1), ...(answer === undefined ? [] : [answer])]
}

/** The newest `max` messages from a user's on: providers refuse a conversation that begins with an answer. */
export function newest<T extends { role: string; by?: string }>(messages: readonly T[], max: number): readonly T[] {
  const kept = max > 0 ? messages.slice(-max) : []
  const start = kept.findIndex(isTask)
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
