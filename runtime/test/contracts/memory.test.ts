/** Contract of long-term memory, on every database. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMemories } from '../../src/context/memory.ts'
import { words } from '../../src/context/words.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import type { Memory, MemorySource } from '../../src/ports/memory.ts'
import { EVERYONE, LOCAL, type Principal } from '../../src/protocol/principal.ts'
import { memoryArchive } from '../../src/storage/memory-archive.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import { makeEvents } from '../support/events.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let folder: string
let postgres: TestPostgres
let files = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-memory-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const source: MemorySource = { kind: 'tool', sessionId: 's1', runId: 'r1', tool: 'memory_store' }

const places: { name: string; shared: boolean; locate: () => Promise<StoreLocation> }[] = [
  {
    name: 'SQLite file',
    shared: true,
    locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}`, 'writ.db') }),
  },
  { name: 'SQLite in memory', shared: false, locate: async () => ({ kind: 'memory' }) },
  {
    name: 'PostgreSQL',
    shared: true,
    locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }),
  },
]

describe.each(places)('$name', ({ shared, locate }) => {
  let location: StoreLocation
  let memory: Memory
  let now = 1_700_000_000_000
  let ids = 0
  const closing: (() => Promise<void>)[] = []

  async function open() {
    const db = await openDatabase(location)
    const store = storeOn(db)
    closing.push(() => store.close())
    const opened = openMemories({
      archive: memoryArchive(db),
      inspect: () => ({ verdict: 'pass', findings: [] }),
      redact: makeRedactor([]),
      clock: { now: () => ++now },
      newId: (prefix) => `${prefix}_${++ids}`,
    })
    return { store, memories: opened, memory: opened.of(LOCAL) }
  }
  const remember = (content: string, own: { tags?: string[]; source?: MemorySource; retold?: boolean } = {}) =>
    memory.store({ content, source, retold: false, ...own })
  const recalled = async (query: string, limit = 10) => (await memory.recall(query, { limit })).map((e) => e.content)

  beforeEach(async () => {
    location = await locate()
    memory = (await open()).memory
  })
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
  })

  test('S1-4: an entry is recalled unchanged, with its tags and source', async () => {
    const stored = await remember('The release is on Friday.', { tags: ['plan', '发布'] })
    expect(await memory.recall('release', { limit: 5 })).toEqual([stored])
    expect(await memory.recall('发布', { limit: 5 })).toEqual([stored])
    expect(await memory.find(stored.id)).toEqual(stored)
    expect(stored).toEqual({
      id: stored.id,
      content: 'The release is on Friday.',
      tags: ['plan', '发布'],
      source,
      retold: false,
      createdAt: stored.createdAt,
    })
    const own: MemorySource = { kind: 'user', sessionId: 's2', runId: 'r2' }
    expect((await remember('The door is green.', { source: own })).source).toEqual(own)
    expect((await memory.recall('green', { limit: 1 })).map((entry) => entry.source)).toEqual([own])
  })

  test.each([
    ['数据', '我的数据库放在东京机房'],
    ['机房', '我的数据库放在东京机房'],
    ['周五', '发布改到周五下午'],
    ['长江', '南京市长江大桥'],
    ['大桥', '南京市长江大桥'],
    ['猫', '她养了一只小猫'],
  ])('%s finds %s', async (query, text) => {
    await remember('完全无关的另外一句')
    await remember(text)
    expect(await recalled(query)).toEqual([text])
  })

  test('a rare word outweighs many common ones', async () => {
    for (const thing of ['table', 'chair', 'lamp', 'door', 'wall', 'roof']) await remember(`what is the ${thing} for`)
    await remember('my dog likes rain')
    expect((await recalled('what is the name of the dog'))[0]).toBe('my dog likes rain')
  })

  test('entries that match more words of the query rank higher', async () => {
    await remember('the staging server is called heron')
    await remember('the staging password is kept by Mara')
    await remember('the printer is on the third floor')
    expect((await recalled('staging password')).slice(0, 2)).toEqual([
      'the staging password is kept by Mara',
      'the staging server is called heron',
    ])
  })

  test('equal matches are ordered newest first', async () => {
    const [first, second] = [await remember('tea at four'), await remember('tea at four')]
    expect((await memory.recall('tea', { limit: 5 })).map(({ id }) => id)).toEqual([second.id, first.id])
  })

  test('an entry records whether the run that wrote it had read untrusted text', async () => {
    await remember('tea at four', { retold: true })
    await memory.storeTurn({ task: 'when is tea?', reply: 'at four', sessionId: 's', runId: 'r', retold: true })
    await remember('tea is green')
    expect((await memory.list({ limit: 9 })).map(({ retold }) => retold)).toEqual([false, true, true])
  })

  test('a turn completed twice because of a crash is remembered once', async () => {
    const turn = { task: 'when is tea?', sessionId: 's', runId: 'r', retold: false }
    await memory.storeTurn({ ...turn, reply: 'at four' })
    await memory.storeTurn({ ...turn, reply: 'at five' })
    expect(await recalled('tea')).toEqual([expect.stringContaining('at four')])
    await memory.storeTurn({ ...turn, runId: 'another', reply: 'at five' })
    expect((await recalled('tea')).length).toBe(2)
  })

  test('at most the limit is returned, and with a session only its own entries', async () => {
    for (const sessionId of ['a', 'a', 'b']) await remember('tea at four', { source: { ...source, sessionId } })
    expect((await memory.recall('tea', { limit: 2 })).length).toBe(2)
    expect((await memory.recall('tea', { limit: 9, sessionId: 'a' })).length).toBe(2)
    expect((await memory.list({ limit: 9, sessionId: 'b' })).length).toBe(1)
    expect((await memory.list({ limit: 9, sessionId: 'c' })).length).toBe(0)
  })

  test('a list starts with the newest', async () => {
    for (const content of ['one', 'two', 'three']) await remember(content)
    expect((await memory.list({ limit: 2 })).map(({ content }) => content)).toEqual(['three', 'two'])
  })

  test('forgetting an entry deletes only that entry', async () => {
    const [tea, coffee] = [await remember('tea at four'), await remember('coffee at four')]
    expect(await memory.forget(tea.id)).toBe(true)
    expect(await memory.forget(tea.id)).toBe(false)
    expect(await memory.find(tea.id)).toBeUndefined()
    expect(await recalled('tea')).toEqual([])
    expect(await memory.recall('four', { limit: 5 })).toEqual([coffee])
  })

  test.each(['', 'unknown', "' or 1=1 --", 'mem_\0', '\ud800'])('there is no entry %j to forget', async (id) => {
    await remember('tea at four')
    expect(await memory.forget(id)).toBe(false)
    expect(await memory.find(id)).toBeUndefined()
  })

  test.each([
    '"',
    '" OR "',
    'tea AND',
    'NEAR(tea four, 2)',
    'words:tea',
    '^tea*',
    "tea' | !'four",
    'tea & | ! <-> four:*A',
    '\\',
    '\0tea\0',
    '👍🏽 tea',
    '\ud800 tea',
    '{tea} - +tea',
    '(((((((',
    '%s $1 ? :a @b',
  ])('the query %j is treated as plain words', async (query) => {
    await remember('tea at four')
    expect(await recalled(query)).toEqual(/tea/.test(query) ? ['tea at four'] : [])
  })

  test('a query without words finds nothing; one of a thousand words still works', async () => {
    await remember('tea at four')
    expect(await recalled(' … 👍 ')).toEqual([])
    expect(await recalled(`tea ${Array.from({ length: 1000 }, (_, i) => `word${i}`).join(' ')}`)).toEqual([
      'tea at four',
    ])
    expect(await recalled('四'.repeat(20_000))).toEqual([])
  })

  test('any text is stored unchanged and found by each of its words', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(fc.constantFrom('"', "'", '\\', ' OR ', '*', '\0', '\ud800', '密', '码', 'é', 'ǅ', 'ß', '𰀀', 'ก', 'हि'))
        .map((p) => p.join('')),
    )
    await fc.assert(
      fc.asyncProperty(anything, anything, async (content, query) => {
        const stored = await memory.store({ content, source, retold: false })
        expect(await memory.find(stored.id)).toEqual(stored)
        for (const word of words(content)) {
          const hits = await memory.recall(word, { limit: 1000 })
          expect(
            hits.map(({ id }) => id),
            `${JSON.stringify(word)} of ${JSON.stringify(content)}`,
          ).toContain(stored.id)
        }
        expect(Array.isArray(await memory.recall(query, { limit: 3 }))).toBe(true)
        await memory.forget(stored.id)
      }),
      { numRuns: 60 },
    )
  })

  test('accents are part of a word in every database', async () => {
    await remember('résumé')
    expect(await recalled('resume')).toEqual([])
    expect(await recalled('RÉSUMÉ')).toEqual(['résumé'])
  })

  test('the journal works in the same database', async () => {
    const { store, memory: other } = await open()
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    await other.store({ content: 'tea at four', source, retold: false })
    expect((await store.readRun('a')).length).toBe(2)
    expect((await other.list({ limit: 5 })).length).toBe(1)
  })

  if (!shared) return

  test('S1-4: another process recalls it', async () => {
    await remember('tea at four')
    const other = await open()
    expect((await other.memory.recall('tea', { limit: 5 })).map(({ content }) => content)).toEqual(['tea at four'])
    expect(await other.memory.forget((await other.memory.list({ limit: 1 }))[0]?.id ?? '')).toBe(true)
    expect(await recalled('tea')).toEqual([])
  })

  describe('owners', () => {
    const ADA = 'ada' as Principal
    const BOB = 'bob' as Principal

    test('H4: no principal can recall, list, find or forget another’s entries', async () => {
      const { memories } = await open()
      const [ada, bob] = [memories.of(ADA), memories.of(BOB)]
      const { id } = await ada.store({ content: 'tea at four', source, retold: false })
      await ada.storeTurn({ task: 'tea?', reply: 'at four', sessionId: 's9', runId: 'r9', retold: false })
      for (const other of [bob, memory]) {
        expect(await other.recall('tea', { limit: 9 })).toEqual([])
        expect(await other.list({ limit: 9 })).toEqual([])
        expect(await other.list({ limit: 9, sessionId: 's9' })).toEqual([])
        expect(await other.find(id)).toBeUndefined()
        expect(await other.forget(id)).toBe(false)
      }
      expect((await ada.recall('tea', { limit: 9 })).length).toBe(2)
      for (const whose of [BOB, LOCAL]) {
        const kept = memories.keptFor(whose)
        expect([await kept.list({ limit: 9 }), await kept.list({ limit: 9, query: 'tea' })]).toEqual([[], []])
        expect([await kept.find(id), await kept.forget(id)]).toEqual([undefined, []])
      }
      const all = memories.keptFor(EVERYONE)
      expect((await all.list({ limit: 9, query: 'tea' })).map(({ owner }) => owner)).toEqual([ADA, ADA])
      expect(await all.find(id)).toMatchObject({ owner: ADA })
      // The summary of the turn states the same fact.
      expect(await all.forget(id)).toEqual([id, 'mem_r9'])
      expect(await ada.list({ limit: 9 })).toEqual([])
    })
  })

  test('a store from before memory existed is upgraded and keeps its journal', async () => {
    const { store } = await open()
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    const db = await openDatabase(location)
    for (const table of ['memories', 'memory_index'] as const) await db.query(db.sql.schema.dropTable(table).compile())
    await db.query(db.sql.schema.alterTable('tokens').dropColumn('principal').compile())
    await db.query(db.sql.schema.alterTable('routines').dropColumn('owner').compile())
    await db.query(db.sql.deleteFrom('schema_version').where('name', 'in', ['memory', 'hearsay', 'owners']).compile())
    await db.close()

    const later = await open()
    await later.memory.store({ content: 'tea at four', source, retold: false })
    expect((await later.memory.recall('tea', { limit: 5 })).length).toBe(1)
    expect((await later.store.readRun('a')).length).toBe(2)
  })
})
