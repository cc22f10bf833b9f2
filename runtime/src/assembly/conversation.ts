/** S1's agent interface over the one loop: a conversation that remembers itself from message to message. */

import type { Confirm } from '../agent/context.ts'
import type { TurnResult } from '../agent/turn.ts'
import { WritError } from '../base/errors.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import { type StreamEvent, streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

export interface Conversation {
  /**
   * The reply's text, or the question when the model needs to know more. For work nobody watches. Rejects with a
   * WritError when the model's provider failed for good; the turn is committed, and the next message goes on after it.
   */
  processMessage(message: string): Promise<string>
  /** The same, watched: text as it comes, and what the tools do. */
  processMessageStream(message: string, onEvent: (event: StreamEvent) => void): Promise<string>
  setConfirm(confirm: Confirm | undefined): void
  /** The next message goes on from this history instead of the session's own. */
  setHistory(history: Message[]): void
  setRoutineName(name: string): void
  injectSkillContext(content: string): void
  injectIdentityContext(content: string): void
}

export interface Told {
  sessionId: string | undefined
  confirm: Confirm | undefined
  given: GivenContext | undefined
  live: boolean
}

type Tell = (message: string, told: Told) => AsyncGenerator<Event, TurnResult>

export function openConversation(tell: Tell, first: Confirm | undefined): Conversation {
  let sessionId: string | undefined
  let confirm = first
  let given: GivenContext = {}

  async function send(message: string, onEvent?: (event: StreamEvent) => void): Promise<string> {
    const { history: _, ...lasting } = given
    const now = Object.keys(given).length === 0 ? undefined : given
    given = lasting
    const project = streamOf()
    const run = tell(message, { sessionId, confirm, given: now, live: onEvent !== undefined })
    for (;;) {
      const next = await run.next()
      if (next.done) {
        sessionId = next.value.sessionId
        return replyOf(next.value, next.value.state.lang)
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

/** S1-110: a reply or an error. That there is none because the model or Writ failed must not read like an answer. */
export function replyOf({ reply, stopReason }: Pick<TurnResult, 'reply' | 'stopReason'>, lang: Lang): string {
  const { failure } = texts(lang)
  if (stopReason === 'provider_error') throw new WritError('PROVIDER_ERROR', reply, { hint: failure.provider })
  if (stopReason === 'internal_error') throw new WritError('INTERNAL_ERROR', reply, { hint: failure.internal })
  return reply
}

/** Whoever listens may have gone away; the run does not go with them (S1-120). */
function deliver(onEvent: (event: StreamEvent) => void, event: StreamEvent): void {
  try {
    onEvent(event)
  } catch {
    // The listener's trouble is the listener's.
  }
}
