/** What the model gets of a result with prompt injection: the remaining lines, or a warning in its place. */
import { messages as texts } from '../i18n/locale.ts'
import { type Inspect, isUnclassified } from '../inspect/classifier.ts'
import { type Cut, removeInjection } from '../inspect/cut.ts'
import { type Finding, type Inspection, inspect } from '../inspect/inspect.ts'
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

interface Withholding {
  ctx: Inspecting
  tool: string
  isOwnPart: boolean
  /** Parts that must not be left over. */
  alone?: readonly string[]
  findings: Finding[]
}

interface Inspecting extends Pick<RunContext, 'inspect'> {
  state: Pick<RunState, 'lang'>
}

/** Parts of a text can make each other look harmless: the worst verdict counts. */
export async function inspectedWith(
  inspect: Inspect,
  { read, alone, tool }: { read: string; alone: readonly string[]; tool: string },
): Promise<Inspection> {
  const whole = await inspect(read, { tool })
  if (whole.verdict === 'block') return whole
  for (const part of alone) {
    const single = await inspect(part, { tool })
    if (single.verdict === 'block') return single
  }
  return whole
}

/** `isOwnPart`: only a part of the text came from outside, so single lines cannot be cut and all of it is withheld. */
export async function withhold(
  observation: Observation,
  { ctx, tool, isOwnPart, alone = [], findings }: Withholding,
): Promise<Withheld> {
  const { prompt } = texts(ctx.state.lang)
  const { partial, told, media: _, ...rest } = observation
  const text = observation.text + (partial === undefined ? '' : `\n${partial}`)
  const cut = isOwnPart || told !== undefined ? undefined : await withoutInjection(text, { ctx, tool, alone })
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
  { ctx, tool, alone }: { ctx: Inspecting; tool: string; alone: readonly string[] },
): Promise<Cut | undefined> {
  const cut = removeInjection(text, (some) => inspect(some, { tool }))
  if (cut === undefined || ctx.inspect === undefined) return undefined
  const left = cut.rest.filter((line) => typeof line === 'string').join('\n')
  if (alone.some((part) => left.includes(part))) return undefined
  const { verdict } = await ctx.inspect(left, { tool })
  return verdict === 'block' ? undefined : cut
}
