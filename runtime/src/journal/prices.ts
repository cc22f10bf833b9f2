/** Prices of tokens. Edit this table, or override it with `agent.prices`. */
import type { Usage } from '../protocol/message.ts'

export interface Price {
  /** US dollars for a million tokens. */
  input: number
  output: number
  /** The day or month the price was looked up. */
  asOf?: string
  source?: string
}

export type PriceTable = Readonly<Record<string, Price>>

/** In US dollars. `usd` does not include the models in `unpriced`. */
export interface Cost {
  /** Null when no price is known; never 0 in that case. */
  usd: number | null
  unpriced: string[]
}

/**
 * List prices for uncached, unbatched, short-context use. Providers change prices without notice. The price of a dated
 * model name is not inferred from the plain name.
 */
export const PRICES: PriceTable = {
  // These models run locally.
  rules: { input: 0, output: 0 },
  scripted: { input: 0, output: 0 },
  'anthropic/claude-opus-5': {
    input: 5,
    output: 25,
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
    asOf: '2025-12-09',
    source: 'https://api-docs.deepseek.com/quick_start/pricing, as kept in RooCodeInc/Roo-Code',
  },
}

export function costOf(model: string, usage: Usage, prices: PriceTable): Cost {
  if (usage.inputTokens === 0 && usage.outputTokens === 0) return { usd: 0, unpriced: [] }
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  if (price === undefined) return { usd: null, unpriced: [model] }
  return { usd: (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000, unpriced: [] }
}

export function sumOf(costs: readonly Cost[]): Cost {
  const known = costs.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  const unpriced = [...new Set(costs.flatMap((cost) => cost.unpriced))].sort()
  const usd = known.length === 0 && unpriced.length > 0 ? null : known.reduce((sum, each) => sum + each, 0)
  return { usd, unpriced }
}
