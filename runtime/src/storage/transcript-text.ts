/** A history as it is stored: a JSON array of messages, under a key that any database can hold. */
import { WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { TranscriptMessage } from './transcript-port.ts'

/** JSON escapes, without the quotes: NUL and lone surrogates are no text to PostgreSQL, and no two keys may fall together. */
export function keyOf(session: string): string {
  return JSON.stringify(session).slice(1, -1)
}

/** What separates a key from its owner. No key that comes from outside may hold it. */
const SEPARATOR = '\0'

/** A key that only its owner finds again. The local user's are as they are given, which older stores rely on. */
export function ownedKey(key: string, owner: Principal): string {
  return owner === LOCAL ? key : `${key}${SEPARATOR}${owner}`
}

/** What the keys of all its owners but the local one begin with. */
export function sharedStart(key: string): string {
  return `${key}${SEPARATOR}`
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
