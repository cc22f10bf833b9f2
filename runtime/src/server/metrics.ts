/** Metrics of this process in the Prometheus text format, counted from its journal events. */
import type { PriceTable } from '../journal/prices.ts'
import { type Stats, StatsAccount } from '../journal/stats.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'

/** Label for unknown tools: models may invent any number of names, and each would be a time series. */
const OTHER = 'other'

export interface Metrics {
  /** Called with every event this process stores. */
  readonly stored: (events: readonly StoredEvent[]) => void
  text(now: { liveRuns: number; startedAt: number; version: string }): string
}

export function openMetrics(known: () => ReadonlySet<string>, prices: () => PriceTable): Metrics {
  const account = new StatsAccount()
  return {
    stored: (events) => {
      const names = known()
      for (const event of events) account.add(bounded(event, names))
    },
    text: (now) => render(account.stats(prices()), now),
  }
}

function bounded(event: Event, names: ReadonlySet<string>): Event {
  if (event.type !== 'tool.result' || names.has(event.data.tool)) return event
  return { ...event, data: { ...event.data, tool: OTHER } }
}

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

function render(stats: Stats, now: { liveRuns: number; startedAt: number; version: string }): string {
  const { runs, stops, steps, verdicts, tools, models, denials, questions, inspections, scouts, decisions } = stats
  const { batches: _, ...actions } = decisions
  const each = <V>(record: Partial<Record<string, V>>, label: string, value: (item: V) => number): Sample[] =>
    Object.entries(record).flatMap(([name, item]) => (item === undefined ? [] : [[{ [label]: name }, value(item)]]))
  const count = (record: Partial<Record<string, number>>, label: string) => each(record, label, (n) => n)
  const ends = Object.entries(stops).flatMap(([mode, reasons]): Sample[] =>
    Object.entries(reasons ?? {}).map(([finish_reason, n]) => [{ mode, finish_reason }, n]),
  )
  const tokens = Object.entries(models).flatMap(([model, { inputTokens, outputTokens }]): Sample[] => [
    [{ model, kind: 'prompt' }, inputTokens],
    [{ model, kind: 'completion' }, outputTokens],
  ])
  const costs = Object.entries(models).flatMap(([model, { cost }]): Sample[] =>
    cost.usd === null ? [] : [[{ model }, cost.usd]],
  )
  const tool = (value: (item: Stats['tools'][string]) => number) => each(tools, 'tool', value)
  const model = (value: (item: Stats['models'][string]) => number) => each(models, 'model', value)
  return [
    family('writ_build_info', 'gauge', 'Version of Writ.', [[{ version: now.version }, 1]]),
    family('process_start_time_seconds', 'gauge', 'Start time of the process.', [[{}, now.startedAt / 1000]]),
    family('writ_live_runs', 'gauge', 'Live and waiting runs.', [[{}, now.liveRuns]]),
    family('writ_runs_started_total', 'counter', 'Runs started.', [[{}, runs.started]]),
    family('writ_runs_ended_total', 'counter', 'Runs ended, by finish_reason.', ends),
    family('writ_runs_failed_total', 'counter', 'Runs that failed; a failure inside a workflow counts once.', [
      [{}, runs.failed],
    ]),
    summary('writ_step_seconds', 'Duration of a step: a model reply and its tool calls.', [[{}, steps]]),
    summary(
      'writ_tool_call_seconds',
      'Duration of executed tool calls.',
      Object.entries(tools).map(([name, timing]) => [{ tool: name }, timing]),
    ),
    family(
      'writ_tool_calls_failed_total',
      'counter',
      'Executed tool calls that failed.',
      tool(({ failed }) => failed),
    ),
    family(
      'writ_tool_calls_denied_total',
      'counter',
      'Tool calls denied by the gate.',
      tool(({ denied }) => denied),
    ),
    family(
      'writ_gate_decisions_total',
      'counter',
      'First decision of the gate on each proposal.',
      count(verdicts, 'decision'),
    ),
    family('writ_denials_total', 'counter', 'Denied proposals, by reason.', count(denials.byReason, 'reason')),
    family(
      'writ_denials_by_stage_total',
      'counter',
      'Denied proposals, by stage of the gate.',
      count(denials.byStage, 'stage'),
    ),
    family('writ_questions_asked_total', 'counter', 'Approval requests.', [[{}, questions.asked]]),
    family('writ_answers_total', 'counter', 'Answers to approval requests.', count(questions.answers, 'answer')),
    family(
      'writ_injections_flagged_total',
      'counter',
      'Tool results flagged as prompt injection.',
      count(inspections, 'verdict'),
    ),
    summary(
      'writ_model_reply_seconds',
      'Duration of model replies.',
      Object.entries(models).map(([name, { replies }]) => [{ model: name }, replies]),
    ),
    family(
      'writ_model_retries_total',
      'counter',
      'Retried model requests.',
      model(({ retries }) => retries),
    ),
    family(
      'writ_model_failures_total',
      'counter',
      'Model requests that failed after all retries.',
      model(({ failures }) => failures),
    ),
    family('writ_model_tokens_total', 'counter', 'Tokens reported by the providers.', tokens),
    family('writ_model_cost_usd_total', 'counter', 'Cost of models with a known price.', costs),
    family('writ_decision_batches_total', 'counter', 'Judged batches of predicted intents.', [[{}, decisions.batches]]),
    family('writ_decision_actions_total', 'counter', 'Actions of those batches, by outcome.', [
      ...count(actions, 'outcome'),
    ]),
    family('writ_scouts_started_total', 'counter', 'Scouts started.', [[{}, scouts.started]]),
    family('writ_scouts_ended_total', 'counter', 'Scouts ended, by status.', count(scouts.byStatus, 'status')),
  ].join('')
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function summary(
  name: string,
  help: string,
  samples: readonly (readonly [Labels, { count: number; total_ms: number; p50_ms: number; p95_ms: number }])[],
): string {
  const lines = samples.flatMap(([labels, { count, total_ms, p50_ms, p95_ms }]) => [
    `${name}${labelText({ ...labels, quantile: '0.5' })} ${p50_ms / 1000}\n`,
    `${name}${labelText({ ...labels, quantile: '0.95' })} ${p95_ms / 1000}\n`,
    `${name}_sum${labelText(labels)} ${total_ms / 1000}\n`,
    `${name}_count${labelText(labels)} ${count}\n`,
  ])
  return `# HELP ${name} ${help}\n# TYPE ${name} summary\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
