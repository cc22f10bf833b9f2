/** How many tokens a prompt of this run may have. */
import { contextTokensOf } from '../model/context-window.ts'
import { OUTPUT_TOKENS } from '../model/model.ts'
import type { RunContext } from './context.ts'

type Windowed = Pick<RunContext, 'model' | 'contextTokens' | 'maxOutputTokens'> & {
  state: Pick<RunContext['state'], 'cuts'>
}

/** For what the provider counts and we do not see, and for tokenizers that count a little more. */
const MARGIN = 0.95

function windowOf({ model, contextTokens, state }: Windowed): number {
  const { limit = Number.POSITIVE_INFINITY } = state.cuts
  return Math.min(contextTokens ?? contextTokensOf(model.standsFor ?? model.id), limit)
}

/** The answer needs room in the same window: at most a quarter of it. */
export function outputTokens(ctx: Windowed): number {
  return Math.floor(Math.min(ctx.maxOutputTokens ?? OUTPUT_TOKENS, windowOf(ctx) / 4))
}

export function roomFor(ctx: Windowed): number {
  return (windowOf(ctx) - outputTokens(ctx)) * MARGIN
}
