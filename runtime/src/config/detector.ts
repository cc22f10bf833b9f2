import type { Detector } from '../protocol/intent.ts'
import type { AgentConfig } from './schema.ts'

/**
 * Who labels tasks (S0-105): where a provider's model was set, it is asked about tasks with a cue; else the phrase lists alone.
 * `modelName` is the one in use, since a script or the rules may stand in for what was set.
 */
export function detectorFor(config: AgentConfig, modelName: string): Detector {
  const provider = config.model !== undefined && modelName !== 'rules' && modelName !== 'scripted'
  return config.execution.intentGuard.detector ?? (provider ? 'auto' : 'heuristic')
}
