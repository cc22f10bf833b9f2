/** A run that a schedule started: no person can be asked, and the routine's own restrictions apply. */
import type { Event, EventData } from '../protocol/event.ts'
import { AUTONOMY_LEVELS, type Autonomy, type Policy } from '../protocol/policy.ts'
import type { Profile } from '../protocol/profile.ts'
import { PROFILES } from './profile.ts'

export type RoutineFiring = EventData['routine.fired']

/** A chat's profile without a person to ask. It cannot add routines: those need an approval. */
export function unattended({ exposure, ...profile }: Profile): Profile {
  const { mode, human } = PROFILES.routine
  return { ...profile, mode, human, exposure: { ...exposure, hidden: [...exposure.hidden, 'routine'] } }
}

/** Applies the routine's own autonomy where it is stricter than the configuration's. */
export function withRoutinePolicy<Base extends { policy: Policy; shadow?: { policy: Policy } | undefined }>(
  base: Base,
  firing: RoutineFiring | undefined,
): Base {
  if (firing?.autonomy === undefined) return base
  const { autonomy } = firing
  const shadow = base.shadow && { ...base.shadow, policy: withAutonomy(base.shadow.policy, autonomy) }
  return { ...base, policy: withAutonomy(base.policy, autonomy), ...(shadow && { shadow }) }
}

function withAutonomy(policy: Policy, wanted: Autonomy): Policy {
  const { security } = policy
  const level = Math.min(AUTONOMY_LEVELS.indexOf(security.autonomy), AUTONOMY_LEVELS.indexOf(wanted))
  const autonomy = AUTONOMY_LEVELS[level] ?? 'ReadOnly'
  return { ...policy, security: { ...security, autonomy } }
}

export function firingOf(events: readonly Event[]): RoutineFiring | undefined {
  return events.find((event) => event.type === 'routine.fired')?.data
}
