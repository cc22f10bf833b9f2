/** The nodes of a workflow, read from its journal. */
import { styleText } from 'node:util'
import { present } from '../base/present.ts'
import { namedCode } from '../i18n/code-words.ts'
import type { Event } from '../protocol/event.ts'
import type { TraceEntry } from '../protocol/trace.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'
import { fit } from './visible.ts'
import { workflowCliTexts } from './workflow-texts.ts'

const WHY_WIDTH = 100

export interface NodeView {
  node: string
  /** Absent when it was skipped. */
  tool?: string
  /** Of the last attempt. */
  runId?: string
  /** Absent while it is running. */
  state?: 'done' | 'failed' | 'skipped'
  elapsed_ms?: number
  error?: string
  message?: string
  /** For an agent node: its run and what it did. */
  agent?: { runId: string; trace: TraceEntry[] }
}

/** In the order in which they started or were skipped. Empty for a run that is not a workflow. */
export function nodesIn(events: readonly Event[]): NodeView[] {
  const nodes = new Map<string, NodeView>()
  for (const event of events) {
    if (event.type === 'node.started') {
      const { node, tool, runId } = event.data
      nodes.set(node, { node, tool, ...present({ runId }) })
    }
    if (event.type !== 'node.finished') continue
    const { node, ok, state = ok ? 'done' : 'failed', elapsedMs, code, message } = event.data
    nodes.set(node, {
      ...(nodes.get(node) ?? { node }),
      state,
      elapsed_ms: elapsedMs,
      ...present({ error: code, message }),
    })
  }
  return [...nodes.values()]
}

/** One line per node, with the reason of a failure or skip below. */
export function nodeLines(nodes: readonly NodeView[], { lang }: Pick<Io, 'lang'>): string[] {
  const { trace: texts, watch } = cliTexts(lang)
  const paint = { stream: process.stdout }
  const mark = {
    done: styleText('green', '✓', paint),
    failed: styleText('red', '✗', paint),
    skipped: styleText('dim', '-', paint),
  }
  return nodes.flatMap(({ node, tool = '', runId = '', state, elapsed_ms: ms, error, message = '' }) => {
    const took = ms === undefined || state === 'skipped' ? '' : watch.ms({ ms })
    const status = state === undefined ? texts.open : took
    const parts = [state === undefined ? '?' : mark[state], node, tool, styleText('dim', status, paint), runId]
    const line = [...parts, error === undefined ? '' : styleText('red', namedCode(error, lang), paint)].filter(
      (part) => part !== '',
    )
    const why = state === 'skipped' ? workflowCliTexts(lang).skipped({ why: message }) : message
    return [
      `  ${line.join(' ')}`,
      ...(message === '' ? [] : [`      ${styleText('dim', fit(oneLine(why), WHY_WIDTH), paint)}`]),
    ]
  })
}
