/**
 * An exploration interrupted by a crash: finished scouts keep their results, the others count as interrupted and keep
 * the calls they had finished.
 */
import { isObject } from '../base/json.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { ToolCall } from '../protocol/message.ts'
import { aggregate } from './aggregate.ts'
import { type ExploreResult, readRequest, type ScoutTaskResult } from './contracts.ts'
import { Notebook } from './notebook.ts'

/** From the events of the session. Undefined when the call had sent no scout yet. */
export function recoverExploration(
  call: ToolCall,
  events: readonly StoredEvent[],
  { runId, lang }: { runId: string; lang: Lang },
): ExploreResult | undefined {
  const chains = Map.groupBy(events, ({ scoutId }) => scoutId)
  const sent = [...chains.values()].filter((chain) =>
    chain.some(({ type, data }) => {
      const { parentRunId, callId } = data as Record<string, unknown>
      return type === 'SCOUT_TRIGGERED' && parentRunId === runId && callId === call.id
    }),
  )
  if (sent.length === 0) return undefined
  const left = sent.map((chain) => resultIn(chain, lang))
  // In the order of the tasks; a scout that was never sent has no id.
  const results = readRequest(call.args).tasks.map(({ task }) => {
    const at = left.findIndex((result) => result.task === task)
    return left.splice(at, at < 0 ? 0 : 1)[0] ?? interrupted({ scoutId: '', task }, lang)
  })
  return aggregate(results, { lang, aborted: false })
}

function resultIn(chain: readonly StoredEvent[], lang: Lang): ScoutTaskResult {
  const task = chain.find(({ type }) => type === 'SCOUT_TRIGGERED')?.data ?? {}
  const unknown = interrupted({ scoutId: chain[0]?.scoutId ?? '', task: 'task' in task ? String(task.task) : '' }, lang)
  const { result } = (chain.find(({ type }) => ENDS.has(type))?.data ?? {}) as Record<string, unknown>
  const { error: _, ...blank } = unknown
  if (isObject(result)) return { ...blank, ...(result as Partial<ScoutTaskResult>) }
  const notebook = new Notebook()
  for (const event of chain) notebook.take(event)
  return { ...unknown, toolRuns: notebook.toolRuns }
}

const ENDS: ReadonlySet<string> = new Set(['SCOUT_COMPLETED', 'SCOUT_FAILED', 'SCOUT_TIMEOUT', 'SCOUT_ABORTED'])

function interrupted(about: { scoutId: string; task: string }, lang: Lang): ScoutTaskResult {
  const error = { code: 'INTERRUPTED', message: messages(lang).stop.interrupted }
  const nothing = { summary: '', evidence: [], confidence: 0, grounding: { kept: 0, dropped: 0 }, toolRuns: [] }
  return { ...about, status: 'failed', ...nothing, error }
}
