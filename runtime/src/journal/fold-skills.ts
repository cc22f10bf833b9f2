/** Part of the fold: the skills a turn uses, and the tools they leave. */
import type { EventOf } from '../protocol/event.ts'
import type { RunState } from '../protocol/state.ts'

export function applyRoute(state: RunState, { data: { route, tools } }: EventOf<'route.decided'>): void {
  state.skillRoute = route
  // A skill may only remove tools.
  if (tools !== undefined) {
    const { exposure } = state.profile
    state.unnarrowed = exposure
    state.profile = { ...state.profile, exposure: { only: tools, hidden: exposure.hidden } }
  }
  if (route.kind === 'clarify') state.outcome = { reason: 'clarification', text: route.question }
}

/** A skill loaded later adds its tools, limited to those the run had before routing. */
export function applySkill(state: RunState, { data: { allowedTools } }: EventOf<'skill.loaded'>): void {
  const { unnarrowed, profile } = state
  if (unnarrowed === undefined) return
  if (allowedTools === undefined) {
    state.profile = { ...profile, exposure: unnarrowed }
    state.unnarrowed = undefined
    return
  }
  const { only = [], hidden } = profile.exposure
  const added = allowedTools.filter((tool) => unnarrowed.only?.includes(tool) ?? true)
  state.profile = { ...profile, exposure: { only: [...new Set([...only, ...added])], hidden } }
}
