import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Whether the writing run had read untrusted text is unknown for older memories: only those stored by a person count as
 * trusted.
 */
export function markHearsay({ sql: build }: Database): CompiledQuery[] {
  return [
    build.schema
      .alterTable('memories')
      .addColumn('retold', 'integer', (c) => c.notNull().defaultTo(1))
      .compile(),
    build.updateTable('memories').set({ retold: 0 }).where('kind', '=', 'user').compile(),
  ]
}
