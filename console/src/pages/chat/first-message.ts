/** The first message of a new session, kept until the page of that session can send it. */
const waiting = new Map<string, string>()

export function leaveFirstMessage(sessionId: string, text: string): void {
  waiting.set(sessionId, text)
}

export function takeFirstMessage(sessionId: string): string | undefined {
  const text = waiting.get(sessionId)
  waiting.delete(sessionId)
  return text
}
