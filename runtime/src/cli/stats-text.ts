/** Prints statistics. */
import { codeWord, namedCode } from '../i18n/code-words.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Timing } from '../journal/durations.ts'
import type { Cost, PriceTable } from '../journal/prices.ts'
import type { Stats } from '../journal/stats.ts'
import type { Usage } from '../protocol/message.ts'
import { oneLine } from '../protocol/visible-text.ts'
import { type OperateTexts, operateTexts } from './operate-texts.ts'
import { numberTable } from './table.ts'
import { fit } from './visible.ts'

const NAME_WIDTH = 60

type Texts = OperateTexts['stats']

export function statsText(stats: Stats, prices: PriceTable, lang: Lang): string {
  const { stats: texts } = operateTexts(lang)
  if (stats.from === null || stats.to === null) return `${texts.nothing}\n`
  const { started, ended, open, failed, failureRate } = stats.runs
  const head = [
    texts.runs({ started, ended, open }),
    texts.failed({ failed, rate: percent(failureRate) }),
    texts.span({ from: moment(stats.from), to: moment(stats.to) }),
  ]
  const { scouts, decisions, routines, questions } = stats
  const blocks = [
    head.join('\n'),
    ...endsBlock(stats, lang),
    ...stepsBlock(stats, texts),
    ...toolsBlock(stats, texts),
    ...modelsBlock(stats, prices, texts),
    ...counted(texts.reasons, inWords(stats.denials.byReason, lang)),
    ...counted(texts.stages, inWords(stats.denials.byStage, lang)),
    ...counted(texts.questions, {
      [texts.asked]: questions.asked,
      ...translated(questions.answers, texts.answers),
    }),
    ...counted(texts.inspections, inWords(stats.inspections, lang)),
    ...counted(texts.scouts, { [texts.started]: scouts.started, ...inWords(scouts.byStatus, lang) }),
    ...counted(texts.decisions, translated(decisions, texts.decision)),
    ...counted(texts.routines, translated(routines, texts.routine)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function endsBlock({ stops, finishReasons }: Stats, lang: Lang): string[] {
  const { stats: texts } = operateTexts(lang)
  const modes = Object.keys(stops) as (keyof typeof stops)[]
  if (modes.length === 0) return []
  const rows = Object.entries(finishReasons).map(([reason, all]) => [
    namedCode(reason, lang),
    all,
    ...modes.map((mode) => stops[mode]?.[reason as keyof typeof finishReasons] ?? 0),
  ])
  return [`${texts.ends}\n${numberTable([['', texts.all, ...modes.map((mode) => codeWord(mode, lang))], ...rows])}`]
}

function stepsBlock({ steps, workflows }: Stats, texts: Texts): string[] {
  const rows = [
    ...(steps.count === 0 ? [] : [[texts.step, ...timed(steps)]]),
    ...(workflows.nodes.count === 0 ? [] : [[texts.node, ...timed(workflows.nodes)]]),
  ]
  if (rows.length === 0) return []
  return [`${texts.steps}\n${numberTable([['', ...timeHeads(texts)], ...rows])}`]
}

function toolsBlock({ tools }: Stats, texts: Texts): string[] {
  const rows = Object.entries(tools).map(([name, tool]) => [
    fit(oneLine(name), NAME_WIDTH),
    ...timed(tool),
    tool.count === 0 ? 0 : `${tool.failed} (${percent(tool.failureRate)})`,
    tool.denied,
  ])
  if (rows.length === 0) return []
  return [`${texts.tools}\n${numberTable([['', ...timeHeads(texts), texts.failures, texts.refused], ...rows])}`]
}

function modelsBlock({ models, tokens, cost }: Stats, prices: PriceTable, texts: Texts): string[] {
  // Only where a provider reported any.
  const cached = (of: Usage) => (tokens.cachedInputTokens === undefined ? [] : [of.cachedInputTokens ?? 0])
  const rows = Object.entries(models).map(
    ([name, { replies, inputTokens, outputTokens, retries, failures, ...own }]) => [
      fit(oneLine(name), NAME_WIDTH),
      ...timed(replies),
      failures,
      retries,
      inputTokens,
      ...cached({ inputTokens, outputTokens, ...own }),
      outputTokens,
      dollars(own.cost, texts),
    ],
  )
  if (rows.length === 0) return []
  const cachedHead = tokens.cachedInputTokens === undefined ? [] : [texts.tokensCached]
  const heads = [
    ...timeHeads(texts),
    texts.failures,
    texts.retries,
    texts.tokensIn,
    ...cachedHead,
    texts.tokensOut,
    texts.cost,
  ]
  const sum = [
    texts.total,
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    tokens.inputTokens,
    ...cached(tokens),
    tokens.outputTokens,
    dollars(cost, texts),
  ]
  const dates = Object.keys(models).flatMap((name) => (Object.hasOwn(prices, name) ? (prices[name]?.asOf ?? []) : []))
  const notes = [
    ...(dates.length === 0 ? [] : [texts.prices({ dates: [...new Set(dates)].sort().join(', ') })]),
    ...(cost.unpriced.length === 0 ? [] : [texts.unpriced({ models: cost.unpriced.map(oneLine).join(', ') })]),
  ]
  return [[texts.models, numberTable([['', ...heads], ...rows, sum]), ...notes].join('\n')]
}

function timeHeads({ time }: Texts): string[] {
  return [time.count, time.avg, time.p50, time.p95, time.max]
}

function timed({ count, avg_ms, p50_ms, p95_ms, max_ms }: Timing): number[] {
  return [count, avg_ms, p50_ms, p95_ms, max_ms]
}

/** Marks a sum that does not include models without a price. */
function dollars({ usd, unpriced }: Cost, { unknown }: Texts): string {
  if (usd === null) return unknown
  return unpriced.length === 0 ? usd.toFixed(4) : `${usd.toFixed(4)} + ${unknown}`
}

function counted(heading: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).filter(([, count]) => count > 0)
  return rows.length === 0 ? [] : [`${heading}\n${numberTable(rows)}`]
}

function inWords(counts: Readonly<Record<string, number>>, lang: Lang): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([code, count]) => [namedCode(code, lang), count]))
}

function translated<Name extends string>(
  counts: Readonly<Partial<Record<Name, number>>>,
  words: Readonly<Record<Name, string>>,
): Record<string, number> {
  return Object.fromEntries((Object.keys(words) as Name[]).map((name) => [words[name], counts[name] ?? 0]))
}

function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`
}

function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
