import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Until now the console that a server opens for its operator had a token; it is the local user. */
const CONSOLE = 'tok_console'
const LOCAL = 'local'

/**
 * Everything gets an owner. The principal of a token is its id, which its sessions already use. What a run of the
 * server wrote belongs to the run's owner, and everything else to the local user.
 */
export function nameOwners({ sql: build }: Database): CompiledQuery[] {
  const ownerOf = (session: RawBuilder<unknown>) =>
    sql<string>`coalesce((select owner from session_owners where session_owners.session_id = ${session}), ${LOCAL})`
  const byRun = sql`(select runs.session_id from runs where runs.run_id = routines.created_by)`
  // Names of revoked tokens can be used again: the last token that existed when the routine was added is meant.
  const byToken = sql`(select tokens.id from tokens
    where tokens.name = routines.created_by and tokens.created_at <= routines.created_at
    order by tokens.created_at desc, tokens.id desc limit 1)`
  const added = (table: 'memories' | 'routines' | 'tokens', column: string) =>
    build.schema
      .alterTable(table)
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(LOCAL))
      .compile()
  return [
    added('tokens', 'principal'),
    build
      .updateTable('tokens')
      .set({ principal: sql.ref<string>('id') })
      .compile(),
    build.updateTable('session_owners').set({ owner: LOCAL }).where('owner', '=', CONSOLE).compile(),
    added('memories', 'owner'),
    build
      .updateTable('memories')
      .set({ owner: ownerOf(sql`memories.session_id`) })
      .compile(),
    build.schema.createIndex('memories_owner').on('memories').columns(['owner', 'created_at', 'pos']).compile(),
    added('routines', 'owner'),
    // Added by an agent in a run, by a token at the server, or by a person on the command line or in the console.
    build
      .updateTable('routines')
      .set({
        owner: sql<string>`case when ${byRun} is not null then ${ownerOf(byRun)}
          when routines.created_by = 'user' then ${LOCAL}
          else coalesce(${byToken}, ${LOCAL}) end`,
      })
      .compile(),
  ]
}
