/** Scouts as the configuration allows them: their tools, the advice, and the list of live scouts. */

import type { Engine, Scouting } from '../agent/turn.ts'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import type { Store } from '../journal/store.ts'
import { processSlots } from '../scout/concurrency.ts'
import { exploreTool } from '../scout/explore-tool.ts'
import { type ScoutOrchestrator, scoutOrchestrator } from '../scout/orchestrator.ts'
import { reportTool } from '../scout/report-tool.ts'
import { scoutingFor } from '../scout/scouting.ts'
import type { Tool } from '../tool/tool.ts'

type Dispatch = Pick<ScoutOrchestrator, 'busy' | 'runMany'>

export function scoutTools({ loaded }: WorkspaceContext, scouts: Dispatch): Tool[] {
  const { config, lang } = loaded
  const { enabled, dispatchToolName: name } = config.scout
  const maxLen = config.limits.observationMaxLen
  return [...(enabled ? [exploreTool(scouts, { name, maxLen })] : []), reportTool(lang)]
}

export interface AgentScouts {
  scouts: ScoutOrchestrator
  /** Undefined where no scouts can be sent. */
  scouting: Scouting | undefined
}

export function agentScouts(
  { loaded }: WorkspaceContext,
  { engine, store }: { engine(): Engine; store: Pick<Store, 'readSession'> },
): AgentScouts {
  const { config, policy, lang } = loaded
  const { disabled } = config.tools
  const { enabled, dispatchToolName, maxProfile } = config.scout
  return {
    scouts: scoutOrchestrator({ engine, config: config.scout, disabledTools: disabled, slots: processSlots }),
    scouting:
      enabled && !disabled.includes(dispatchToolName) ? scoutingFor({ store, policy, maxProfile, lang }) : undefined,
  }
}
