import { styleText } from 'node:util'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import { present } from '../../base/present.ts'
import { standingOf, traceNewest, traceRun } from '../../dispatch/liveness.ts'
import { WritError } from '../../errors/writ-error.ts'
import { namedCode } from '../../i18n/code-words.ts'
import { resultWords } from '../../i18n/result-words.ts'
import { reviewWords } from '../../i18n/review-words.ts'
import { PRICES } from '../../journal/prices.ts'
import { askedIn } from '../../journal/questions.ts'
import { firstEvent } from '../../journal/read.ts'
import type { RunRow, Store } from '../../journal/store.ts'
import { type Totals, totalOf } from '../../journal/totals.ts'
import type { EventType, StoredEvent } from '../../protocol/event.ts'
import type { Trace, TraceEntry } from '../../protocol/trace.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import type { Leases } from '../../storage/leases.ts'
import { AGENT_CORE } from '../../workflow/nodes/agent-core-config.ts'
import { actionLines, actionsIn, type RecordedActions } from '../decision-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { type NodeView, nodeLines, nodesIn } from '../node-lines.ts'
import { shadowParts } from '../rule-text.ts'
import { textTable } from '../table.ts'
import { cliTexts } from '../texts.ts'
import { undoTexts } from '../undo-texts.ts'
import { fit } from '../visible.ts'
import { summaryOf } from '../watch.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const LISTED = 20
/** As text. In JSON the trace is complete. */
const CALLS = 200
const SHOWN: readonly EventType[] = [
  'run.started',
  'node.started',
  'node.finished',
  'action.authorized',
  'action.denied',
  'action.executed',
  'action.failed',
  'budget.warned',
  'workspace.restored',
]

export async function trace(given: Given, io: Io): Promise<number> {
  const [named] = given.words
  const json = given.switches.has('json')
  const { trace: texts } = cliTexts(io.lang)
  if (named === undefined && !given.switches.has('last')) {
    return withJournal(given, io, async (store, leases) =>
      listRuns(await listed(store, leases), io, json ? 'json' : 'table'),
    ).catch((error: unknown) => {
      if (!(error instanceof WritError && error.code === 'NO_JOURNAL')) throw error
      if (!json) io.stdout(`${texts.none}\n`)
      return 0
    })
  }
  return withJournal(given, io, async (store, leases) => {
    // Scouts and nodes start after their parent run; the latest top-level run covers them.
    const latest = (await store.listRuns({ limit: 1000 })).find(({ parentRunId }) => parentRunId === undefined)
    const runId = named === undefined ? (latest?.runId ?? '') : await runNamed(store, named)
    if ((await firstEvent(store, runId)) === undefined) throw new WritError('RUN_UNKNOWN', { run: runId })
    const events = await store.readOf([runId], SHOWN)
    const found = json
      ? await traceRun(store, leases, runId)
      : (await traceNewest(store, leases, { runId, atLeast: CALLS })).trace
    const nodes = await withAgents(nodesIn(events), (node) => agentOf(node, store, leases))
    // An unreadable configuration must not hide the trace; it only sets prices.
    const own = await loadWorkspace(workspaceFlags(given, io)).catch(() => undefined)
    const total = await totalOf(store, runId, { ...PRICES, ...own?.loaded.config.prices })
    const waiting = (await askedIn(store, [runId])).map(({ question }) =>
      texts.waits({ tool: question.tool, run: runId, ...present({ data: given.values.data }) }),
    )
    const notes = [...budgetIn(events), ...undoneIn(events, io), ...waiting]
    const parts = present({
      nodes: nodes.length === 0 ? undefined : nodes,
      actions: actionsIn(events),
      notes: notes.length === 0 ? undefined : notes,
    })
    if (json) io.stdout(`${JSON.stringify({ ...found, ...parts, total })}\n`)
    else io.stdout(`${traceText(found, { runId, task: taskOf(events), io, ...parts, total })}\n`)
    return 0
  })
}

/** What stopped a run is its end, which is shown anyway. */
function undoneIn(events: readonly StoredEvent[], { lang }: Io): string[] {
  return events.flatMap((event) =>
    event.type === 'workspace.restored'
      ? [undoTexts(lang).traced({ files: event.data.restored.length, by: event.data.by })]
      : [],
  )
}

function budgetIn(events: readonly StoredEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'budget.warned' ? [event.data.text] : []))
}

async function withAgents(
  nodes: readonly NodeView[],
  agentOf: (node: NodeView) => Promise<NodeView['agent']>,
): Promise<NodeView[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const agent = await agentOf(node)
      return agent === undefined ? node : { ...node, agent }
    }),
  )
}

/** The agent's run is a child of the node's. */
async function agentOf({ tool, runId }: NodeView, store: Store, leases: Leases): Promise<NodeView['agent']> {
  if (tool !== AGENT_CORE || runId === undefined) return undefined
  const [child] = await store.listRuns({ parentRunId: runId, limit: 1 })
  if (child === undefined) return undefined
  return { runId: child.runId, trace: (await traceRun(store, leases, child.runId)).trace }
}

/** A scout can be named by its own id or by its run's. */
export async function runNamed(store: Store, named: string): Promise<string> {
  const [found] = named.startsWith('scout_') ? await store.listRuns({ scoutId: named }) : []
  return found?.runId ?? named
}

