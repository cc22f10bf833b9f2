/** Prices of tokens. Edit this table, or override it with `agent.prices`. */
import type { Usage } from '../protocol/message.ts'

export interface Price {
  /** US dollars for a million tokens. */
  input: number
  output: number
  /** Of input tokens read from the provider's cache, and of those written to it; the input price when absent. */
  cachedInput?: number | undefined
  cacheWrite?: number | undefined
  /** The day or month the price was looked up. */
  asOf?: string | undefined
  source?: string | undefined
}

export type PriceTable = Readonly<Record<string, Price>>

/** In US dollars. `usd` does not include the models in `unpriced`. */
export interface Cost {
  /** Null when no price is known; never 0 in that case. */
  usd: number | null
  unpriced: string[]
}

/**
 * List prices for unbatched, short-context use; those of cached tokens where they were looked up. Providers change prices without notice. The price of a dated
 * model name is not inferred from the plain name.
 */
export const PRICES: PriceTable = {
  // These models run locally.
  rules: { input: 0, output: 0 },
  scripted: { input: 0, output: 0 },
  'anthropic/claude-opus-5': {
    input: 5,
    output: 25,
    cachedInput: 0.5,
    cacheWrite: 6.25,
    asOf: '2026-10',
    source: 'https://platform.claude.com/docs/en/models/opus-5/overview',
  },
  'anthropic/claude-sonnet-5': {
    input: 2,
    output: 10,
    asOf: '2026-10',
    source: 'https://platform.claude.com/docs/en/models/sonnet-5/overview',
  },
  'anthropic/claude-opus-4-5': {
    input: 5,
    output: 25,
    cachedInput: 0.5,
    cacheWrite: 6.25,
    asOf: '2025-11-25',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },
  'anthropic/claude-sonnet-4-5': {
    input: 3,
    output: 15,
    asOf: '2025-11-25',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },
  'anthropic/claude-haiku-4-5': {
    input: 1,
    output: 5,
    asOf: '2025-11-25',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  },
  'openai/gpt-5.4-mini': {
    input: 0.75,
    output: 4.5,
    asOf: '2026-03-20',
    source: 'https://developers.openai.com/api/docs/pricing, as quoted by apidog.com',
  },
  'openai/gpt-4o-mini': {
    input: 0.15,
    output: 0.6,
    asOf: '2026-09-26',
    source: 'https://developers.openai.com/api/docs/pricing, as collected in huggingface.co/datasets/gemmozero',
  },
  'deepseek/deepseek-chat': {
    input: 0.28,
    output: 0.42,
    cachedInput: 0.028,
    asOf: '2025-12-09',
    source: 'https://api-docs.deepseek.com/quick_start/pricing, as kept in RooCodeInc/Roo-Code',
  },
}

const FREE: Price = { input: 0, output: 0 }
const LOCAL_MODELS = 'ollama/'
/** Names of models that Ollama runs on its own servers end like this. */
const HOSTED_MODELS = /[-:]cloud$/

/** Undefined when it is unknown. Models of Ollama run on the user's machines. */
export function priceOf(model: string, prices: PriceTable): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model]
  return model.startsWith(LOCAL_MODELS) && !HOSTED_MODELS.test(model) ? FREE : undefined
}

export function costOf(model: string, usage: Usage, prices: PriceTable): Cost {
  if (usage.inputTokens === 0 && usage.outputTokens === 0) return { usd: 0, unpriced: [] }
  const price = priceOf(model, prices)
  return price === undefined ? { usd: null, unpriced: [model] } : { usd: costAt(price, usage), unpriced: [] }
}

export function costAt({ input, output, cachedInput = input, cacheWrite = input }: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  const total = plain * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output
  return total / 1_000_000
}

export function sumOf(costs: readonly Cost[]): Cost {
  const known = costs.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  const unpriced = [...new Set(costs.flatMap((cost) => cost.unpriced))].sort()
  const usd = known.length === 0 && unpriced.length > 0 ? null : known.reduce((sum, each) => sum + each, 0)
  return { usd, unpriced }
}
