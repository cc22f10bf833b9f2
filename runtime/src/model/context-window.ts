/** How many tokens fit into a model's context window: from its name, or from the provider's refusal. */
import { ModelError } from './model.ts'

/** For models that are not in the table. When it is too much, the provider's refusal corrects it. */
const DEFAULT_TOKENS = 128_000

/** The first pattern that matches the end of "provider/name" decides. */
const WINDOWS: readonly [RegExp, number][] = [
  [/^rules$/, Number.POSITIVE_INFINITY],
  [/\bgpt-4\.1/, 1_000_000],
  [/\bgpt-5/, 272_000],
  [/\bo[134](?:-|$)/, 200_000],
  [/\bgpt-(?:4o|4-turbo|oss)/, 128_000],
  [/\bgpt-4(?:-|$)/, 8_192],
  [/\bgpt-3\.5/, 16_385],
  [/\bclaude/, 200_000],
  [/\bgemini/, 1_000_000],
  [/\bdeepseek/, 128_000],
  [/\bglm-4-long/, 1_000_000],
  [/\bglm-(?:4\.6|4\.7|5)/, 200_000],
  [/\bglm/, 128_000],
  // Ollama cuts longer prompts without an error; its own default is often smaller. See docs/guides/context.md.
  [/^ollama\//, 32_768],
]

/** Asked for at every step. */
const KNOWN = new Map<string, number>()

export function contextTokensOf(model: string): number {
  let tokens = KNOWN.get(model)
  if (tokens === undefined) {
    const lower = model.toLowerCase()
    tokens = WINDOWS.find(([name]) => name.test(lower))?.[1] ?? DEFAULT_TOKENS
    KNOWN.set(model, tokens)
  }
  return tokens
}

/** What a refusal says: the tokens the model accepts, and those it was sent. */
export interface ContextRefusal {
  max?: number
  sent?: number
}

/** Error texts of OpenAI, Anthropic, Google, DeepSeek, Zhipu, Ollama, llama.cpp, vLLM, LM Studio and Mistral. */
const REFUSALS: readonly RegExp[] = [
  /maximum context length|context[ _-](?:length|window|size|limit)[^.]{0,40}exceed/i,
  /exceeds?[^.]{0,40}context[ _-](?:length|window|size|limit)/i,
  /(?:prompt|input|request)[^.]{0,20} (?:is )?too (?:long|large)\b(?!.*per min)/i,
  /input token count[^.]{0,30} exceeds/i,
  /exceeds? (?:the )?(?:max(?:imum)? (?:length|number of tokens)|max(?:imum)? (?:input|prompt))/i,
  /context the overflows|loaded with context length/i,
  /(?:prompt|输入|上下文|消息|请求)[^。]{0,12}(?:超长|过长|超过|超出)/i,
]

const N = '(\\d[\\d,_]*)'
const MAX: readonly RegExp[] = [
  new RegExp(`> ${N}(?: maximum)?`, 'i'),
  new RegExp(`(?:maximum context length|context length of only|maximum number of tokens allowed)\\D{0,12}${N}`, 'i'),
  new RegExp(`${N} maximum context length`, 'i'),
  new RegExp(`context (?:size|window|length|limit)(?! by)\\D{0,12}${N}`, 'i'),
  new RegExp(`(?:上限|最大)\\D{0,12}${N}`, 'i'),
]
const SENT: readonly RegExp[] = [
  new RegExp(
    `(?:resulted in|requested(?: about)?|too long:|contains|your request has|input token count \\(?)\\D{0,3}${N}`,
    'i',
  ),
  new RegExp(`request \\(${N} tokens\\)`, 'i'),
  new RegExp(`exceed context limit: ${N}`, 'i'),
]

/** Undefined when the failure has another reason. A rate limit per minute is one. */
export function contextRefusal(error: unknown): ContextRefusal | undefined {
  if (!(error instanceof ModelError) || error.status === 429) return undefined
  const { message } = error
  const isRefusal = error.status === 413 || REFUSALS.some((form) => form.test(message))
  if (!isRefusal) return undefined
  const [max, sent] = [firstNumber(message, MAX), firstNumber(message, SENT)]
  return { ...(max !== undefined && { max }), ...(sent !== undefined && { sent }) }
}

function firstNumber(text: string, forms: readonly RegExp[]): number | undefined {
  for (const form of forms) {
    const found = Number(form.exec(text)?.[1]?.replace(/[,_]/g, ''))
    if (found > 0) return found
  }
  return undefined
}

/** Below this nothing useful fits; a smaller number in an error text means something else. */
const LEAST_TOKENS = 512

/**
 * The limit to use after a refusal, in our own tokens: a provider that counts more than we do gets a smaller one.
 * Always less than what was refused.
 */
export function learnedLimit({ max, sent }: ContextRefusal, refused: number): number {
  const stated = max === undefined || max < LEAST_TOKENS ? refused * 0.75 : max
  const scaled = sent !== undefined && sent > refused ? (stated * refused) / sent : stated
  return Math.max(LEAST_TOKENS, Math.floor(Math.min(scaled, refused * 0.9)))
}
