/** The tables as they are now; `migrations/` says how they came to be. */
import type { Generated } from 'kysely'

export interface EventTable {
  /** The order of storing, over all runs. */
  pos: Generated<number>
  run_id: string
  seq: number
  type: string
  session_id: string
  turn_id: string
  scout_id: string | null
  timestamp: number
  mode: string
  /** JSON text, as `data` is: plain text columns lose NUL and lone surrogates, and the hash with them. */
  reason: string
  data: string
  hash: string
}

export interface RunTable {
  run_id: string
  session_id: string
  parent_run_id: string | null
  started_at: number
  stopped_at: number | null
  stop_reason: string | null
}

export interface SealTable {
  n: number
  run_id: string
  last_seq: number
  last_hash: string
  sealed_at: number
  hash: string
}

interface VersionTable {
  version: number
  name: string
}

export interface Tables {
  events: EventTable
  runs: RunTable
  seals: SealTable
  schema_version: VersionTable
}
