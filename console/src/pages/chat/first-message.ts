/** The first message of a new session, kept until the page of that session can send it. */
import type { Outgoing } from '../../lib/attachments.ts'

const waiting = new Map<string, Outgoing>()

export function leaveFirstMessage(sessionId: string, message: Outgoing): void {
  waiting.set(sessionId, message)
}

export function takeFirstMessage(sessionId: string): Outgoing | undefined {
  const message = waiting.get(sessionId)
  waiting.delete(sessionId)
  return message
}
