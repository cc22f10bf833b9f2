/** Prints a replay. The output does not depend on the terminal: the same journal prints the same bytes. */
import { breachText } from '../i18n/breach.ts'
import { codeWord, namedCode } from '../i18n/code-words.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Tally } from '../journal/tally.ts'
import { DENIAL_REASONS } from '../protocol/verdict.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { Comparison, Side } from '../replay/comparison.ts'
import type { Summary } from '../replay/summary.ts'
import type { Redecision, Ruling } from '../replay/what-if.ts'
import { shadowParts } from './rule-text.ts'
import { numberTable as table } from './table.ts'
import { cliTexts } from './texts.ts'
import { fit } from './visible.ts'
import { summaryOf } from './watch.ts'

const NAME_WIDTH = 60

export function summaryText(summary: Summary, lang: Lang): string {
  const { replay: texts } = cliTexts(lang)
  const { runs, events, steps, tokens, verdicts, routes, tools, actions, asked, denied, stops } = summary
  const tallies: [string, Tally][] = [
    [texts.all, verdicts],
    ...named(routes, (name) => texts.route({ name: namedCode(name, lang) })),
    ...named(tools, (name) => texts.tool({ name: fit(oneLine(name), NAME_WIDTH) })),
    ...named(actions, (name) => texts.action({ name })),
  ]
  const blocks = [
    table([['', ...verdictWords(lang)], ...tallies.map(([name, { allow, ask, deny }]) => [name, allow, ask, deny])]),
    ...counted(texts.asked, inWords(asked, lang)),
    ...counted(texts.denied, inWords(denied, lang)),
    ...counted(
      texts.ends,
      Object.entries(stops).map(([name, count]) => [name === 'open' ? texts.open : namedCode(name, lang), count]),
    ),
  ]
  const { differ = 0, first = [] } = summary.shadow ?? {}
  if (differ > 0) {
    const lines = first.map(({ runId, seq, tool, decision, shadow }) => {
      const would = texts.shadow(shadowParts(shadow, lang))
      return `  ${oneLine(`${runId} ${seq}  ${fit(tool, NAME_WIDTH)}: ${codeWord(decision, lang)}; ${would}`)}`
    })
    blocks.push([texts.shadows({ n: differ }), ...lines].join('\n'))
  }
  const head = [
    texts.counts({ runs, events, steps }),
    texts.tokens({ input: tokens.inputTokens, output: tokens.outputTokens }),
    ...chainLines(summary.chain, lang),
  ]
  return `${[head.join('\n'), ...blocks].join('\n\n')}\n`
}

export interface ComparisonReport extends Omit<Comparison, 'kinds'> {
  /** All differences in one run or file. */
  changes?: readonly Redecision[]
  /** The differences in a whole store, by kind. */
  kinds?: Comparison['kinds']
  /** Actions of decisions whose context was not recorded. */
  left: number
  chain: Summary['chain']
}

export function comparisonText(report: ComparisonReport, { config, lang }: { config: string; lang: Lang }): string {
  const { replay: texts } = cliTexts(lang)
  const { changed, proposals, runs, first, changes = [], kinds = [], left } = report
  const blocks = [[texts.differ({ config, changed, proposals, runs }), ...chainLines(report.chain, lang)].join('\n')]
  if (first !== null) {
    const when = new Date(first.timestamp).toISOString().slice(0, 19).replace('T', ' ')
    const why = first.after.message === undefined ? [] : [`    ${oneLine(first.after.message)}`]
    const place = texts.first({ run: first.runId, seq: first.seq, when })
    blocks.push([place, `  ${changeOf(first, lang)}`, ...why].join('\n'))
  }
  const at = ({ runId, seq }: Redecision) => (runs === 1 ? `${seq}` : `${runId} ${seq}`)
  if (changes.length > 0) blocks.push(changes.map((each) => `  ${at(each)}  ${changeOf(each, lang)}`).join('\n'))
  if (kinds.length > 0) {
    const lines = kinds.flatMap((kind) => [
      `  ${texts.kind(kind)}  ${oneLine(kind.tool)}: ${spelledOut(kind.before, lang)} → ${spelledOut(kind.after, lang)}`,
      `      ${texts.example({ run: kind.example.runId, seq: kind.example.seq })}: ${summaryOf(kind.example.args)}`,
    ])
    blocks.push(lines.join('\n'))
  }
  blocks.push(sides(report.before, report.after, lang))
  const notes = [...(first === null ? [] : [texts.continued]), ...(left === 0 ? [] : [texts.left({ n: left })])]
  return `${[...blocks, ...(notes.length === 0 ? [] : [notes.join('\n')])].join('\n\n')}\n`
}

function changeOf({ tool, args, before, after }: Redecision, lang: Lang): string {
  return `${oneLine(`${tool} ${summaryOf(args)}`)}: ${spelledOut(before, lang)} → ${spelledOut(after, lang)}`
}

/** `deny: The path is blocked (PRE_VALIDATE_REJECTED/PATH_BLOCKED)` */
function spelledOut({ decision, reason, code }: Ruling, lang: Lang): string {
  const word = codeWord(decision, lang)
  if (reason === undefined) return word
  const why = namedCode(code === undefined ? reason : `${reason}/${code}`, lang)
  return lang === 'zh' ? `${word}：${why}` : `${word}: ${why}`
}

function verdictWords(lang: Lang): string[] {
  return ['allow', 'ask', 'deny'].map((decision) => codeWord(decision, lang))
}

function inWords(counts: Readonly<Record<string, number>>, lang: Lang): [string, number][] {
  return Object.entries(counts).map(([code, count]) => [namedCode(code, lang), count])
}

function sides(before: Side, after: Side, lang: Lang): string {
  const { replay: texts } = cliTexts(lang)
  const [allow = '', ask = '', deny = ''] = verdictWords(lang)
  const rows = (decision: 'asked' | 'denied') =>
    DENIAL_REASONS.filter((reason) => (before[decision][reason] ?? after[decision][reason]) !== undefined).map(
      (reason) => [`  ${namedCode(reason, lang)}`, before[decision][reason] ?? 0, after[decision][reason] ?? 0],
    )
  return table([
    ['', texts.before, texts.after],
    [allow, before.verdicts.allow, after.verdicts.allow],
    [ask, before.verdicts.ask, after.verdicts.ask],
    ...rows('asked'),
    [deny, before.verdicts.deny, after.verdicts.deny],
    ...rows('denied'),
  ])
}

function chainLines({ breaches }: Summary['chain'], lang: Lang): string[] {
  const { replay: texts } = cliTexts(lang)
  if (breaches.length === 0) return [texts.whole]
  return breaches.map(({ runId, seq, fault }) =>
    texts.broken({ run: oneLine(runId), seq, why: oneLine(breachText(fault, lang)) }),
  )
}

function named<Value>(of: Readonly<Record<string, Value>>, name: (key: string) => string): [string, Value][] {
  return Object.entries(of).map(([key, value]) => [name(key), value])
}

function counted(heading: string, counts: readonly (readonly [string, number])[]): string[] {
  return counts.length === 0 ? [] : [`${heading}\n${table(counts)}`]
}
