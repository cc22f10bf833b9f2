/** Scheduled tasks. */
import type { Autonomy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'

export interface Routine {
  name: string
  /** Five cron fields, or `@every 10m`. */
  schedule: string
  /** The time zone of the schedule. */
  timeZone: string
  task: string
  /** Stricter than the configuration; never looser. */
  autonomy?: Autonomy
  /** Approvals given in advance, under the keys of standing approvals. */
  approvals?: string[]
  paused: boolean
  createdAt: number
  /** `user`, or the run whose agent added it. */
  createdBy: string
  /** The principal its runs belong to. */
  owner: Principal
  lastRunAt?: number
  lastRunId?: string
  /** A stop reason, or `refused`: it ended, but a call it needed was denied. */
  lastStop?: string
  nextDueAt: number
}

export type RoutineDraft = Pick<Routine, 'name' | 'schedule' | 'task' | 'createdBy'> &
  Partial<Pick<Routine, 'timeZone' | 'autonomy' | 'approvals'>>

/** The routines of one principal, or of all. A routine of another principal counts as missing. */
export interface Routines {
  /** What `add` would store. Throws a WritError when the draft is invalid. */
  plan(draft: RoutineDraft): Routine
  /** Throws as `plan` does, and when the name is in use. */
  add(draft: RoutineDraft): Promise<Routine>
  /** Oldest first. */
  list(): Promise<Routine[]>
  /** Throws ROUTINE_UNKNOWN, as do the next three. */
  demand(name: string): Promise<Routine>
  /** A current run continues. */
  remove(name: string): Promise<void>
  pause(name: string): Promise<Routine>
  /** Continues with the next due time; those missed in between are skipped. */
  resume(name: string): Promise<Routine>
}