type Listed = RunRow & { task: string }

async function listed(store: Store, leases: Leases): Promise<Listed[]> {
  const runs = await store.listRuns({ limit: LISTED })
  return Promise.all(
    runs.map(async (run) => {
      const task = taskOf(await store.readOf([run.runId], ['run.started']))
      const isCutOff = !run.stopped && (await standingOf(store, leases, run)) === 'cut-off'
      return { ...run, ...present({ stopReason: isCutOff ? ('interrupted' as const) : undefined }), task }
    }),
  )
}

function listRuns(found: readonly Listed[], io: Io, as: 'json' | 'table'): number {
  const { trace: texts } = cliTexts(io.lang)
  if (as === 'json') {
    for (const run of found) io.stdout(`${JSON.stringify(run)}\n`)
    return 0
  }
  if (found.length === 0) io.stdout(`${texts.none}\n`)
  else {
    const { run, when, end, task } = texts.columns
    const rows = found.map((each) => [
      each.runId,
      new Date(each.startedAt).toISOString().slice(0, 19).replace('T', ' '),
      each.stopReason === undefined ? texts.open : namedCode(each.stopReason, io.lang),
      fit(oneLine(each.task), 60),
    ])
    io.stdout(`${textTable([[run, when, end, task], ...rows])}\n`)
  }
  return 0
}

export function taskOf(events: readonly StoredEvent[]): string {
  const started = events.find((event) => event.type === 'run.started')
  return started?.data.task ?? ''
}

interface TraceOf {
  runId: string
  task: string
  io: Io
  /** Of a workflow, which makes no calls itself. */
  nodes?: readonly NodeView[]
  /** Of a decision: it calls no tools. */
  actions?: RecordedActions
  /** Warnings of the money budget, undos, and a question that waits. */
  notes?: readonly string[]
  total?: Totals
}

function spentIn({ usage, cost, children }: Totals) {
  return {
    input: usage.inputTokens,
    cached: usage.cachedInputTokens ?? 0,
    output: usage.outputTokens,
    children,
    cost: cost === undefined ? '' : `$${cost.toFixed(4)}`,
  }
}

/** One line per call or node, with its result below. */
export function traceText({ trace: entries, ...end }: Trace, at: TraceOf): string {
  const { trace: texts } = cliTexts(at.io.lang)
  const paint = { stream: process.stdout }
  const nodes = (at.nodes ?? []).flatMap((node) => [...nodeLines([node], at.io), ...agentLines(node.agent, at.io)])
  const actions = at.actions === undefined ? [] : actionLines(at.actions, at.io)
  const cuts = (end.context ?? []).map((cut) => texts.context[cut.kind](cut))
  const lines = [...nodes, ...actions, ...callLines(entries, at.io), ...cuts]
  const answer = end.error ?? end.final_answer
  return [
    styleText('bold', texts.run({ id: at.runId }), paint),
    texts.task({ task: fit(oneLine(at.task), 100) }),
    ...(lines.length === 0 && at.notes === undefined ? [`  ${texts.noCalls}`] : lines),
    ...(at.notes ?? []).map((text) => `  ! ${oneLine(text)}`),
    texts.end({ reason: end.finish_reason === null ? texts.open : namedCode(end.finish_reason, at.io.lang) }),
    ...(at.total === undefined ? [] : [texts.spent(spentIn(at.total))]),
    ...(answer === '' ? [] : ['', visible(answer)]),
  ].join('\n')
}

/** Below its node: the command that shows the agent's run, and its steps. */
function agentLines(agent: NodeView['agent'], io: Io): string[] {
  if (agent === undefined) return []
  const { trace: texts } = cliTexts(io.lang)
  return [texts.agentRun({ id: agent.runId }), ...callLines(agent.trace, io)].map((line) => `      ${line}`)
}

function callLines(entries: readonly TraceEntry[], { lang }: Io): string[] {
  const { watch, trace: texts } = cliTexts(lang)
  const paint = { stream: process.stdout }
  const earlier = (entries[0]?.step ?? 1) - 1
  const above = earlier === 0 ? [] : [`  ${texts.earlierCalls({ count: earlier })}`]
  return above.concat(
    entries.flatMap(({ step, action, observation, elapsed_ms, error, running, shadow, review }) => {
      const done = error === undefined ? styleText('green', '✓', paint) : styleText('red', '✗', paint)
      const mark = running ? '·' : done
      const outcome = error === undefined ? '' : ` ${styleText('red', namedCode(error, lang), paint)}`
      const took = styleText('dim', watch.ms({ ms: elapsed_ms }), paint)
      return [
        `  ${mark} ${step} ${oneLine(action.tool)} ${summaryOf(action.args)} ${took}${outcome}`,
        `      ${styleText('dim', fit(oneLine(error === undefined ? observation : resultWords(observation.replace(`${error}: `, ''), lang)), 100), paint)}`,
        ...(review === undefined ? [] : [`      ${styleText('dim', reviewWords(review, lang), paint)}`]),
        ...(shadow === undefined
          ? []
          : [`      ${styleText('yellow', texts.shadow(shadowParts(shadow, lang)), paint)}`]),
      ]
    }),
  )
}
