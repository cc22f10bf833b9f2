/** Where a scout stands. Every step is along one of S4's edges; an end is an end. */
import { WritError } from '../base/errors.ts'
import { SCOUT_EDGES, type ScoutState } from '../protocol/scout.ts'

export function advance(from: ScoutState, to: ScoutState): ScoutState {
  if (SCOUT_EDGES[from].includes(to)) return to
  throw new WritError('SCOUT_STATE', `a scout that is ${from} cannot become ${to}`)
}

export function isOver(state: ScoutState): boolean {
  return SCOUT_EDGES[state].length === 0
}
