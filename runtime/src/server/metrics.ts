/** What this process has done, in Prometheus' text form: the journal's own counts, nothing counted twice. */
import type { PriceTable } from '../journal/prices.ts'
import { type Stats, StatsAccount } from '../journal/stats.ts'
import type { Event, StoredEvent } from '../protocol/event.ts'

/** What tools are counted under that are not there: a model may make up any number of names. */
const OTHER = 'other'

export interface Metrics {
  /** To be told by every store this process writes to. */
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
    family('writ_build_info', 'gauge', 'The version that runs.', [[{ version: now.version }, 1]]),
    family('process_start_time_seconds', 'gauge', 'When the process began.', [[{}, now.startedAt / 1000]]),
    family('writ_live_runs', 'gauge', 'Runs under way or waiting for their turn.', [[{}, now.liveRuns]]),
    family('writ_runs_started_total', 'counter', 'Runs begun.', [[{}, runs.started]]),
    family('writ_runs_ended_total', 'counter', 'Runs ended, by finish_reason.', ends),
    family('writ_runs_failed_total', 'counter', 'Runs that failed; a failure inside a workflow counts once.', [
      [{}, runs.failed],
    ]),
    summary('writ_step_seconds', 'A model reply and the calls it asked for.', [[{}, steps]]),
    summary(
      'writ_tool_call_seconds',
      'Tool calls that ran.',
      Object.entries(tools).map(([name, timing]) => [{ tool: name }, timing]),
    ),
    family(
      'writ_tool_calls_failed_total',
      'counter',
      'Tool calls that ran and failed.',
      tool(({ failed }) => failed),
    ),
    family(
      'writ_tool_calls_denied_total',
      'counter',
      'Tool calls refused before they ran.',
      tool(({ denied }) => denied),
    ),
    family(
      'writ_gate_decisions_total',
      'counter',
      'What the gate said first of each proposal.',
      count(verdicts, 'decision'),
    ),
    family('writ_denials_total', 'counter', 'Refused proposals, by reason.', count(denials.byReason, 'reason')),
    family(
      'writ_denials_by_stage_total',
      'counter',
      'Refused proposals, by stage of the gate.',
      count(denials.byStage, 'stage'),
    ),
    family('writ_questions_asked_total', 'counter', 'Questions put to a person.', [[{}, questions.asked]]),
    family('writ_answers_total', 'counter', 'Answers of people.', count(questions.answers, 'answer')),
    family(
      'writ_injections_flagged_total',
      'counter',
      'Results that looked like planted orders.',
      count(inspections, 'verdict'),
    ),
    summary(
      'writ_model_reply_seconds',
      'Answers of models.',
      Object.entries(models).map(([name, { replies }]) => [{ model: name }, replies]),
    ),
    family(
      'writ_model_retries_total',
      'counter',
      'Times a model was asked again.',
      model(({ retries }) => retries),
    ),
    family(
      'writ_model_failures_total',
      'counter',
      'Times a model failed for good.',
      model(({ failures }) => failures),
    ),
    family('writ_model_tokens_total', 'counter', 'Tokens, as providers count them.', tokens),
    family('writ_model_cost_usd_total', 'counter', 'Cost, where the price is known.', costs),
    family('writ_decision_batches_total', 'counter', 'Batches of predicted intents judged.', [[{}, decisions.batches]]),
    family('writ_decision_actions_total', 'counter', 'Actions of those batches, by what came of them.', [
      ...count(actions, 'outcome'),
    ]),
    family('writ_scouts_started_total', 'counter', 'Scouts sent.', [[{}, scouts.started]]),
    family('writ_scouts_ended_total', 'counter', 'Scouts, by how they ended.', count(scouts.byStatus, 'status')),
  ].join('')
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${spelled(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function summary(
  name: string,
  help: string,
  samples: readonly (readonly [Labels, { count: number; total_ms: number; p50_ms: number; p95_ms: number }])[],
): string {
  const lines = samples.flatMap(([labels, { count, total_ms, p50_ms, p95_ms }]) => [
    `${name}${spelled({ ...labels, quantile: '0.5' })} ${p50_ms / 1000}\n`,
    `${name}${spelled({ ...labels, quantile: '0.95' })} ${p95_ms / 1000}\n`,
    `${name}_sum${spelled(labels)} ${total_ms / 1000}\n`,
    `${name}_count${spelled(labels)} ${count}\n`,
  ])
  return `# HELP ${name} ${help}\n# TYPE ${name} summary\n${lines.join('')}`
}

function spelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
