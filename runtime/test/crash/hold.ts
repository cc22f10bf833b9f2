/**
 * Stops an append in the database, at the event that was asked for: its rows are written, its transaction is not over.
 * Whoever wrote them can be killed or frozen there, and the append then be stored or lost.
 */
import pg from 'pg'
import { until } from '../support/until.ts'

const KEY = 77

const SETUP = `
  create sequence crash_hits;
  create table crash_hold (run_id text, seq bigint, during text);
  create function crash_wait() returns trigger language plpgsql as $$
  begin
    -- A sequence counts whether or not its transaction ends well: only the first to come is held.
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

/** Whoever waits for something that the held one has. */
const BEHIND = `select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))`

export interface Caught {
  /** The `application_name` in the database address of whoever wrote it. */
  writer: string
  /** It is stored, as if nothing had been. */
  release(): Promise<void>
  /** Nothing of it is stored. */
  drop(): Promise<void>
  /** Whether somebody else has come and waits for the end of it. */
  isAwaited(): Promise<boolean>
}

export interface Hold {
  /**
   * The next append that has this event; of several, the first. Held at its commit it needs nobody any more to be
   * stored; held at its insert, the transaction stays open until its writer ends it.
   */
  arm(at: { runId: string; seq: number; during: 'insert' | 'commit' }): Promise<void>
  caught(): Promise<Caught>
  /** The places of a run after which something was stored for good: the last event of every append. */
  endsOf(runId: string): Promise<number[]>
  close(): Promise<void>
}

/** On a database in which the journal's tables are. */
export async function openHold(url: string): Promise<Hold> {
  const client = new pg.Client({ connectionString: url })
  // A server that is restarted takes the hold with it.
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
