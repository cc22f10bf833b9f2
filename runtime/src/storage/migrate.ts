import type { CompiledQuery } from 'kysely'
import { WritError } from '../errors/writ-error.ts'
import { ask, type Database, type Steps } from './database.ts'
import { createJournal } from './migrations/001-journal.ts'
import { createMemory } from './migrations/002-memory.ts'
import { createRoutines } from './migrations/003-routines.ts'
import { createTranscripts } from './migrations/004-transcripts.ts'
import { createDocs } from './migrations/005-docs.ts'
import { createTokens } from './migrations/006-tokens.ts'
import { createOperations } from './migrations/007-operations.ts'
import { markHearsay } from './migrations/008-hearsay.ts'
import { createDataFolder } from './migrations/009-data-folder.ts'
import { nameOwners } from './migrations/010-owners.ts'
import { sealKeptRows } from './migrations/011-kept.ts'
import { addRoutineApprovals } from './migrations/012-routine-approvals.ts'
import { createSpending } from './migrations/013-spending.ts'
import { createAccounts } from './migrations/014-accounts.ts'

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
]

export async function migrate(db: Database): Promise<void> {
  // Checking first needs no lock and no right to create tables, which a worker's database role may lack.
  const prepared = await db.query(db.isPrepared)
  if (prepared.length > 0 && isCurrent(await db.query(readVersions(db)))) return
  await db.rebuild(advance(db))
}

function* advance(db: Database): Steps<void> {
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
  if (isCurrent(done)) return
  for (const [index, { name, statements }] of MIGRATIONS.entries()) {
    const version = index + 1
    if (done.some((row) => row.version === version)) continue
    yield* statements(db)
    yield db.sql.insertInto('schema_version').values({ version, name }).compile()
  }
}

function readVersions({ sql }: Database): CompiledQuery<{ version: number; name: string }> {
  return sql.selectFrom('schema_version').select(['version', 'name']).orderBy('version').compile()
}

function isCurrent(done: readonly { version: number; name: string }[]): boolean {
  const newest = done.at(-1)
  if (newest !== undefined && newest.version > MIGRATIONS.length) {
    throw new WritError('STORE_TOO_NEW', { ...newest, known: MIGRATIONS.length })
  }
  return done.length === MIGRATIONS.length
}
