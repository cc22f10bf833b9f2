/** S1's agent interface over the one loop: a conversation that remembers itself from message to message. */

import type { Confirm } from '../agent/context.ts'
import type { TurnResult } from '../agent/turn.ts'
import { WritError } from '../errors/writ-error.ts'
import { type StreamEvent, streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

/**
 * A conversation that goes on from message to message; `run` with a `sessionId` does the same for many at once.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * let shown = ''
 * const reply = await agent.processMessageStream('read notes.txt', (event) => {
 *   if (event.type === 'text') shown += event.text
 *   if (event.type === 'restart') shown = ''
 * })
 * console.log(shown === reply) // true
 * ```
 */
export interface Conversation {
  /**
   * The text of the reply, or a question when the model needs to know more; not streamed. Rejects with a WritError when
   * the model's provider failed for good. The turn is committed all the same, and the next message continues after it.
   */
  processMessage(message: string): Promise<string>
  /** The same, streamed: text as it arrives, and what the tools do. */
  processMessageStream(message: string, onEvent: (event: StreamEvent) => void): Promise<string>
  setConfirm(confirm: Confirm | undefined): void
  /** The next message continues from this history instead of the session's own. */
  setHistory(history: Message[]): void
  setRoutineName(name: string): void
  injectSkillContext(content: string): void
  injectIdentityContext(content: string): void
}

export interface MessageOptions {
  sessionId: string | undefined
  confirm: Confirm | undefined
  given: GivenContext | undefined
  live: boolean
}

type Send = (message: string, options: MessageOptions) => AsyncGenerator<Event, TurnResult>

export function openConversation(runTurn: Send, initial: Confirm | undefined): Conversation {
  let sessionId: string | undefined
  let confirm = initial
  let given: GivenContext = {}

  async function send(message: string, onEvent?: (event: StreamEvent) => void): Promise<string> {
    const { history: _, ...lasting } = given
    const now = Object.keys(given).length === 0 ? undefined : given
    given = lasting
    const project = streamOf()
    const run = runTurn(message, { sessionId, confirm, given: now, live: onEvent !== undefined })
    for (;;) {
      const next = await run.next()
      if (next.done) {
        sessionId = next.value.sessionId
        return replyOf(next.value)
      }
      if (onEvent === undefined) continue
      for (const event of project(next.value)) deliver(onEvent, event)
    }
  }
  return {
    processMessage: (message) => send(message),
    processMessageStream: (message, onEvent) => send(message, onEvent),
    setConfirm: (next) => {
      confirm = next
    },
    setHistory: (history) => {
      given = { ...given, history }
    },
    setRoutineName: (routine) => {
      given = { ...given, routine }
    },
    injectSkillContext: (skill) => {
      given = { ...given, skill }
    },
    injectIdentityContext: (identity) => {
      given = { ...given, identity }
    },
  }
}

/** S1-110: a reply or an error. The text of a failed turn must not pass for an answer. */
export function replyOf({ reply, stopReason }: Pick<TurnResult, 'reply' | 'stopReason'>): string {
  if (stopReason === 'provider_error') throw new WritError('PROVIDER_ERROR', { reply })
  if (stopReason === 'internal_error') throw new WritError('INTERNAL_ERROR', { reply })
  return reply
}

/** A failing listener must not fail the run (S1-120). */
function deliver(onEvent: (event: StreamEvent) => void, event: StreamEvent): void {
  try {
    onEvent(event)
  } catch {}
}
