import { why } from '../i18n/why.ts'
import type { Why } from '../protocol/why.ts'

/** Environment variables with the key of a provider. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  zhipu: ['ZHIPU_API_KEY'],
  compatible: ['COMPATIBLE_API_KEY'],
}

/** A 401 gets advice on the key. */
export function withKeyAdvice(
  reason: Why,
  { status, provider, key }: { status: number | undefined; provider: string; key: string | undefined },
): Why {
  const [first, second] = KEY_VARIABLES[provider] ?? []
  if (status !== 401 || first === undefined) return reason
  const variables = second === undefined ? first : why('either', { first, second })
  const code = key === undefined || key === '' ? 'noKeySent' : 'checkKey'
  return why(code, { why: reason, variables })
}
