/** A run that the clock began: nobody can be asked, and it is held to what its routine was given. */
import type { Event, EventData } from '../protocol/event.ts'
import { AUTONOMY_LEVELS, type Policy } from '../protocol/policy.ts'
import type { Profile } from '../protocol/profile.ts'
import { PROFILES } from './profile.ts'

export type RoutineFiring = EventData['routine.fired']

/** As a chat, but alone. It cannot give itself further orders for later: those need a person. */
export function unattended({ exposure, ...profile }: Profile): Profile {
  const { mode, human } = PROFILES.routine
  return { ...profile, mode, human, exposure: { ...exposure, hidden: [...exposure.hidden, 'routine'] } }
}

/** The policy for a routine's run: the configuration's, or the routine's own where that is stricter. */
export function heldTo<Base extends { policy: Policy }>(base: Base, firing: RoutineFiring | undefined): Base {
  if (firing?.autonomy === undefined) return base
  const { security } = base.policy
  const level = Math.min(AUTONOMY_LEVELS.indexOf(security.autonomy), AUTONOMY_LEVELS.indexOf(firing.autonomy))
  const autonomy = AUTONOMY_LEVELS[level] ?? 'ReadOnly'
  return { ...base, policy: { ...base.policy, security: { ...security, autonomy } } }
}

export function firingOf(events: readonly Event[]): RoutineFiring | undefined {
  return events.find((event) => event.type === 'routine.fired')?.data
}
