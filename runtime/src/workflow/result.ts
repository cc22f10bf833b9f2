/** How nodes and workflows ended, for the journal and the caller. */
import type { JsonObject } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import type { EventData } from '../protocol/event.ts'
import type { Stop, StopReason } from '../protocol/stop.ts'
import { isHandled, mainOutputOf, type NodeEnd, type Standing } from './plan.ts'
import type { WorkflowResult } from './run.ts'
import { workflowTexts } from './texts.ts'

export function finished(node: string, end: NodeEnd, message: string | undefined): EventData['node.finished'] {
  const { error, ...rest } = end
  return {
    node,
    ok: end.state === 'done',
    ...rest,
    ...(message === undefined ? {} : { message }),
    ...(error === undefined ? {} : error),
  }
}

/** A failure that an error edge handled is not a failure of the workflow. */
export function stopOf(standing: Standing, { aborted, lang }: { aborted: boolean; lang: Lang }): Stop {
  const ends = [...standing.ended]
  const failed = ends.some(([id, { state }]) => state === 'failed' && !isHandled(id, standing))
  const count = (state: NodeEnd['state']) => ends.filter(([, end]) => end.state === state).length
  return {
    reason: aborted ? 'aborted' : failed ? 'tool_error' : 'final',
    text: workflowTexts(lang).summary({ done: count('done'), failed: count('failed'), skipped: count('skipped') }),
  }
}

/** In the order of the document. */
export function resultOf(
  { workflow, ended }: Omit<Standing, 'lookup'>,
  stopReason: StopReason,
): Omit<WorkflowResult, 'runId' | 'sessionId'> {
  const ends = workflow.nodes.flatMap(({ id }): [string, NodeEnd][] => {
    const end = ended.get(id)
    return end === undefined ? [] : [[id, end]]
  })
  const ok = stopReason === 'final'
  const done = ends.flatMap(([, end]) => (ok && end.state === 'done' ? [end] : []))
  const output = mainOutputOf(done.findLast(({ primary }) => primary !== undefined) ?? done.at(-1))
  return {
    ok,
    stopReason,
    ...(output === undefined ? {} : { output }),
    outputs: Object.fromEntries(
      ends.flatMap(([id, { outputs }]): [string, JsonObject][] => (outputs === undefined ? [] : [[id, outputs]])),
    ),
    nodes: Object.fromEntries(
      ends.map(([id, { state, elapsedMs, error }]) => [
        id,
        { state, elapsedMs, ...(error === undefined ? {} : { error }) },
      ]),
    ),
  }
}
