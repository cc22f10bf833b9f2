/** Limits the part of a conversation that is sent. The journal keeps everything. */
import type { Message } from '../protocol/message.ts'

/**
 * The current turn is sent completely: without its task the model has nothing to do, and providers reject a result
 * without its call. `max` limits the earlier turns, including the task; they are taken from the newest back. A turn that
 * is too long for what is left is sent as its question and its answer: without them the next "do that" means nothing.
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

/** A message of the user, not of the runtime. */
export function isTask({ role, by }: { role: string; by?: string }): boolean {
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

/** The newest `max` messages, starting with a user's: providers reject a conversation that begins with an answer. */
export function newest<T extends { role: string; by?: string }>(messages: readonly T[], max: number): readonly T[] {
  const kept = max > 0 ? messages.slice(-max) : []
  const start = kept.findIndex(isTask)
  return start < 0 ? [] : kept.slice(start)
}

/** S1: the reasoning of a turn is dropped when the next begins, unless the provider requires it. */
export function clearOldReasoning(messages: readonly Message[], rule: 'clear' | 'keep-with-tool-calls'): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || message.reasoning_content === undefined) return message
    if (rule === 'keep-with-tool-calls' && message.calls !== undefined) return message
    const { reasoning_content: _, ...rest } = message
    return rest
  })
}
