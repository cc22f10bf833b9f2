/** Tasks that are done again and again by the clock. */
import type { Autonomy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'

export interface Routine {
  name: string
  /** Five cron fields, or `@every 10m`. */
  schedule: string
  /** The zone whose clock the schedule is read on. */
  timeZone: string
  task: string
  /** Stricter than the configuration; never looser. */
  autonomy?: Autonomy
  /** What a person allowed it beforehand, as the gate keeps a standing yes. */
  approvals?: string[]
  paused: boolean
  createdAt: number
  /** `user`, or the run whose agent added it. */
  createdBy: string
  /** Whom its runs work for. */
  owner: Principal
  lastRunAt?: number
  lastRunId?: string
  /** A stop reason, or `refused`: it came to an end, but something it needed was not allowed. */
  lastStop?: string
  nextDueAt: number
}

export type RoutineDraft = Pick<Routine, 'name' | 'schedule' | 'task' | 'createdBy'> &
  Partial<Pick<Routine, 'timeZone' | 'autonomy' | 'approvals'>>

/** Of one principal, or of everyone for those who may say so. A routine of another one is as good as not there. */
export interface Routines {
  /** What `add` would keep. Throws a WritError that says what is wrong with the draft. */
  plan(draft: RoutineDraft): Routine
  /** Throws as `plan` does, and when the name is taken. */
  add(draft: RoutineDraft): Promise<Routine>
  /** The oldest first. */
  list(): Promise<Routine[]>
  /** Throws ROUTINE_UNKNOWN, as do the next three. */
  demand(name: string): Promise<Routine>
  /** A run under way goes on. */
  remove(name: string): Promise<void>
  pause(name: string): Promise<Routine>
  /** Goes on with the next due time from now; what was due meanwhile is not made up for. */
  resume(name: string): Promise<Routine>
}
