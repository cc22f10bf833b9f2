/** What tokens cost. A table of data: edit it, or put your own prices under `agent.prices`, which come first. */
import type { Usage } from '../protocol/message.ts'

export interface Price {
  /** US dollars for a million tokens. */
  input: number
  output: number
  /** The day or month it was read. */
  asOf?: string
  source?: string
}

export type PriceTable = Readonly<Record<string, Price>>

/** In US dollars. `usd` covers what has a price; the models in `unpriced` are not in it. */
export interface Cost {
  /** Null: nothing of it has a known price. Never 0 for want of a price. */
  usd: number | null
  unpriced: string[]
}

/**
 * List prices of uncached, unbatched, short-context use; a model that is not here has no known price. Providers change
 * prices without notice, and dated names of a model are not guessed from its plain one.
 */
export const PRICES: PriceTable = {
  // They call nobody.
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
