/** Environment variables with the key of a provider. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  zhipu: ['ZHIPU_API_KEY'],
  compatible: ['COMPATIBLE_API_KEY'],
}

/** Advice for a 401, appended to the provider's message; empty for other statuses. */
export function keyAdvice(status: number | undefined, provider: string, key: string | undefined): string {
  const variables = KEY_VARIABLES[provider]
  if (status !== 401 || variables === undefined) return ''
  return key === undefined || key === ''
    ? ` (no key was sent: set ${variables.join(' or ')} in the environment)`
    : ` (check the key in ${variables.join(' or ')})`
}
