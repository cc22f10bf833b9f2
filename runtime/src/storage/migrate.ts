import { CompiledQuery } from 'kysely'
import { ask, type Database, type Steps } from './database.ts'
import { advance } from './migrations/all.ts'
import { type NewStore, newStore } from './new-store.ts'
import { isCurrent, readVersions } from './schema-version.ts'

/** True when the database was empty, so everything in it is ours. */
export async function migrate(db: Database): Promise<boolean> {
  // Checking first needs no lock and no right to create tables, which a worker's database role may lack.
  const prepared = await db.query(db.isPrepared)
  const ours = await newStore()
  if (prepared.length > 0 && isCurrent(await db.query(readVersions(db)), ours.version)) return false
  return db.rebuild(db.dialect === 'sqlite' ? create(db, ours) : update(db))
}

const countObjects = CompiledQuery.raw('select count(*) as n from sqlite_master') as CompiledQuery<{ n: number }>

/** What is empty gets at once what all migrations would give it. */
function* create(db: Database, { statements }: NewStore): Steps<boolean> {
  const [objects] = yield* ask(countObjects)
  if (objects?.n !== 0) return yield* update(db)
  for (const statement of statements) yield CompiledQuery.raw(statement)
  return true
}

function* update(db: Database): Steps<boolean> {
  yield* advance(db)
  return false
}
