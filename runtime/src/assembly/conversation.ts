/** S1's agent interface over the one loop: a conversation that remembers itself from message to message. */

import type { Confirm } from '../agent/context.ts'
import { type StreamEvent, streamOf } from '../journal/stream.ts'
import type { Event, GivenContext } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

export interface Conversation {
  /** The reply's text, or the question when the model needs to know more. For work nobody watches. */
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

type Tell = (message: string, told: Told) => AsyncGenerator<Event, { reply: string; sessionId: string }>

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
        return next.value.reply
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

/** Whoever listens may have gone away; the run does not go with them (S1-120). */
function deliver(onEvent: (event: StreamEvent) => void, event: StreamEvent): void {
  try {
    onEvent(event)
  } catch {
    // The listener's trouble is the listener's.
  }
}
