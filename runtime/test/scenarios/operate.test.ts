/** Operating a store: `writ export`, `writ prune`, `writ backup`, and their verification. */
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../src/assembly/agent.ts'
import { canonical } from '../../src/base/json.ts'
import { scriptedModel } from '../../src/index.ts'
import { GENESIS, hashEvent } from '../../src/journal/journal.ts'
import type { Event, StoredEvent } from '../../src/protocol/event.ts'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
let first: Told
let second: Told

interface Told {
  runId: string
  sessionId: string
}

async function tell(task: string): Promise<Told> {
  const result = (await place.writ(['run', task, '--json'])).json().at(-1)
  return { runId: String(result?.runId), sessionId: String(result?.sessionId) }
}

beforeEach(async () => {
  place = makePlace()
  place.file('notes.txt', 'words\n')
  first = await tell('read notes.txt')
  second = await tell('list files here')
})
afterEach(() => place.remove())

const verify = async (...words: string[]) => (await place.writ(['audit', 'verify', '--json', ...words])).json()[0]

/** A run that ended that many days ago. */
async function runAgo(days: number): Promise<string> {
  const agent = await createAgent({
    workspace: place.workspace,
    env: { HOME: join(place.root, 'home'), PATH: process.env.PATH ?? '' },
    model: scriptedModel([{ purpose: 'main', text: 'hi' }]),
    clock: { now: () => Date.now() - days * 86_400_000 },
  })
  const { runId } = await agent.run('hello')
  await agent.close()
  return runId
}

describe('writ export', () => {
  test('writes every event with its hash, which replay and audit read back', async () => {
    const { code, stdout, stderr } = await place.writ(['export'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/Exported \d+ events of 2 runs/)
    place.file('all.jsonl', stdout)
    expect(await verify('all.jsonl')).toMatchObject({ ok: true, runs: 2, seals: 2 })
    expect((await place.writ(['replay', 'all.jsonl', '--json'])).json()[0]).toMatchObject({
      runs: 2,
      chain: { ok: true },
    })
    place.file('cut.jsonl', stdout.replace('"notes.txt"', '"other.txt"'))
    expect(await verify('cut.jsonl')).toMatchObject({ ok: false })
  })

  test('exports one run, session or time range; to a file only its owner can read, never overwriting one', async () => {
    const one = (await place.writ(['export', '--run', first.runId])).json()
    expect(new Set(one.map(({ runId }) => runId))).toEqual(new Set([first.runId]))
    const session = (await place.writ(['export', '--session', second.sessionId])).json()
    expect(new Set(session.map(({ runId }) => runId))).toEqual(new Set([second.runId]))
    expect((await place.writ(['export', '--since', '2999-01-01'])).stdout).toBe('')
    const file = ['export', '--out', 'out.jsonl']
    expect((await place.writ(file)).stdout).toBe('')
    expect(statSync(join(place.workspace, 'out.jsonl')).mode & 0o777).toBe(0o600)
    expect(await place.writ(file)).toMatchObject({ code: 2, stderr: expect.stringContaining('file already exists') })
    expect(await verify('out.jsonl')).toMatchObject({ ok: true, runs: 2 })
  })

  test('names an unknown run or session', async () => {
    expect((await place.writ(['export', '--run', 'unknown-run'])).stderr).toContain('unknown-run')
    expect((await place.writ(['export', '--session', 'unknown-session'])).stderr).toContain(
      'no session unknown-session',
    )
    expect((await place.writ(['export', '--run', 'a', '--since', '7d'])).code).toBe(2)
  })
})

describe('writ prune', () => {
  test('deletes runs older than --keep, shows them first with --dry-run, and leaves the journal intact', async () => {
    const old = await runAgo(40)
    const looked = await place.writ(['prune', '--keep', '30d', '--dry-run'])
    expect(looked.stdout).toMatch(/^Would delete 1 run with \d+ events/)
    expect((await place.writ(['trace', old])).code).toBe(0)
    const pruned = await place.writ(['prune', '--keep', '30d'])
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining('left a tombstone') })
    expect((await place.writ(['trace', old])).stderr).toContain(old)
    expect(await verify()).toMatchObject({ ok: true, runs: 2, seals: 4, tombstones: 1 })
    expect((await place.writ(['audit', 'verify', '--lang', 'zh'])).stdout).toContain('1 个是已删除运行的墓碑')
  })

  test('uses agent.retention.days by default, and fails when that is not set', async () => {
    await runAgo(40)
    expect(await place.writ(['prune'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep 30d') })
    const config = place.file('keep.json', { agent: { retention: { days: 30 } } })
    const [pruned] = (await place.writ(['prune', '--json', '--config', config])).json()
    expect(pruned).toMatchObject({ runs: 1, kept: [], dryRun: false })
  })

  test('deletes a whole conversation, and reports an unknown one', async () => {
    const [erased] = (await place.writ(['prune', '--session', first.sessionId, '--json'])).json()
    expect(erased).toMatchObject({ runs: 1 })
    expect((await place.writ(['export'])).stdout).not.toContain('read notes.txt')
    expect(await verify()).toMatchObject({ ok: true, runs: 1, tombstones: 1 })
    const again = await place.writ(['prune', '--session', first.sessionId])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('no session') })
  })

  test('the audit detects a run deleted by hand', async () => {
    const db = new DatabaseSync(join(place.data, 'journal.db'))
    db.prepare('delete from events where run_id = ?').run(first.runId)
    db.prepare('delete from runs where run_id = ?').run(first.runId)
    db.close()
    expect(await verify()).toMatchObject({ ok: false, breaches: [{ runId: first.runId }] })
  })
})

