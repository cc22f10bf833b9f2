/** What the model reads of a result that gives it orders: the rest of it, or a warning in its place. */
import { messages as texts } from '../i18n/locale.ts'
import type { Observation } from '../protocol/observation.ts'
import { cutOrders } from '../tool/inspect/cut.ts'
import type { RunContext } from './context.ts'

export interface Withheld {
  /** As the model gets it. */
  shown: Observation
  /** What it does not get. */
  text: string
  /** How many lines that are; absent when it is all of them. */
  lines?: number
}

/** `isOwnPart`: some of the text is our own making, or was taken apart: then none of it can be told from the rest. */
export function withhold(
  observation: Observation,
  { ctx, tool, isOwnPart }: { ctx: Pick<RunContext, 'inspect' | 'state'>; tool: string; isOwnPart: boolean },
): Withheld {
  const { prompt } = texts(ctx.state.lang)
  const { partial, told, ...rest } = observation
  const { inspect } = ctx
  const text = observation.text + (partial === undefined ? '' : `\n${partial}`)
  const cut =
    isOwnPart || told !== undefined || inspect === undefined
      ? undefined
      : cutOrders(text, (some) => inspect(some, { tool }))
  if (cut === undefined) return { shown: { ...rest, text: prompt.injectionBlocked({ tool }) }, text }
  const { lines } = cut
  const kept = cut.rest.map((line) => (typeof line === 'number' ? prompt.linesWithheld({ lines: line }) : line))
  const shown = [prompt.injectionCut({ tool, lines }), ...kept].join('\n')
  return { shown: { ...rest, text: shown }, text: cut.withheld, lines }
}
