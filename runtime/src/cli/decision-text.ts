/** Prints a decision report. */
import type { DecisionReport, ExecutedAction, RouteCapability } from '../assembly/decisions.ts'
import type { Lang } from '../base/lang.ts'
import type { DeniedAction } from '../decision/engine.ts'
import { namedCode } from '../i18n/code-words.ts'
import { withCode } from '../i18n/result-words.ts'
import type { AuthorizedAction, SuggestedAction } from '../protocol/action.ts'
import type { Event } from '../protocol/event.ts'
import { oneLine } from '../protocol/visible-text.ts'
import { type DecisionLineTexts, decisionLineTexts } from './decision-texts.ts'
import type { Io } from './io.ts'
import { textTable } from './table.ts'

export function decisionText(report: DecisionReport, { lang }: Io): string {
  const texts = decisionLineTexts(lang)
  const { suggestions, executed, denial_counts } = report
  const counts = Object.entries(denial_counts).map(([reason, n]) => [namedCode(reason, lang), `×${n}`])
  const cells = (action: SuggestedAction) => actionCells(action, texts)
  const parts = [
    textTable(head(report, texts)),
    ...verdictSections(report, lang),
    ...(counts.length === 0 ? [] : [section(texts.counts, counts)]),
    ...(suggestions.length === 0
      ? []
      : [
          section(
            texts.suggestions({ n: suggestions.length }),
            suggestions.map(({ intent_id, action, risk_level, confidence }) => [
              intent_id,
              ...cells(action),
              `${risk_level} ${confidence}`,
            ]),
          ),
        ]),
    ...(executed === undefined ? [] : [executedSection(executed, lang)]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** What a decision's journal says was decided and done. */
export interface RecordedActions {
  authorized: Pick<AuthorizedAction, 'intent_id' | 'action'>[]
  denied: Pick<DeniedAction, 'intent_id' | 'action' | 'all' | 'message'>[]
  executed: ExecutedAction[]
}

/** Undefined for a run that is no decision. */
export function actionsIn(events: readonly Event[]): RecordedActions | undefined {
  if (events[0]?.mode !== 'decision') return undefined
  const found: RecordedActions = { authorized: [], denied: [], executed: [] }
  for (const event of events) {
    if (event.type === 'action.authorized') {
      const { intent_id, action } = event.data
      found.authorized.push({ intent_id, action })
    } else if (event.type === 'action.denied') {
      const { intent_id, action, denial } = event.data
      found.denied.push({ intent_id, action, all: [...denial.all], message: denial.message })
    } else if (event.type === 'action.executed') {
      const { intent_id, action, text } = event.data
      found.executed.push({ intent_id, action, ok: true, text })
    } else if (event.type === 'action.failed') {
      const { intent_id, action, message } = event.data
      found.executed.push({ intent_id, action, ok: false, code: event.reason, message })
    }
  }
  return found
}

export function actionLines(actions: RecordedActions, { lang }: Pick<Io, 'lang'>): string[] {
  return [...verdictSections(actions, lang), executedSection(actions.executed, lang)].flatMap((part) =>
    part.split('\n').map((line) => `  ${line}`),
  )
}

function verdictSections({ authorized, denied }: Pick<RecordedActions, 'authorized' | 'denied'>, lang: Lang): string[] {
  const texts = decisionLineTexts(lang)
  return [
    section(
      texts.authorized({ n: authorized.length }),
      authorized.map(({ intent_id, action }) => [intent_id, ...actionCells(action, texts)]),
    ),
    section(
      texts.denied({ n: denied.length }),
      denied.map(({ intent_id, action, all, message }) => [
        intent_id,
        ...actionCells(action, texts),
        withCode(oneLine(message), all.join(', '), lang),
      ]),
    ),
  ]
}

function executedSection(executed: readonly ExecutedAction[], lang: Lang): string {
  const texts = decisionLineTexts(lang)
  return section(
    texts.executed({ n: executed.length }),
    executed.map((done) => executedCells(done, lang)),
  )
}

export function routesText(routes: readonly RouteCapability[], { lang }: Io): string {
  const texts = decisionLineTexts(lang)
  const rows = routes.map(({ route, max_risk, allowed_actions }) => [route, max_risk, allowed_actions.join(', ')])
  return `${textTable([[texts.route, texts.maxRisk, texts.actions], ...rows])}\n`
}

function head(report: DecisionReport, texts: DecisionLineTexts): string[][] {
  const { window_id, route, model, latency_us, rationale_tags, run_id, error } = report
  return [
    [texts.run, run_id],
    [texts.window, oneLine(window_id) || texts.none],
    [texts.route, route],
    [texts.model, oneLine(model) || texts.none],
    [texts.latency, latency_us === 0 ? texts.handedIn : texts.took({ ms: (latency_us / 1000).toFixed(1) })],
    [texts.tags, oneLine(rationale_tags.join(', ')) || texts.none],
    ...(error === null ? [] : [[texts.error, oneLine(error)]]),
  ]
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return title
  const lines = textTable(rows.map((row) => row.map(oneLine))).split('\n')
  return [title, ...lines.map((line) => `  ${line}`)].join('\n')
}

function actionCells({ action_type, target, urgency }: SuggestedAction, { noTarget }: DecisionLineTexts): string[] {
  return [action_type, target ?? noTarget, urgency]
}

function executedCells({ intent_id, action, ...outcome }: ExecutedAction, lang: Lang): string[] {
  const texts = decisionLineTexts(lang)
  const result = outcome.ok ? outcome.text : withCode(outcome.message, outcome.code, lang)
  return [outcome.ok ? '✓' : '✗', intent_id, ...actionCells(action, texts), result]
}
