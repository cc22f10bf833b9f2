import { styleText } from 'node:util'
import { settingOf } from '../../agent/setting.ts'
import { WritError } from '../../base/errors.ts'
import { standingOf, traceRun } from '../../dispatch/standing.ts'
import { PRICES } from '../../journal/prices.ts'
import type { RunRow, Store } from '../../journal/store.ts'
import { type Totals, totalOf } from '../../journal/totals.ts'
import type { StoredEvent } from '../../protocol/event.ts'
import type { Trace, TraceEntry } from '../../protocol/trace.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import type { Leases } from '../../storage/leases.ts'
import { AGENT_CORE } from '../../workflow/nodes/agent-core-config.ts'
import { actionLines, actionsIn, type RecordedActions } from '../decision-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { withJournal } from '../journal.ts'
import { type NodeView, nodeLines, nodesIn } from '../node-lines.ts'
import { settingFlags } from '../setting-flags.ts'
import { textTable } from '../table.ts'
import { cliTexts } from '../texts.ts'
import { fit } from '../visible.ts'
import { summaryOf } from '../watch.ts'

const LISTED = 20

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
    // Scouts and nodes begin after the run they belong to; what was done is told there.
    const latest = (await store.listRuns({ limit: 1000 })).find(({ parentRunId }) => parentRunId === undefined)
    const runId = named === undefined ? (latest?.runId ?? '') : await runNamed(store, named)
    const events = await store.readRun(runId)
    if (events.length === 0) {
      throw new WritError('RUN_UNKNOWN', texts.unknown({ id: runId }), { hint: texts.unknownHint })
    }
    const found = await traceRun(store, leases, runId)
    const nodes = await withAgents(nodesIn(events), (node) => agentOf(node, store, leases))
    // A configuration that cannot be read has no prices of its own, and must not hide what was done.
    const own = await settingOf(settingFlags(given, io)).catch(() => undefined)
    const total = await totalOf(store, runId, { ...PRICES, ...own?.loaded.config.prices })
    const actions = actionsIn(events)
    const parts = { ...(nodes.length === 0 ? {} : { nodes }), ...(actions === undefined ? {} : { actions }) }
    if (json) io.stdout(`${JSON.stringify({ ...found, ...parts, total })}\n`)
    else io.stdout(`${traceText(found, { runId, task: taskOf(events), io, ...parts, total })}\n`)
    return 0
  })
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

/** A scout is known by its own id as well as by that of its run. */
export async function runNamed(store: Store, named: string): Promise<string> {
  const [found] = named.startsWith('scout_') ? await store.listRuns({ scoutId: named }) : []
  return found?.runId ?? named
}

type Listed = RunRow & { task: string }

async function listed(store: Store, leases: Leases): Promise<Listed[]> {
  const runs = await store.listRuns({ limit: LISTED })
  return Promise.all(
    runs.map(async (run) => {
      const task = taskOf(await store.readRun(run.runId))
      const isCutOff = !run.stopped && (await standingOf(store, leases, run)) === 'cut-off'
      return { ...run, ...(isCutOff ? { stopReason: 'interrupted' as const } : {}), task }
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
      each.stopReason ?? texts.open,
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
  /** Of a workflow: it makes no calls itself. */
  nodes?: readonly NodeView[]
  /** Of a decision: it calls no tools. */
  actions?: RecordedActions
  total?: Totals
}

function spentIn({ usage, cost, children }: Totals): { input: number; output: number; children: number; cost: string } {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    children,
    cost: cost === undefined ? '' : `$${cost.toFixed(4)}`,
  }
}

/** The trace as people read it: a line per call or node, what came of it beneath. */
export function traceText({ trace: entries, ...end }: Trace, at: TraceOf): string {
  const { trace: texts } = cliTexts(at.io.lang)
  const paint = { stream: process.stdout }
  const nodes = (at.nodes ?? []).flatMap((node) => [...nodeLines([node], at.io), ...agentLines(node.agent, at.io)])
  const actions = at.actions === undefined ? [] : actionLines(at.actions, at.io)
  const lines = [...nodes, ...actions, ...callLines(entries, at.io)]
  const told = end.error ?? end.final_answer
  return [
    styleText('bold', texts.run({ id: at.runId }), paint),
    texts.task({ task: fit(oneLine(at.task), 100) }),
    ...(lines.length === 0 ? [`  ${texts.noCalls}`] : lines),
    texts.end({ reason: end.finish_reason ?? texts.open }),
    ...(at.total === undefined ? [] : [texts.spent(spentIn(at.total))]),
    ...(told === '' ? [] : ['', visible(told)]),
  ].join('\n')
}

/** Beneath its node: the agent's run, by the command that shows all of it, and a line or two per step. */
function agentLines(agent: NodeView['agent'], io: Io): string[] {
  if (agent === undefined) return []
  const { trace: texts } = cliTexts(io.lang)
  return [texts.agentRun({ id: agent.runId }), ...callLines(agent.trace, io)].map((line) => `      ${line}`)
}

function callLines(entries: readonly TraceEntry[], { lang }: Io): string[] {
  const { watch } = cliTexts(lang)
  const paint = { stream: process.stdout }
  return entries.flatMap(({ step, action, observation, elapsed_ms, error, running }) => {
    const done = error === undefined ? styleText('green', '✓', paint) : styleText('red', '✗', paint)
    const mark = running ? '·' : done
    const outcome = error === undefined ? '' : ` ${styleText('red', error, paint)}`
    const took = styleText('dim', watch.ms({ ms: elapsed_ms }), paint)
    return [
      `  ${mark} ${step} ${oneLine(action.tool)} ${summaryOf(action.args)} ${took}${outcome}`,
      `      ${styleText('dim', fit(oneLine(observation), 100), paint)}`,
    ]
  })
}
