/** Some models and servers take no tool calls. They say so once; from then on they are spoken to in JSON. */
import { type Model, ModelError } from './model.ts'

/** How Ollama, OpenAI, DeepSeek, Gemini, OpenRouter, vLLM and llama.cpp put it. */
const REFUSALS: readonly RegExp[] = [
  /(?:does not|doesn't|do not|don't) support (?:tools?\b|tool (?:use|call)|function.?call)/i,
  /(?:tools?|tool use|(?:tool|function).?call(?:s|ing)?)\b['"`]? (?:is|are) (?:not|un)[ -]?(?:supported|enabled|available)/i,
  /unsupported (?:parameter|value)s?: ['"`]?tools\b/i,
  /no endpoints found that support tool use/i,
  /tools? (?:choice|param)\b.{0,20}\brequires? --/i,
]

/** What an overloaded server says of its tools may be true for a minute only. */
const PASSING: readonly number[] = [408, 409, 425, 429, 502, 503, 504]

const WITHOUT = new WeakSet<Model>()

export function takesTools(model: Model): boolean {
  return !WITHOUT.has(model)
}

/** True when this failure means that the model takes no tools; it is remembered for as long as the model is open. */
export function refusedTools(model: Model, error: unknown): boolean {
  if (!(error instanceof ModelError) || error.status === undefined || PASSING.includes(error.status)) return false
  const refused = REFUSALS.some((form) => form.test(error.message))
  if (refused) WITHOUT.add(model)
  return refused
}
