/** The denied calls of a run, read from the journal, including those before it was resumed. */
import type { Event } from '../protocol/event.ts'
import type { DenialReason, Stage } from '../protocol/verdict.ts'
import type { Store } from './store.ts'

/** A call that was denied, with every reason. */
export interface RefusedCall {
  runId: string
  callId: string
  tool: string
  reason: DenialReason
  all: DenialReason[]
  stage: Stage
  message: string
  hint?: string
  code?: string
}

/** Of these runs. Denials have codes, which are found without reading every result. */
export async function refusedCalls(store: Store, runs: readonly string[]): Promise<RefusedCall[]> {
  if ((await store.countCodes(runs)).length === 0) return []
  return (await store.readOf(runs, ['tool.result'])).flatMap(refusalIn)
}

export function refusalIn(event: Event): RefusedCall[] {
  if (event.type !== 'tool.result' || event.data.denial === undefined) return []
  const { callId, tool, denial } = event.data
  const { effect: _, ...told } = denial
  return [{ runId: event.runId, callId, tool, ...told }]
}
