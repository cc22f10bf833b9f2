/** Stored form of a history: a JSON array of messages, under a key that any database accepts. */

import { isObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import type { TranscriptMessage } from '../ports/transcripts.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'

/**
 * JSON escapes without the quotes: PostgreSQL rejects NUL and lone surrogates, and different keys must stay different.
 */
export function keyOf(session: string): string {
  return JSON.stringify(session).slice(1, -1)
}

/** Separates a key from its owner. Keys from outside may not contain it. */
const SEPARATOR = '\0'

/** A key of one owner. The local user's keys have no prefix, which older stores rely on. */
export function ownedKey(key: string, owner: Principal): string {
  return owner === LOCAL ? key : `${key}${SEPARATOR}${owner}`
}

/** The prefix of the keys of all owners except the local one. */
export function sharedStart(key: string): string {
  return `${key}${SEPARATOR}`
}

export function readHistory(text: string | undefined, session: string): TranscriptMessage[] {
  if (text === undefined) return []
  const value = parse(text)
  if (Array.isArray(value) && value.every(isMessage)) return value
  throw new WritError('TRANSCRIPT_CORRUPT', { session: keyOf(session) })
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
