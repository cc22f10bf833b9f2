/** What the model gets of a result with prompt injection: the remaining lines, or a warning in its place. */
import { messages as texts } from '../i18n/locale.ts'
import { isUnclassified } from '../inspect/classifier.ts'
import { type Cut, removeInjection } from '../inspect/cut.ts'
import { type Finding, inspect } from '../inspect/inspect.ts'
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
export async function withhold(
  observation: Observation,
  { ctx, tool, isOwnPart, findings }: { ctx: Inspecting; tool: string; isOwnPart: boolean; findings: Finding[] },
): Promise<Withheld> {
  const { prompt } = texts(ctx.state.lang)
  const { partial, told, media: _, ...rest } = observation
  const text = observation.text + (partial === undefined ? '' : `\n${partial}`)
  const cut = isOwnPart || told !== undefined ? undefined : await withoutInjection(text, { ctx, tool })
  if (cut === undefined) {
    const why = isUnclassified({ findings }) ? prompt.uninspected({ tool }) : prompt.injectionBlocked({ tool })
    return { shown: { ...rest, text: why }, text }
  }
  const { lines } = cut
  const kept = cut.rest.map((line) => (typeof line === 'number' ? prompt.linesWithheld({ lines: line }) : line))
  const shown = [prompt.injectionCut({ tool, lines }), ...kept].join('\n')
  return { shown: { ...rest, text: shown }, text: cut.withheld, lines }
}

/** By the rules, which know lines. What is left must also pass the classifier, where there is one. */
async function withoutInjection(
  text: string,
  { ctx, tool }: { ctx: Inspecting; tool: string },
): Promise<Cut | undefined> {
  const cut = removeInjection(text, (some) => inspect(some, { tool }))
  if (cut === undefined || ctx.inspect === undefined) return undefined
  const left = cut.rest.filter((line) => typeof line === 'string').join('\n')
  const { verdict } = await ctx.inspect(left, { tool })
  return verdict === 'block' ? undefined : cut
}
