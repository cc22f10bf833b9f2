/** What a conversation of a workflow is found again by. */
import { ownedSession } from '../../storage/transcript-text.ts'

/** Any text that one session is told from another by; NUL parts it from its owner. */
export const SESSION_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'The conversation; the same key finds its history again.',
} as const

/** Whose a session of the journal is, where somebody has claimed it. */
export type OwnerOf = (sessionId: string) => Promise<string | undefined>

/** On the command line nobody owns a session, and it is its own key. */
export async function transcriptKey(session: string, sessionId: string, ownerOf: OwnerOf): Promise<string> {
  const owner = await ownerOf(sessionId)
  return owner === undefined ? session : ownedSession(session, owner)
}
