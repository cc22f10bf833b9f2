/** Which questions of a server may be put to a person. */
import type { ElicitRequest, ElicitRequestFormParams } from '@modelcontextprotocol/client'
import { inspect } from '../../inspect/inspect.ts'

/** A form that asks for such a thing is refused whole: a secret never goes into the form of a server. */
const SECRET =
  /pass(?:word|phrase|code)|\bpin\b|secret|credential|api.?key|private.?key|token|\bcvv?\b|card.?(?:number|no)|\botp\b|seed.?phrase|密码|口令|密钥|令牌|验证码|卡号/i
/** "Do not give us your PIN." */
const NEGATED = /\b(?:not|never|no|without)\b|n't\b|请勿|不要|切勿|无需/i
const MAX_CHARS = 16_000

/** Undefined: not a form, one that asks for a secret, or one with prompt injection. */
export function formOf(request: ElicitRequest['params']): ElicitRequestFormParams | undefined {
  if (request.mode === 'url') return undefined
  const { message, requestedSchema } = request
  const text = `${message}\n${JSON.stringify(requestedSchema)}`
  if (text.length > MAX_CHARS || asksForSecret(text)) return undefined
  if (inspect(text, { tool: 'mcp' }).verdict === 'block') return undefined
  return { mode: 'form', message, requestedSchema }
}

function asksForSecret(text: string): boolean {
  // Names such as `api_token` and `apiToken` are words.
  const words = text.replace(/_/g, ' ').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.split(/[.!?;。！？；()（）\n"]+/).some((clause) => SECRET.test(clause) && !NEGATED.test(clause))
}
