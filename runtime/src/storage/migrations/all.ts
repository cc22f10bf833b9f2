import type { CompiledQuery } from 'kysely'
import { ask, type Database, type Steps } from '../database.ts'
import { isCurrent, readVersions } from '../schema-version.ts'
import { createJournal } from './001-journal.ts'
import { createMemory } from './002-memory.ts'
import { createRoutines } from './003-routines.ts'
import { createTranscripts } from './004-transcripts.ts'
import { createDocs } from './005-docs.ts'
import { createTokens } from './006-tokens.ts'
import { createOperations } from './007-operations.ts'
import { markHearsay } from './008-hearsay.ts'
import { createDataFolder } from './009-data-folder.ts'
import { nameOwners } from './010-owners.ts'
import { sealKeptRows } from './011-kept.ts'
import { addRoutineApprovals } from './012-routine-approvals.ts'
import { createSpending } from './013-spending.ts'
import { createAccounts } from './014-accounts.ts'
import { addSessionTitles } from './015-session-titles.ts'
import { indexChildRuns } from './016-child-runs.ts'

/** In order. A published migration is never edited; changes are new migrations. */
const MIGRATIONS: readonly { name: string; statements(db: Database): CompiledQuery[] | Steps<void> }[] = [
  { name: 'journal', statements: createJournal },
  { name: 'memory', statements: createMemory },
  { name: 'routines', statements: createRoutines },
  { name: 'transcripts', statements: createTranscripts },
  { name: 'docs', statements: createDocs },
  { name: 'tokens', statements: createTokens },
  { name: 'operations', statements: createOperations },
  { name: 'hearsay', statements: markHearsay },
  { name: 'data_folder', statements: createDataFolder },
  { name: 'owners', statements: nameOwners },
  { name: 'kept', statements: sealKeptRows },
  { name: 'routine_approvals', statements: addRoutineApprovals },
  { name: 'spending', statements: createSpending },
  { name: 'accounts', statements: createAccounts },
  { name: 'session_titles', statements: addSessionTitles },
  { name: 'child_runs', statements: indexChildRuns },
]

export function* advance(db: Database): Steps<void> {
  yield* db.excludeOthers
  yield* db.prepare
  yield db.sql.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .compile()

  // Read again under the lock: another process may have migrated in the meantime.
  const done = yield* ask(readVersions(db))
  if (isCurrent(done, MIGRATIONS.length)) return
  for (const [index, { name, statements }] of MIGRATIONS.entries()) {
    const version = index + 1
    if (done.some((row) => row.version === version)) continue
    yield* statements(db)
    yield db.sql.insertInto('schema_version').values({ version, name }).compile()
  }
}
