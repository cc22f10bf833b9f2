/** A decision as people read it. */
import type { DecisionReport, ExecutedAction, RouteCapability } from '../assembly/decision-desk.ts'
import type { SuggestedAction } from '../protocol/action.ts'
import { oneLine } from '../protocol/visible-text.ts'
import { type DecisionLineTexts, decisionLineTexts } from './decision-texts.ts'
import type { Io } from './io.ts'
import { textTable } from './table.ts'

export function decisionText(report: DecisionReport, { lang }: Io): string {
  const texts = decisionLineTexts(lang)
  const { authorized, denied, suggestions, executed, denial_counts } = report
  const counts = Object.entries(denial_counts).map(([reason, n]) => [reason, `×${n}`])
  const said = (action: SuggestedAction) => actionCells(action, texts)
  const parts = [
    textTable(head(report, texts)),
    section(
      texts.authorized({ n: authorized.length }),
      authorized.map(({ intent_id, action }) => [intent_id, ...said(action)]),
    ),
    section(
      texts.denied({ n: denied.length }),
      denied.map(({ intent_id, action, all, message }) => [
        intent_id,
        ...said(action),
        `${all.join(', ')}: ${oneLine(message)}`,
      ]),
    ),
    ...(counts.length === 0 ? [] : [section(texts.counts, counts)]),
    ...(suggestions.length === 0
      ? []
      : [
          section(
            texts.suggestions({ n: suggestions.length }),
            suggestions.map(({ intent_id, action, risk_level, confidence }) => [
              intent_id,
              ...said(action),
              `${risk_level} ${confidence}`,
            ]),
          ),
        ]),
    ...(executed === undefined
      ? []
      : [
          section(
            texts.executed({ n: executed.length }),
            executed.map((done) => executedCells(done, texts)),
          ),
        ]),
  ]
  return `${parts.join('\n\n')}\n`
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

function executedCells({ intent_id, action, ...outcome }: ExecutedAction, texts: DecisionLineTexts): string[] {
  const said = outcome.ok ? outcome.text : `${outcome.code}: ${outcome.message}`
  return [outcome.ok ? '✓' : '✗', intent_id, ...actionCells(action, texts), said]
}
