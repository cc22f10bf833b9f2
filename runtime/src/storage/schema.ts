/** The current tables; `migrations/` creates them. */
import type { Generated } from 'kysely'

export interface EventTable {
  /** The storage order over all runs. */
  pos: Generated<number>
  run_id: string
  seq: number
  type: string
  session_id: string
  turn_id: string
  scout_id: string | null
  timestamp: number
  mode: string
  /** JSON text, like `data`: plain text columns lose NUL and lone surrogates, which would change the hash. */
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

/** What was counted of a run, up to one of its events. */
export interface AccountTable {
  run_id: string
  seq: number
  /** JSON text. */
  account: string
}

export interface SealTable {
  n: number
  run_id: string
  last_seq: number
  last_hash: string
  sealed_at: number
  hash: string
  tombstone: string | null
}

export interface MemoryTable {
  pos: Generated<number>
  id: string
  /** JSON text, for the reason given at `EventTable`. */
  content: string
  tags: string
  kind: string
  session_id: string
  run_id: string
  tool: string | null
  mark: string | null
  retold: number
  created_at: number
  /** A principal. */
  owner: string
}

/** The search index of memories: an FTS5 table in SQLite, a tsvector in PostgreSQL. */
interface MemoryIndexTable {
  /** The memory's `pos`. */
  rowid: number
  words: string
}

export interface RoutineTable {
  name: string
  schedule: string
  time_zone: string
  /** JSON text, for the reason given at `EventTable`. */
  task: string
  autonomy: string | null
  paused: number
  created_at: number
  created_by: string
  last_run_at: number | null
  last_run_id: string | null
  last_stop: string | null
  next_due_at: number
  /** The run that has claimed it, and when the claim expires unless renewed. */
  held_by: string | null
  held_until: number | null
  /** A principal. */
  owner: string
  /** A JSON list. */
  approvals: string | null
}

interface TranscriptTable {
  /** Escaped as in JSON, for the reason given at `EventTable`. */
  session: string
  /** A JSON array. */
  messages: string
  expires_at: number
}

export interface DocFileTable {
  pos: Generated<number>
  /** The workspace it belongs to. */
  place: string
  path: string
  stamp: string
  hash: string
  title: string
  skipped: string | null
  sections: number
  indexed_at: number
}

export interface DocSectionTable {
  pos: number
  /** The document's `pos`. */
  file: number
  line: number
  heading: string
  text: string
}

/** The search index of sections: a column for each part in SQLite, one weighted vector in PostgreSQL. */
interface DocIndexTable {
  /** The section's `pos`. */
  rowid: number
  title?: string
  heading?: string
  words: string
}

/** Only the hash of a bearer token is stored. */
export interface TokenTable {
  id: string
  name: string
  hash: string
  /** Names separated by spaces. */
  scopes: string
  principal: string
  created_at: number
  used_at: number | null
  revoked_at: number | null
}

export interface SessionOwnerTable {
  session_id: string
  /** A principal. A session without a row belongs to the local user. */
  owner: string
  created_at: number
  /** JSON text, for the reason given at `EventTable`. Null: it is named by its first message. */
  title: string | null
}

export interface LeaseTable {
  name: string
  holder: string
  held_until: number
}

/** The salt of the row's hash; deleted with the row. */
interface KeptSaltTable {
  key: string
  salt: string
}

interface SpendingTable {
  run_id: string
  /** UTC: 2026-11-18. */
  day: string
  /** A principal. */
  owner: string
  root_run_id: string
  usd: number
}

/** One row. SQLite only: a network database is not copied with a folder. */
interface DataFolderTable {
  id: string
  /** HMAC of the id with WRIT_DATA_KEY. */
  seal: string | null
}

interface SqliteMasterTable {
  type: string
  name: string
}

interface VersionTable {
  version: number
  name: string
}

export interface Tables {
  events: EventTable
  runs: RunTable
  accounts: AccountTable
  seals: SealTable
  memories: MemoryTable
  memory_index: MemoryIndexTable
  routines: RoutineTable
  transcripts: TranscriptTable
  doc_files: DocFileTable
  doc_sections: DocSectionTable
  doc_index: DocIndexTable
  tokens: TokenTable
  session_owners: SessionOwnerTable
  leases: LeaseTable
  kept_salts: KeptSaltTable
  spending: SpendingTable
  data_folder: DataFolderTable
  schema_version: VersionTable
  sqlite_master: SqliteMasterTable
}
