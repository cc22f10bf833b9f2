/**
 * Pauses an append in the database at a chosen event: its rows are written, its transaction is still open.
 * The writer can be killed or frozen there, and the append then committed or rolled back.
 */
import pg from 'pg'
import { until } from '../support/until.ts'

const KEY = 77

const SETUP = `
  create sequence crash_hits;
  create table crash_hold (run_id text, seq bigint, during text);
  create function crash_wait() returns trigger language plpgsql as $$
  begin
    -- A sequence is not rolled back with its transaction, so only the first append is held.
    if exists (select from crash_hold where run_id = new.run_id and seq = new.seq and during = tg_argv[0])
      and nextval('crash_hits') = 1
    then
      perform pg_advisory_xact_lock_shared(${KEY});
    end if;
    return null;
  end $$;
  create trigger crash_insert after insert on writ.events for each row execute function crash_wait('insert');
  create constraint trigger crash_commit after insert on writ.events deferrable initially deferred
    for each row execute function crash_wait('commit')`

const CAUGHT = `
  select pid, application_name as writer from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and objid = ${KEY} and not granted`

/** Backends blocked by the held one. */
const BEHIND = `select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))`

export interface Caught {
  /** The `application_name` in the writer's database address. */
  writer: string
  /** Lets it commit. */
  release(): Promise<void>
  /** Rolls it back. */
  drop(): Promise<void>
  /** Whether another connection is waiting for it to end. */
  isAwaited(): Promise<boolean>
}

export interface Hold {
  /**
   * Holds the next append that has this event; of several, the first. Held at its commit, it is stored even without its
   * writer; held at its insert, the transaction stays open until its writer ends it.
   */
  arm(at: { runId: string; seq: number; during: 'insert' | 'commit' }): Promise<void>
  caught(): Promise<Caught>
  /** The last event of every committed append of a run. */
  endsOf(runId: string): Promise<number[]>
  close(): Promise<void>
}

/** Needs a database that already has the journal's tables. */
export async function openHold(url: string): Promise<Hold> {
  const client = new pg.Client({ connectionString: url })
  // Restarting the server drops this connection, and the hold with it.
  client.on('error', () => {})
  await client.connect()
  await client.query(SETUP)
  let shut = false

  async function open(): Promise<void> {
    if (shut) await client.query('select pg_advisory_unlock($1)', [KEY])
    shut = false
  }

  return {
    async arm({ runId, seq, during }) {
      await client.query('truncate crash_hold; alter sequence crash_hits restart')
      await client.query('insert into crash_hold values ($1, $2, $3)', [runId, seq, during])
      if (!shut) await client.query('select pg_advisory_lock($1)', [KEY])
      shut = true
    },
    async caught() {
      const { pid, writer } = await until(async () => (await client.query(CAUGHT)).rows[0])
      return {
        writer,
        release: open,
        isAwaited: async () => (await client.query(BEHIND, [pid])).rows[0].n > 0,
        async drop() {
          await client.query('select pg_terminate_backend($1, 60000)', [pid])
          await open()
        },
      }
    },
    async endsOf(runId) {
      const ends = 'select max(seq)::int as seq from writ.events where run_id = $1 group by xmin::text order by 1'
      return (await client.query(ends, [runId])).rows.map(({ seq }) => seq)
    },
    async close() {
      await open().catch(() => {})
      await client.end().catch(() => {})
    },
  }
}
