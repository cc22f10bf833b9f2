import { present } from '../base/present.ts'
import type { Policy, ScoutGate } from '../protocol/policy.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import type { AgentConfig } from './schema.ts'

/** The part of the configuration used by the gate. `rules`: those of the configuration, with their layers. */
export function toPolicy(config: AgentConfig, rules: readonly LayeredRule[]): Policy {
  const { autonomy, allowedCommands, blockedPaths, allowedHosts, provenance, trustedSources, reviewer } =
    config.security
  const { enabled, blockBudget, intents } = config.execution.intentGuard
  const { maxAutoRisk, minConfidence, blockedActions, maxActionsPerBatch } = config.decision
  return {
    security: {
      autonomy,
      ...present({ allowedCommands }),
      rules: [...rules],
      blockedPaths,
      allowedHosts,
      toolHosts: { feishu_bot: config.feishu.allowedHosts },
      provenance,
      trustedSources,
      ...present({ reviewer }),
    },
    intentGuard: { enabled, blockBudget, intents },
    decision: { maxAutoRisk, minConfidence, blockedActions, maxActionsPerBatch },
    scout: scoutGate(config),
  }
}

function scoutGate({ scout, sessionTokenBudget }: AgentConfig): ScoutGate {
  const { enabled, dispatchToolName, requireReadBeforeReport, forceReportOnToolLimit } = scout
  const { cooldownTurns, maxConcurrentScouts, overflow, maxQueue } = scout
  return {
    enabled,
    dispatchToolName,
    requireReadBeforeReport,
    forceReportOnToolLimit,
    cooldownTurns,
    maxConcurrentScouts,
    overflow,
    maxQueue,
    sessionTokenBudget,
  }
}