describe('writ audit verify', () => {
  const journal = () => new DatabaseSync(join(place.data, 'journal.db'))

  /** The run as forged by someone who can compute the hashes, with one event more than was sealed. */
  function forged(events: StoredEvent[]): StoredEvent[] {
    let previous = GENESIS
    return [...events, { ...events.at(-1), seq: events.length + 1, type: 'run.resumed', data: { steps: 1 } }].map(
      (stored) => {
        const { hash: _, ...event } = JSON.parse(JSON.stringify(stored).replaceAll('notes.txt', 'other.txt'))
        previous = hashEvent(previous, event as Event)
        return { ...event, hash: previous }
      },
    )
  }

  test('a rewritten run with valid hashes is detected in the store and in an export, even with extra events', async () => {
    const lines = (await place.writ(['export'])).json() as unknown as StoredEvent[]
    const own = forged(lines.filter(({ runId, type }) => runId === first.runId && String(type) !== 'seal'))
    const rest = lines.filter(({ runId, type }) => runId !== first.runId || String(type) === 'seal')
    const found = {
      runId: first.runId,
      seq: own.length - 1,
      why: expect.stringContaining('is not the one that was sealed'),
    }

    place.file('forged.jsonl', [...own, ...rest].map((line) => JSON.stringify(line)).join('\n'))
    expect(await verify('forged.jsonl')).toMatchObject({ ok: false, breaches: [found] })

    const db = journal()
    db.prepare(
      `insert into events (run_id, seq, type, session_id, turn_id, scout_id, timestamp, mode, reason, data, hash)
       select run_id, seq + 1, 'run.resumed', session_id, turn_id, scout_id, timestamp, mode, reason, data, hash
       from events where run_id = ? order by seq desc limit 1`,
    ).run(first.runId)
    const put = db.prepare('update events set data = ?, hash = ? where run_id = ? and seq = ?')
    for (const { data, hash, seq } of own) put.run(canonical(data), hash, first.runId, seq)
    db.close()
    expect(await verify()).toMatchObject({ ok: false, breaches: [found] })
  })

  test('a missing newest seal is detected for every kind of run', async () => {
    place.file('w.json', {
      name: 'w',
      nodes: [{ id: 'a', tool: 'json_transform', args: { input: 1, expression: '@' } }],
    })
    expect((await place.writ(['workflow', 'run', 'w.json', '--json'])).code).toBe(0)
    expect(await verify()).toMatchObject({ ok: true })
    const db = journal()
    const [gone] = db.prepare('delete from seals where n = (select max(n) from seals) returning run_id').all()
    db.close()
    const found = { runId: gone?.run_id, why: 'the run has ended, but its seal is missing' }
    expect(await verify()).toMatchObject({ ok: false, breaches: [found] })
  })
})

describe('writ backup', () => {
  test('copies a store in use, and the copy works in its place', async () => {
    const inUse = place.start(['chat', '--no-input'], { stdin: 'open' })
    try {
      const made = await place.writ(['backup', 'copy.db'])
      expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('2 runs') })
    } finally {
      inUse.child.kill()
      await inUse.ended
    }
    expect(statSync(join(place.workspace, 'copy.db')).mode & 0o777).toBe(0o600)
    mkdirSync(join(place.workspace, 'restored'))
    copyFileSync(join(place.workspace, 'copy.db'), join(place.workspace, 'restored/journal.db'))
    expect(await verify('--data', 'restored')).toMatchObject({ ok: true, runs: 2, seals: 2 })
    const there = await place.writ(['trace', first.runId, '--json', '--data', 'restored'])
    expect(there.stdout).toBe((await place.writ(['trace', first.runId, '--json'])).stdout)
    const runThere = () => place.writ(['run', 'list files here', '--data', 'restored'])
    expect(await runThere()).toMatchObject({ code: 2, stderr: expect.stringContaining('DATA_NOT_ADOPTED') })
    expect((await place.writ(['data', 'adopt', 'restored', '--yes'])).code).toBe(0)
    expect((await runThere()).code).toBe(0)
  })

  test('never overwrites a file, and names the tool to use for PostgreSQL', async () => {
    place.file('copy.db', 'mine')
    expect((await place.writ(['backup', 'copy.db'])).code).toBe(2)
    expect(place.read('copy.db')).toBe('mine')
    const config = place.file('pg.json', { agent: { store: 'postgres' } })
    const elsewhere = await place.writ(['backup', 'x.db', '--config', config], {
      env: { WRIT_DATABASE_URL: 'postgres://user@127.0.0.1:1/none' },
    })
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('pg_dump') })
  })
})
