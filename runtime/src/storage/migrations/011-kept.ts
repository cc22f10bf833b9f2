import { sql } from 'kysely'
import type { Database, Steps } from '../database.ts'
import { sealAllKept } from '../kept.ts'

/** From here on the chain also covers memories, routines and tokens; existing ones are sealed as they are. */
export function* sealKeptRows(db: Database): Steps<void> {
  yield db.sql.schema
    .createTable('kept_salts')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('salt', 'text', (c) => c.notNull())
    .modifyEnd(db.dialect === 'sqlite' ? sql`strict` : sql``)
    .compile()
  yield* sealAllKept(db)
}
