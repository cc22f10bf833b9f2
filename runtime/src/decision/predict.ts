/** From an observed window to a decision run: the backends are asked under the run's own journal. */
import type { StructuredContext } from '../protocol/action.ts'
import type { Backend } from './backends/backend.ts'
import { fallbackNoOp } from './backends/fallback-no-op.ts'
import { type DecisionEngine, type DecisionRun, openDecision } from './engine.ts'
import { beginDecision } from './log.ts'
import { askBackends } from './router.ts'

export interface PredictionInput {
  context: StructuredContext
  backends: readonly Backend[]
  deadlineMs: number
  signal: AbortSignal
  sessionId?: string
}

export async function openPrediction(engine: DecisionEngine, input: PredictionInput): Promise<DecisionRun> {
  const { context, signal, sessionId, ...asking } = input
  const { route, model } = input.backends[0] ?? fallbackNoOp
  const log = beginDecision(engine, { windowId: context.window_id, route, model, sessionId })
  try {
    const asked = await askBackends(context, { ...engine, ...asking, signal, journal: log })
    return await openDecision(engine, { ...asked, context, signal, log })
  } catch (error) {
    // Whatever ended the asking, the run must not stay open.
    await log.stop('aborted').catch(() => {})
    throw error
  }
}
