import type { Policy } from '../protocol/policy.ts'
import type { AgentConfig } from './schema.ts'

/** The part of the configuration the gate judges by. */
export function toPolicy(config: AgentConfig): Policy {
  const { autonomy, allowedCommands, blockedPaths, allowedHosts, provenance, trustedSources } = config.security
  const { enabled, blockBudget, intents } = config.execution.intentGuard
  const { dispatchToolName, requireReadBeforeReport, forceReportOnToolLimit } = config.scout
  return {
    security: { autonomy, allowedCommands, blockedPaths, allowedHosts, provenance, trustedSources },
    intentGuard: { enabled, blockBudget, intents },
    decision: config.decision,
    scout: { enabled: config.scout.enabled, dispatchToolName, requireReadBeforeReport, forceReportOnToolLimit },
  }
}
