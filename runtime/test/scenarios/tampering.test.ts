/** `writ audit verify` on a store changed by hand, with and without a head stored elsewhere. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canonical } from '../../src/base/json.ts'
import { GENESIS, hashEvent } from '../../src/journal/journal.ts'
import { hashSeal, type Seal } from '../../src/journal/store.ts'
import type { Event, StoredEvent } from '../../src/protocol/event.ts'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
  place.file('notes.txt', 'words\n')
})
afterEach(() => place.remove())

const journal = () => new DatabaseSync(join(place.data, 'journal.db'))
const change = (sql: string, ...values: (string | number)[]) => {
  const db = journal()
  const { changes } = db.prepare(sql).run(...values)
  db.close()
  return changes
}
const verify = async (...words: string[]) => {
  const { code, stdout } = await place.writ(['audit', 'verify', '--json', ...words])
  return {
    code,
    ...(JSON.parse(stdout) as { ok: boolean; head: string; kept: number; breaches: { runId: string; why: string }[] }),
  }
}
const told = async (...words: string[]) => (await verify(...words)).breaches.map(({ why }) => why)
const run = async (task: string, ...words: string[]) => {
  const ended = (await place.writ(['run', task, '--json', ...words])).json().at(-1)
  return String(ended?.runId)
}

/** An attacker who can write the file can also recompute all hashes. */
function rewriteAll(edit: (event: Event) => Event): void {
  const db = journal()
  const rows = db.prepare('select * from events order by run_id, seq').all() as Record<string, string | number | null>[]
  const heads = new Map<string, StoredEvent>()
  for (const row of rows) {
    const event = edit({
      seq: row.seq,
      type: row.type,
      sessionId: row.session_id,
      turnId: row.turn_id,
      runId: row.run_id,
      scoutId: row.scout_id,
      mode: row.mode,
      timestamp: row.timestamp,
      reason: JSON.parse(String(row.reason)),
      data: JSON.parse(String(row.data)),
    } as unknown as Event)
    const hash = hashEvent(heads.get(event.runId)?.hash ?? GENESIS, event)
    heads.set(event.runId, { ...event, hash })
    db.prepare('update events set data = ?, hash = ? where run_id = ? and seq = ?').run(
      canonical(event.data),
      hash,
      event.runId,
      event.seq,
    )
    db.prepare('update seals set last_hash = ? where run_id = ? and last_seq = ?').run(hash, event.runId, event.seq)
  }
  let previous = GENESIS
  for (const row of db.prepare('select * from seals order by n').all() as Record<string, string | number | null>[]) {
    const seal = {
      n: row.n,
      runId: row.run_id,
      lastSeq: row.last_seq,
      lastHash: row.last_hash,
      sealedAt: row.sealed_at,
      ...(row.tombstone === null ? {} : { tombstone: row.tombstone }),
    } as Omit<Seal, 'hash'>
    previous = hashSeal(previous, seal)
    db.prepare('update seals set hash = ? where n = ?').run(previous, seal.n)
  }
  db.close()
}

describe('with a head stored elsewhere', () => {
  const CUT = expect.stringMatching(/the chain does not contain the head [0-9a-f]{64}: it was truncated or rewritten/)

  test('deleting the newest run with all references to it is detected', async () => {
    await run('read notes.txt')
    const newest = await run('list files here')
    const { head } = await verify()
    expect((await place.writ(['audit', 'verify', '--head', head])).stdout).toContain('1 external head')
    const db = journal()
    const first = db.prepare('select min(n) as n from seals where run_id = ?').get(newest)?.n as number
    db.exec(`delete from events where run_id = '${newest}'; delete from runs where run_id = '${newest}'`)
    const gone = db.prepare('select run_id from seals where n >= ? and last_seq = 0').all(first) as { run_id: string }[]
    for (const { run_id } of gone) db.prepare('delete from memories where id = ?').run(run_id.replace('memory:', ''))
    db.prepare('delete from seals where n >= ?').run(first)
    db.close()
    expect(await verify()).toMatchObject({ code: 0, ok: true })
    expect(await told('--head', head)).toEqual([CUT])
  })

  test('rewriting a result together with all later hashes is detected', async () => {
    await run('read notes.txt')
    const { head } = await verify()
    rewriteAll((event) =>
      event.type === 'tool.result'
        ? { ...event, data: { ...event.data, observation: { ...event.data.observation, text: 'other words' } } }
        : event,
    )
    expect(await verify()).toMatchObject({ ok: true })
    expect(await told('--head', head)).toEqual([CUT])
    expect((await place.writ(['audit', 'verify', '--head', head, '--lang', 'zh'])).stdout).toContain('链被截断或重写')
  })

  test('rolling the store back, for example by removing its write-ahead log, is detected', async () => {
    await run('read notes.txt')
    copyFileSync(join(place.data, 'journal.db'), join(place.root, 'before.db'))
    await run('list files here')
    const { head } = await verify()
    for (const end of ['-wal', '-shm']) rmSync(join(place.data, `journal.db${end}`), { force: true })
    copyFileSync(join(place.root, 'before.db'), join(place.data, 'journal.db'))
    expect(await verify()).toMatchObject({ ok: true })
    expect(await told('--head', head)).toEqual([CUT])
  })

  test('an older head is still in the chain; an invalid head is rejected', async () => {
    await run('read notes.txt')
    const { head } = await verify()
    await run('list files here')
    expect(await verify('--head', head)).toMatchObject({ code: 0, ok: true })
    expect((await place.writ(['audit', 'verify', '--head', 'abc'])).stderr).toContain('not a head')
    place.file('empty.jsonl', '\n')
    expect((await place.writ(['audit', 'verify', '--heads', 'empty.jsonl'])).stderr).toContain('not a head')
  })
})

