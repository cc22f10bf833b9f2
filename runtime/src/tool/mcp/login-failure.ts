/** Why a sign-in failed, in our words: the client library has texts for programmers, in English. */
import { OAuthError } from '@modelcontextprotocol/client'
import { messageOf } from '../../base/errors.ts'
import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { causes, failureOf } from './failure.ts'

const MAX_DETAIL = 200

/** Parts of the library's messages. */
const KNOWN = [
  [/dynamic client registration/i, 'MCP_LOGIN_FAILED.registration'],
  [/does not support (?:response type|code challenge|grant type)/i, 'MCP_LOGIN_FAILED.kind'],
  [/HTTP \d+ trying to load|does not implement OAuth/i, 'MCP_LOGIN_FAILED.missing'],
] as const

export function loginFailure(error: unknown, server: string): WritError {
  const options = { cause: error }
  const chain = causes(error)
  const answer = chain.find((one) => OAuthError.isInstance(one))
  if (answer !== undefined) {
    const said = answer.message === answer.code ? answer.code : `${answer.code}: ${answer.message}`
    return new WritError('MCP_LOGIN_FAILED.answer', { server, said: oneLine(clip(said, MAX_DETAIL)) }, options)
  }
  const failure = failureOf(error, server)
  if (failure.code !== 'MCP_FAILED') return failure
  const known = KNOWN.find(([pattern]) => chain.some((one) => pattern.test(messageOf(one))))
  if (known !== undefined) return new WritError(known[1], { server }, options)
  return new WritError('MCP_LOGIN_FAILED', { server, why: oneLine(clip(messageOf(error), MAX_DETAIL)) }, options)
}
