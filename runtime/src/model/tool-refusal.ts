/** Some models and servers do not support tool calls. After the first such error the JSON dialect is used. */
import { type Model, ModelError } from './model.ts'

/** Error texts of Ollama, OpenAI, DeepSeek, Gemini, OpenRouter, vLLM and llama.cpp. */
const REFUSALS: readonly RegExp[] = [
  /(?:does not|doesn't|do not|don't) support (?:tools?\b|tool (?:use|call)|function.?call)/i,
  /(?:tools?|tool use|(?:tool|function).?call(?:s|ing)?)\b['"`]? (?:is|are) (?:not|un)[ -]?(?:supported|enabled|available)/i,
  /unsupported (?:parameter|value)s?: ['"`]?tools\b/i,
  /no endpoints found that support tool use/i,
  /tools? (?:choice|param)\b.{0,20}\brequires? --/i,
]

/** The error of an overloaded server may be temporary. */
const PASSING: readonly number[] = [408, 409, 425, 429, 502, 503, 504]

const WITHOUT = new WeakSet<Model>()

export function takesTools(model: Model): boolean {
  return !WITHOUT.has(model)
}

/** True when this failure means that the model does not support tools; remembered while the model is open. */
export function refusedTools(model: Model, error: unknown): boolean {
  if (!(error instanceof ModelError) || error.status === undefined || PASSING.includes(error.status)) return false
  const refused = REFUSALS.some((form) => form.test(error.message))
  if (refused) WITHOUT.add(model)
  return refused
}
