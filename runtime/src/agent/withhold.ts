/** What the model gets of a result with prompt injection: the remaining lines, or a warning in its place. */
import { messages as texts } from '../i18n/locale.ts'
import { removeInjection } from '../inspect/cut.ts'
import type { Observation } from '../protocol/observation.ts'
import type { RunState } from '../protocol/state.ts'
import type { RunContext } from './context.ts'

export interface Withheld {
  /** The observation the model gets. */
  shown: Observation
  /** What the model does not get. */
  text: string
  /** How many lines were cut; absent when all of it is withheld. */
  lines?: number | undefined
}

/** As events name the verdicts. */
export const SEVERITY = { block: 'Block', review: 'Review', warn: 'Warn' } as const

interface Inspecting extends Pick<RunContext, 'inspect'> {
  state: Pick<RunState, 'lang'>
}

/** `isOwnPart`: only a part of the text came from outside, so single lines cannot be cut and all of it is withheld. */
export function withhold(
  observation: Observation,
  { ctx, tool, isOwnPart }: { ctx: Inspecting; tool: string; isOwnPart: boolean },
): Withheld {
  const { prompt } = texts(ctx.state.lang)
  const { partial, told, media: _, ...rest } = observation
  const { inspect } = ctx
  const text = observation.text + (partial === undefined ? '' : `\n${partial}`)
  const cut =
    isOwnPart || told !== undefined || inspect === undefined
      ? undefined
      : removeInjection(text, (some) => inspect(some, { tool }))
  if (cut === undefined) return { shown: { ...rest, text: prompt.injectionBlocked({ tool }) }, text }
  const { lines } = cut
  const kept = cut.rest.map((line) => (typeof line === 'number' ? prompt.linesWithheld({ lines: line }) : line))
  const shown = [prompt.injectionCut({ tool, lines }), ...kept].join('\n')
  return { shown: { ...rest, text: shown }, text: cut.withheld, lines }
}
