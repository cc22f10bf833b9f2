import type { AgentConfig } from './schema.ts'

/**
 * Who labels tasks (S0-105): the model when a provider's was set, else the phrase lists, which need none.
 * `modelName` is the one in use, since a script or the rules may stand in for what was set.
 */
export function detectorFor(config: AgentConfig, modelName: string): 'heuristic' | 'model' {
  const provider = config.model !== undefined && modelName !== 'rules' && modelName !== 'scripted'
  return config.execution.intentGuard.detector ?? (provider ? 'model' : 'heuristic')
}
