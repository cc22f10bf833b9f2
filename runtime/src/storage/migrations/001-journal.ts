import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../database.ts'

export function createJournal({ dialect, sql: build }: Database): CompiledQuery[] {
  const { schema } = build
  const sqlite = dialect === 'sqlite'
  const whole = sqlite ? 'integer' : 'bigint'
  // Without `strict`, SQLite would accept text in a number column, and only a later read would fail.
  const end = sqlite ? sql`strict` : sql``

  return [
    schema
      .createTable('events')
      .addColumn('pos', sqlite ? 'integer' : 'bigserial', (c) =>
        sqlite ? c.primaryKey().autoIncrement() : c.primaryKey(),
      )
      .addColumn('run_id', 'text', (c) => c.notNull())
      .addColumn('seq', whole, (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('session_id', 'text', (c) => c.notNull())
      .addColumn('turn_id', 'text', (c) => c.notNull())
      .addColumn('scout_id', 'text')
      .addColumn('timestamp', whole, (c) => c.notNull())
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addUniqueConstraint('events_place', ['run_id', 'seq'])
      .modifyEnd(end),
    schema.createIndex('events_session').on('events').columns(['session_id', 'pos']),

    schema
      .createTable('runs')
      .addColumn('run_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('session_id', 'text', (c) => c.notNull())
      .addColumn('parent_run_id', 'text')
      .addColumn('started_at', whole, (c) => c.notNull())
      .addColumn('stopped_at', whole)
      .addColumn('stop_reason', 'text')
      .modifyEnd(end),
    schema.createIndex('runs_started').on('runs').columns(['started_at', 'run_id']),
    schema.createIndex('runs_session').on('runs').columns(['session_id', 'started_at', 'run_id']),
    schema
      .createIndex('runs_open')
      .on('runs')
      .columns(['started_at', 'run_id'])
      .where(sql.ref('stopped_at'), 'is', null),

    schema
      .createTable('seals')
      .addColumn('n', whole, (c) => c.primaryKey().notNull())
      .addColumn('run_id', 'text', (c) => c.notNull())
      .addColumn('last_seq', whole, (c) => c.notNull())
      .addColumn('last_hash', 'text', (c) => c.notNull())
      .addColumn('sealed_at', whole, (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .modifyEnd(end),
  ].map((statement) => statement.compile())
}
