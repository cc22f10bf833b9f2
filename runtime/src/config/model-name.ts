/** How a setting names a model. */
import * as z from 'zod'

export const MODEL_PROVIDERS = ['openai', 'anthropic', 'google', 'deepseek', 'zhipu', 'ollama', 'compatible'] as const

// The message of a custom rule is the key of its text in `config.expected`.
export const model = z.string().min(1).refine(isModelName, { error: 'modelName' })

function isModelName(name: string): boolean {
  if (name === 'rules' || name === 'scripted') return true
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  return slash > 0 && slash < name.length - 1 && MODEL_PROVIDERS.some((known) => known === provider)
}
