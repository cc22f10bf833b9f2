/** A history as it is stored: a JSON array of messages, under a key that any database can hold. */
import { WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { TranscriptMessage } from './transcript-port.ts'

/** JSON escapes, without the quotes: NUL and lone surrogates are no text to PostgreSQL, and no two keys may fall together. */
export function keyOf(session: string): string {
  return JSON.stringify(session).slice(1, -1)
}

/** Everybody's sessions are their own: whoever guesses another's finds nothing. No session holds NUL. */
export function ownedSession(session: string, owner: string): string {
  return `${session}\0${owner}`
}

export function readHistory(text: string | undefined, session: string): TranscriptMessage[] {
  if (text === undefined) return []
  const value = parse(text)
  if (Array.isArray(value) && value.every(isMessage)) return value
  throw new WritError('TRANSCRIPT_CORRUPT', `what is stored for the session ${keyOf(session)} is no message history`, {
    hint: 'Something else has written there. Remove it, or use another session key.',
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ROLES = ['user', 'assistant', 'tool']

function isMessage(value: unknown): value is TranscriptMessage {
  if (!isObject(value)) return false
  const { role, content, at, tool_call_id, name, own } = value
  const textOrNone = [tool_call_id, name, own].every((one) => one === undefined || typeof one === 'string')
  return textOrNone && ROLES.some((known) => known === role) && typeof content === 'string' && typeof at === 'number'
}
