/** The states of a scout. Every transition is one of S4's edges; final states have none. */
import { WritError } from '../errors/writ-error.ts'
import { SCOUT_EDGES, type ScoutState } from '../protocol/scout.ts'

export function advance(from: ScoutState, to: ScoutState): ScoutState {
  if (SCOUT_EDGES[from].includes(to)) return to
  throw new WritError('SCOUT_STATE', { from, to })
}

export function isOver(state: ScoutState): boolean {
  return SCOUT_EDGES[state].length === 0
}
