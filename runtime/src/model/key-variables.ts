import type { Hint } from './model.ts'

/** Environment variables with the key of a provider. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  zhipu: ['ZHIPU_API_KEY'],
  compatible: ['COMPATIBLE_API_KEY'],
}

/** Advice for a 401. */
export function keyHint(status: number | undefined, provider: string, key: string | undefined): Hint | undefined {
  const variables = KEY_VARIABLES[provider]
  if (status !== 401 || variables === undefined) return undefined
  return key === undefined || key === ''
    ? {
        en: `no key was sent: run \`writ setup\`, or set ${variables.join(' or ')}`,
        zh: `没有发送密钥：请运行 \`writ setup\`，或设置环境变量 ${variables.join(' 或 ')}`,
      }
    : {
        en: `check the key in ${variables.join(' or ')}, or the one stored by \`writ setup\``,
        zh: `请检查 ${variables.join(' 或 ')} 中的密钥，或 \`writ setup\` 保存的密钥`,
      }
}
