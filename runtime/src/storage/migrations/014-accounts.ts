import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Reading about a run without reading all its events: what was counted of it, the events that are few in any run, and
 * the codes of its failures. The events of every step are left out of the indexes: they would cost each step a write.
 */
export function createAccounts({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const whole = dialect === 'sqlite' ? 'integer' : 'bigint'
  const end = dialect === 'sqlite' ? sql`strict` : sql``
  return [
    schema
      .createTable('accounts')
      .addColumn('run_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('seq', whole, (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull())
      .modifyEnd(end),
    schema
      .createIndex('events_rare')
      .on('events')
      .columns(['run_id', 'type', 'seq'])
      .where(
        sql<boolean>`type not in ('model.requested', 'model.replied', 'gate.decided', 'tool.call', 'tool.result')`,
      ),
    schema
      .createIndex('events_codes')
      .on('events')
      .columns(['run_id', 'reason'])
      .where(sql<boolean>`type in ('tool.result', 'action.denied') and reason <> '""'`),
  ].map((statement) => statement.compile())
}
