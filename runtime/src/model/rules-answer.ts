/** The replies of the built-in rules: short, from the tool results, with the reasons of denials. */
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import type { Lang } from '../i18n/locale.ts'
import { partialWords } from '../i18n/result-words.ts'
import { EMPTY_RESULTS } from '../protocol/empty-results.ts'
import { REPLIES } from './rules-phrases.ts'
import type { Plan, Step } from './rules-plan.ts'

const LINES_SHOWN = 40
const CHARACTERS_SHOWN = 3000

export interface Result {
  step: Step
  content: string
}

const EMPTY_KINDS = Object.keys(EMPTY_RESULTS) as (keyof typeof EMPTY_RESULTS)[]
const CUT = /…\(\+\d+\)$/u
const TROUBLE = /^\[(错误|失败)\]\s*/u

export function isTrouble(content: string): boolean {
  return TROUBLE.test(content)
}

export function answerFor(plan: Plan, results: readonly Result[], given: { lang: Lang; request: string }): string {
  const say = REPLIES[given.lang]
  const parts = results.map((result) => describe(result, given.lang))
  const left = plan.steps.slice(results.length)
  if (left.length > 0 && results.length > 0) parts.push(say.notTried(left.map((step) => step.tool).join(', ')))
  if (plan.steps.length === 0) {
    const understood = plan.help || plan.notUnderstood.length === 0
    return understood ? say.help : `${say.notUnderstood(clip(given.request.trim(), 200))} ${say.help}`
  }
  for (const words of plan.notUnderstood) parts.push(say.alsoNotUnderstood(clip(words, 200)))
  return parts.join('\n\n')
}

function describe({ step, content }: Result, lang: Lang): string {
  const say = REPLIES[lang]
  const trouble = TROUBLE.exec(content)
  if (trouble) {
    const why = clip(partialWords(content.slice(trouble[0].length), lang).trim(), 600)
    // Whether an interrupted call took effect is unknown: nothing denied it.
    const isDenied = trouble[1] === '错误' && !why.startsWith('INTERRUPTED')
    return isDenied
      ? say.refused(step.tool, why.replace(/^[A-Za-z_]+(?:\/[A-Z_]+)?: /, ''))
      : say.failed(step.tool, why)
  }
  const shown = excerpt(content, lang)
  switch (step.want) {
    case 'first-line':
      return say.firstLine(step.about, linesOf(content)[0] || say.empty)
    case 'last-line':
      if (CUT.test(content)) return say.beginningOnly(step.about)
      return say.lastLine(step.about, linesOf(content).at(-1) || say.empty)
    case 'line-count':
      if (CUT.test(content)) return say.beginningOnly(step.about)
      return say.lineCount(step.about, content === '' ? 0 : linesOf(content).length)
    case 'list':
      return `${say.listing(step.about)}\n${shown}`
    case 'read':
    case 'read-doc':
      return `${say.content(step.about)}\n${shown}`
    case 'search':
    case 'search-docs':
      return `${say.found(step.about)}\n${shown}`
    case 'fetch':
      return `${say.fetched(step.about)}\n${shown}`
    case 'run':
      return `${say.ran(step.about)}\n${shown}`
    case 'write':
      return say.wrote(step.about)
    case 'remember':
      return say.remembered(step.about)
    case 'recall':
      return `${say.recalled(step.about)}\n${shown}`
    case 'status':
    case 'log':
    case 'diff':
      return `${say.git(step.about)}\n${shown}`
    case 'transform':
      return `${say.transformed}\n${shown}`
    case 'compare':
      return `${say.compared(step.about)}\n${excerpt(findings(content) ?? content, lang)}`
    case 'report':
    case 'help':
      return say.scoutReported
    default:
      return step.want satisfies never
  }
}

/** The scouts' summaries with their documents, when the result has the expected form. */
function findings(content: string): string | undefined {
  try {
    const value: unknown = JSON.parse(content)
    if (!isObject(value)) return undefined
    const results = Array.isArray(value.results) ? value.results : []
    const lines = results.filter(isObject).flatMap((result) => {
      const { summary, evidence } = result
      const sources = Array.isArray(evidence) ? evidence.filter(isObject).map(({ source }) => `[${source}]`) : []
      const cited = [...new Set(sources)].join(' ')
      return typeof summary === 'string' && summary !== '' ? [`- ${summary}${cited === '' ? '' : ` ${cited}`}`] : []
    })
    if (lines.length > 0) return lines.join('\n')
    return typeof value.summary === 'string' && value.summary !== '' ? value.summary : undefined
  } catch {
    return undefined
  }
}

function linesOf(content: string): string[] {
  return content.replace(/\r?\n$/, '').split(/\r?\n/)
}

function excerpt(content: string, lang: Lang): string {
  const lines = linesOf(content.trimEnd())
  const nothing = EMPTY_KINDS.find((kind) => EMPTY_RESULTS[kind] === content.trim())
  if (nothing !== undefined) return REPLIES[lang].nothing[nothing]
  const text = clip(lines.slice(0, LINES_SHOWN).join('\n'), CHARACTERS_SHOWN)
  if (text.trim() === '') return REPLIES[lang].empty
  return lines.length > LINES_SHOWN ? `${text}\n${REPLIES[lang].more(lines.length - LINES_SHOWN)}` : text
}
