/** Contract of the transcript, on every store. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewMessage, TranscriptDeps } from '../../src/context/transcript.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import type { TranscriptArchive } from '../../src/ports/transcripts.ts'
import { keyOf } from '../../src/storage/transcript-text.ts'
import { runSql, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { runRedis, startRedis, type TestRedis } from '../support/redis.ts'
import { openArchive, type TranscriptPlace, transcriptsOn } from '../support/transcripts.ts'

const WORKER = fileURLToPath(new URL('../support/transcripts.ts', import.meta.url))
const run = promisify(execFile)

let folder: string
let postgres: TestPostgres
let redis: TestRedis
let files = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-transcript-'))
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
})
afterAll(async () => {
  await Promise.all([postgres?.stop(), redis?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

interface Place {
  name: string
  locate(): Promise<TranscriptPlace>
  /** Overwrites a session's stored history; absent where no other process can reach it. */
  spoil?(place: TranscriptPlace, session: string, text: string): Promise<void>
  /** The raw stored text of a session. */
  stored?(place: TranscriptPlace, session: string): Promise<unknown>
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const places: Place[] = [
  {
    name: 'SQLite file',
    locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}`, 'writ.db') }),
    async spoil(place, session, text) {
      withFile(place, (db) => db.prepare('update transcripts set messages = ? where session = ?').run(text, session))
    },
    stored: async (place, session) =>
      withFile(place, (db) => db.prepare('select messages from transcripts where session = ?').get(session)?.messages),
  },
  { name: 'SQLite in memory', locate: async () => ({ kind: 'memory' }) },
  {
    name: 'PostgreSQL',
    locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }),
    async spoil(place, session, text) {
      const set = `update writ.transcripts set messages = ${quoted(text)} where session = ${quoted(session)}`
      await runSql(urlOf(place), set)
    },
  },
  {
    name: 'Redis',
    locate: async () => ({ kind: 'redis', url: redis.createDatabase() }),
    async spoil(place, session, text) {
      await runRedis(urlOf(place), 'SET', `writ:transcript:${session}`, text)
    },
    stored: (place, session) => runRedis(urlOf(place), 'GET', `writ:transcript:${session}`),
  },
]

function urlOf(place: TranscriptPlace): string {
  return 'url' in place ? place.url : ''
}

function withFile<T>(place: TranscriptPlace, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync('file' in place ? place.file : ':memory:')
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const turn = (user: string, assistant: string): NewMessage[] => [
  { role: 'user', content: user },
  { role: 'assistant', content: assistant },
]
const next: NewMessage = { role: 'user', content: 'next' }
const HOUR = 3_600_000

describe.each(places)('$name', ({ locate, spoil, stored }) => {
  let place: TranscriptPlace
  let archive: TranscriptArchive
  let transcripts: ReturnType<typeof transcriptsOn>
  let now = 1_700_000_000_000
  const closing: (() => Promise<void>)[] = []

  async function open(): Promise<TranscriptArchive> {
    const opened = await openArchive(place)
    closing.push(opened.close)
    return opened.archive
  }
  const clock = { now: () => now }
  const withDeps = (own: Partial<TranscriptDeps>) => transcriptsOn(archive, { clock, ...own })
  const told = async (session: string, from = transcripts) =>
    (await from.prepare(session, next)).map(({ content }) => content)

  beforeEach(async () => {
    now = 1_700_000_000_000
    place = await locate()
    archive = await open()
    transcripts = withDeps({})
  })
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
  })

  test('S3-124: persisted messages come back in order, with the new message last', async () => {
    expect(await transcripts.prepare('s', next)).toEqual([next])
    expect(await transcripts.persist('s', turn('one', 'first'))).toBe(2)
    expect(await transcripts.persist('s', turn('two', 'second'))).toBe(4)
    expect(await transcripts.prepare('s', next)).toEqual([...turn('one', 'first'), ...turn('two', 'second'), next])
  })

  test('a tool’s message keeps its call and its name', async () => {
    const result: NewMessage = { role: 'tool', content: '200', tool_call_id: 'c1', name: 'http_request' }
    await transcripts.persist('s', [{ role: 'user', content: 'look' }, result, { role: 'assistant', content: 'ok' }])
    expect((await transcripts.prepare('s', next))[1]).toEqual(result)
  })

  test('S3-135: only the newest messages are kept, starting with a user message', async () => {
    const few = withDeps({ limits: { window: 4, ttlMs: HOUR } })
    for (const n of [1, 2, 3]) await few.persist('s', turn(`u${n}`, `a${n}`))
    expect((await archive.read('s')).map(({ content }) => content)).toEqual(['u2', 'a2', 'u3', 'a3'])
    expect(await told('s', few)).toEqual(['u3', 'a3', 'next'])
  })

  test('S3-136: messages past their time to live are not returned, and the next turn deletes them', async () => {
    const short = withDeps({ limits: { window: 50, ttlMs: HOUR } })
    await short.persist('s', turn('old', 'x'))
    now += HOUR / 2
    await short.persist('s', turn('new', 'y'))
    now += HOUR / 2
    expect(await told('s', short)).toEqual(['new', 'y', 'next'])
    expect(await short.persist('s', turn('newest', 'z'))).toBe(4)
    now += HOUR
    expect(await told('s', short)).toEqual(['next'])
  })

  test('S3-137: the default is fifty messages and one day', async () => {
    for (let n = 0; n < 30; n++) await transcripts.persist('s', turn(`u${n}`, `a${n}`))
    expect(await archive.read('s')).toHaveLength(50)
    expect((await told('s'))[0]).toBe('u6')
    now += 24 * HOUR - 1
    expect(await told('s')).toHaveLength(49)
    now += 1
    expect(await told('s')).toEqual(['next'])
  })

  test('concurrent appends lose nothing and keep each turn together', async () => {
    const wide = withDeps({ limits: { window: 1000, ttlMs: HOUR } })
    await Promise.all(Array.from({ length: 25 }, (_, i) => wide.persist('s', turn(`u${i}`, `a${i}`))))
    expectWholeTurns(
      (await archive.read('s')).map(({ content }) => content),
      25,
    )
  })

  test.each([
    ['你好，世界 👩‍👩‍👧 \u{1F600}'],
    ['a NUL \0 and a lone \ud83d surrogate'],
    ['"quotes" \\ and\nlines\u2028 \'; drop table transcripts; --'],
    [''],
  ])('keeps %j unchanged, as message and as session', async (text) => {
    const session = `key ${text}`
    await transcripts.persist(session, turn(text, text))
    expect((await archive.read(session)).map(({ content }) => content)).toEqual([text, text])
    expect(await transcripts.prepare('key', next)).toEqual([next])
  })

  test('different session keys are different sessions', async () => {
    const odd = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(odd, odd, async (one, other) => {
        fc.pre(one !== other)
        const before = (await archive.read(other)).length
        await transcripts.persist(one, turn(one, 'x'))
        expect((await archive.read(one)).at(-2)?.content).toBe(one)
        expect(await archive.read(other)).toHaveLength(before)
      }),
      { numRuns: 25 },
    )
  })

  test.each(['*', '../s', 's:1', 'writ:transcript:s', '\\u0000', '%00', ' ', 's\n'])(
    'the session %j is separate',
    async (s) => {
      await transcripts.persist('s', turn('mine', 'x'))
      await transcripts.persist('\0', turn('nul', 'x'))
      expect(await told(s)).toEqual(['next'])
      await transcripts.persist(s, turn('theirs', 'y'))
      expect(await told('s')).toEqual(['mine', 'x', 'next'])
      expect(await told('\0')).toEqual(['nul', 'x', 'next'])
    },
  )

  test('secrets are masked before they are stored', async () => {
    const careful = withDeps({ redact: makeRedactor(['canary-7713']) })
    await careful.persist('s', turn('the key is canary-7713', 'noted: sk-aaaaaaaaaaaaaaaaaaaaaaaa'))
    expect(JSON.stringify(await archive.read('s'))).not.toMatch(/canary|sk-a/)
    expect((await told('s', careful))[0]).toContain('[REDACTED:secret]')
  })

  test('a very long message is truncated between characters, with a notice', async () => {
    await transcripts.persist('s', turn('😀'.repeat(40_000), 'ok'))
    const [long] = await archive.read('s')
    expect(long?.content.endsWith('😀…(+8000)')).toBe(true)
  })

  test('a turn with a prompt injection in either message is not stored', async () => {
    const inspected = withDeps({
      inspect: (text) => ({ verdict: text.includes('obey') ? 'block' : 'review', findings: [{ rule: 'override' }] }),
    })
    await inspected.persist('s', turn('hello', 'hi'))
    for (const poison of [turn('read it', 'obey the page'), turn('obey the page', 'I will not')]) {
      await expect(inspected.persist('s', poison)).rejects.toMatchObject({ code: 'TRANSCRIPT_POISONED' })
    }
    expect(await told('s')).toEqual(['hello', 'hi', 'next'])
  })

  if (spoil !== undefined) {
    test.each([
      'not json',
      '{}',
      'null',
      '"[]"',
      '[1]',
      '[{"role":"boss","content":"x","at":1}]',
      '[{"role":"user","content":1,"at":1}]',
      '[{"role":"user","content":"x"}]',
      '[{"role":"user","content":"x","at":1,"name":3}]',
    ])('stored %s gives a clear error and is not changed', async (text) => {
      await transcripts.persist('s', turn('one', 'first'))
      await spoil(place, 's', text)
      await expect(transcripts.prepare('s', next)).rejects.toMatchObject({ code: 'TRANSCRIPT_CORRUPT' })
      await expect(transcripts.persist('s', turn('two', 'second'))).rejects.toMatchObject({
        code: 'TRANSCRIPT_CORRUPT',
        message: expect.stringContaining('session s'),
      })
      await expect(archive.read('s')).rejects.toThrow()
      expect(await told('t')).toEqual(['next'])
    })

    test('two clients see each other’s turns', async () => {
      const other = transcriptsOn(await open(), { clock })
      await transcripts.persist('s', turn('one', 'first'))
      await other.persist('s', turn('two', 'second'))
      expect(await told('s')).toEqual(['one', 'first', 'two', 'second', 'next'])
    })

    test('two processes that append at once lose nothing', async () => {
      const turns = 20
      const worker = (name: string) => run(process.execPath, [WORKER, JSON.stringify(place), name, String(turns)])
      await Promise.all([worker('left'), worker('right')])
      const contents = (await archive.read('race')).map(({ content }) => content)
      expectWholeTurns(contents, 2 * turns)
      for (const name of ['left', 'right']) {
        expect(contents.filter((text) => text.startsWith(name))).toEqual(
          Array.from({ length: turns }, (_, i) => `${name} ${i}`),
        )
      }
    })
  }

  if (stored !== undefined) {
    test('S3-159: what is stored is a JSON array of messages', async () => {
      await transcripts.persist('s', turn('你好', 'hello'))
      expect(JSON.parse(String(await stored(place, keyOf('s'))))).toEqual([
        { role: 'user', content: '你好', own: '你好', at: now },
        { role: 'assistant', content: 'hello', at: now },
      ])
    })
  }
})

function expectWholeTurns(contents: readonly string[], turns: number): void {
  expect(contents).toHaveLength(2 * turns)
  for (let i = 0; i < contents.length; i += 2) {
    const user = contents[i] ?? ''
    expect([`answer to ${user}`, user.replace('u', 'a')]).toContain(contents[i + 1])
  }
}

test('expired histories are deleted on the next write by any session', async () => {
  const file = join(folder, 'sweep', 'writ.db')
  const { archive, close } = await openArchive({ kind: 'sqlite', file })
  let now = 1000
  const transcripts = transcriptsOn(archive, { clock: { now: () => now }, limits: { window: 50, ttlMs: 10 } })
  await transcripts.persist('old', turn('one', 'first'))
  now += 10
  await transcripts.persist('new', turn('two', 'second'))
  await close()
  const rows = withFile({ kind: 'sqlite', file }, (db) => db.prepare('select session from transcripts').all())
  expect(rows.map(({ session }) => session)).toEqual(['new'])
})

describe('Redis', () => {
  test('a history expires by itself', async () => {
    const url = redis.createDatabase()
    const { archive, close } = await openArchive({ kind: 'redis', url })
    await transcriptsOn(archive).persist('s', turn('one', 'first'))
    const left = Number(await runRedis(url, 'PTTL', 'writ:transcript:s'))
    expect(left).toBeGreaterThan(23 * HOUR)
    expect(left).toBeLessThanOrEqual(24 * HOUR)
    await close()
  })

  test('S3-10: without an address it opens, and the first use names the variable to set', async () => {
    const { archive, close } = await openArchive({ kind: 'redis', url: '' })
    await expect(archive.read('s')).rejects.toMatchObject({
      code: 'REDIS_UNSET',
      hint: expect.stringContaining('WRIT_REDIS_URL'),
    })
    await close()
  })

  test('a key of another type gives the server’s error in words', async () => {
    const url = redis.createDatabase()
    await runRedis(url, 'RPUSH', 'writ:transcript:s', 'x')
    const { archive, close } = await openArchive({ kind: 'redis', url })
    await expect(archive.read('s')).rejects.toMatchObject({
      code: 'REDIS_REFUSED',
      message: expect.stringContaining('WRONGTYPE'),
    })
    await close()
  })
})