describe('agent.audit', () => {
  test('appends the head of each run to a file, which later verifies them all', async () => {
    const heads = join(place.root, 'proofs/heads.jsonl')
    const config = place.file('own.json', { agent: { audit: { headsFile: heads } } })
    const first = await run('read notes.txt', '--config', config)
    const second = await run('list files here', '--config', config)
    const lines = readFileSync(heads, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ run: first }, { run: second }])
    expect(statSync(heads).mode & 0o777).toBe(0o600)
    expect(await verify('--heads', heads)).toMatchObject({ ok: true, heads: 2 })
    rewriteAll((event) =>
      event.type === 'turn.started' && event.runId === first ? { ...event, data: { input: 'x' } } : event,
    )
    expect(await verify()).toMatchObject({ ok: true })
    expect(await told('--heads', heads)).toHaveLength(2)
  })

  test('can pass the head to a program instead', async () => {
    const out = join(place.root, 'handed.jsonl')
    const config = place.file('own.json', { agent: { audit: { headsCommand: ['tee', '-a', out] } } })
    const runId = await run('read notes.txt', '--config', config)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      run: runId,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('an unwritable file is rejected before a run starts', async () => {
    place.file('plain', 'a file')
    const config = place.file('own.json', { agent: { audit: { headsFile: join(place.workspace, 'plain/heads') } } })
    const { code, stderr } = await place.writ(['run', 'read notes.txt', '--config', config])
    expect([code, stderr]).toEqual([2, expect.stringContaining('AUDIT_HEADS_UNWRITABLE')])
  })

  test('a workspace cannot set it, not even a trusted one', async () => {
    const out = join(place.root, 'taken')
    place.file('agent.config.json', { agent: { audit: { headsCommand: ['touch', out] } } })
    await place.writ(['run', 'read notes.txt'])
    await place.writ(['trust', '--yes'])
    const { stderr } = await place.writ(['run', 'read notes.txt'])
    expect(stderr).toContain('agent.audit.headsCommand')
    expect(existsSync(out)).toBe(false)
  })
})

describe('without a head', () => {
  const storing = () => ['--config', place.file('storing.json', { agent: { memory: { turns: true } } })]

  test('a memory edited, added or deleted by hand is detected', async () => {
    await run('read notes.txt', ...storing())
    const clean = await verify()
    expect(clean).toMatchObject({ ok: true, kept: 1 })
    change('update memories set content = \'"the code is 1"\'')
    expect(await told()).toEqual(['the entry is not the one that was sealed'])
    expect((await place.writ(['audit', 'verify', '--lang', 'zh'])).stdout).toMatch(
      /memory:\S+：该条目不是当初封存的条目/,
    )
    change("update memories set id = 'mem_other'")
    expect((await told()).sort()).toEqual([
      'the entry is gone; there is no tombstone for it',
      'the entry was not written by Writ: it has no seal',
    ])
    change('delete from memories')
    expect(await told()).toEqual(['the entry is gone; there is no tombstone for it'])
  })

  test('an edited routine is detected; normal changes to it are accepted', async () => {
    await place.writ(['routine', 'add', 'morning', '0 9 * * *', 'read notes.txt'])
    expect(await verify()).toMatchObject({ ok: true, kept: 1 })
    await place.writ(['routine', 'run', 'morning'])
    expect(await verify()).toMatchObject({ ok: true })
    await place.writ(['routine', 'pause', 'morning'])
    expect(await verify()).toMatchObject({ ok: true })
    change('update routines set task = \'"send it all"\'')
    expect(await told()).toEqual(['the entry is not the one that was sealed'])
  })

  test('a token that was added, or whose scopes were widened, is detected', async () => {
    await place.writ(['token', 'add', 'ci', '--scopes', 'read'])
    expect(await verify()).toMatchObject({ ok: true, kept: 1 })
    expect(change("update tokens set scopes = 'read run approve'")).toBe(1)
    expect(await told()).toEqual(['the entry is not the one that was sealed'])
    change("insert into tokens (id, name, hash, scopes, created_at) values ('tok_x', 'x', 'h', 'read', 1)")
    expect(await told()).toContain('the entry was not written by Writ: it has no seal')
  })

  test('forgetting leaves a tombstone that verifies, and none of the text', async () => {
    const ended = (await place.writ(['run', 'read notes.txt', '--json', ...storing()])).json().at(-1)
    await place.writ(['prune', '--session', String(ended?.sessionId)])
    expect(await verify()).toMatchObject({ ok: true, kept: 0 })
    const db = journal()
    expect(db.prepare('select count(*) as n from kept_salts').get()).toEqual({ n: 0 })
    expect(db.prepare("select count(*) as n from seals where tombstone = 'forgotten'").get()).toEqual({ n: 1 })
    db.close()
  })
})

describe('a store that does not match its list of runs', () => {
  test('events of a run that was never started are detected', async () => {
    await run('list the files here')
    change(
      `insert into events (run_id, seq, type, session_id, turn_id, scout_id, mode, timestamp, reason, data, hash)
       select 'run_ghost', 1, 'confirm.answered', session_id, turn_id, scout_id, mode, timestamp, reason,
         '{"answer":"a","by":"user","callId":"c","keys":["shell touch"]}', '00' from events limit 1`,
    )
    expect(await told()).toContain('the events belong to no run of this store')
  })

  test('a run removed from the list or moved to another session is detected', async () => {
    await run('list the files here')
    change("update runs set session_id = 'ses_other'")
    expect(await told()).toContain('the run is listed under another session')
    change('delete from runs')
    expect(await told()).toContain('the run is not in the list of runs')
  })
})
