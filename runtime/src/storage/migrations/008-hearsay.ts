import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/** What a run had heard when it wrote a memory is not known of older ones: only a person's own are taken for ours. */
export function markHearsay({ sql: build }: Database): CompiledQuery[] {
  return [
    build.schema
      .alterTable('memories')
      .addColumn('retold', 'integer', (c) => c.notNull().defaultTo(1))
      .compile(),
    build.updateTable('memories').set({ retold: 0 }).where('kind', '=', 'user').compile(),
  ]
}
