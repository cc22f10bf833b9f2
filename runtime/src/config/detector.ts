import type { Detector } from '../protocol/intent.ts'
import type { AgentConfig } from './schema.ts'

/**
 * How tasks are classified (S0-105): with a provider's model, it is asked about tasks with a cue; otherwise by phrase
 * lists only. `modelName` is the model in use, because a script or the rules may replace the configured one.
 */
export function detectorFor(config: AgentConfig, modelName: string): Detector {
  const provider = config.model !== undefined && modelName !== 'rules' && modelName !== 'scripted'
  return config.execution.intentGuard.detector ?? (provider ? 'auto' : 'heuristic')
}
