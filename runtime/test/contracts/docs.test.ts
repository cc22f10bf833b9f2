/** Contract of the document index, on every database. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDocs } from '../../src/context/docs.ts'
import type { Docs } from '../../src/ports/docs.ts'
import { openDatabase, type StoreLocation, storeOn } from '../../src/storage/open.ts'
import type { World } from '../../src/tool/tool.ts'
import { makeEvents } from '../support/events.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let folder: string
let postgres: TestPostgres
let count = 0

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-docs-')))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: { name: string; shared: boolean; locate: () => Promise<StoreLocation> }[] = [
  {
    name: 'SQLite file',
    shared: true,
    locate: async () => ({ kind: 'sqlite', file: join(folder, `${++count}.db`) }),
  },
  { name: 'SQLite in memory', shared: false, locate: async () => ({ kind: 'memory' }) },
  {
    name: 'PostgreSQL',
    shared: true,
    locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }),
  },
]

const never = () => new AbortController().signal

describe.each(places)('$name', ({ shared, locate }) => {
  let location: StoreLocation
  let workspace: string
  let docs: Docs
  const closing: (() => Promise<void>)[] = []

  async function open(own: { workspace?: string; roots?: string[]; blockedPaths?: string[] } = {}): Promise<Docs> {
    const db = await openDatabase(location)
    const { roots = ['.'], blockedPaths = [] } = own
    const world: World = {
      workspace: own.workspace ?? workspace,
      protectedPaths: [],
      blockedPaths: [],
      allowedHosts: [],
      env: {},
      sandbox: 'off',
    }
    const opened = openDocs({ db, world, roots, blockedPaths, clock: { now: () => Date.now() } })
    closing.push(async () => {
      await opened.close()
      await db.close()
    })
    return opened
  }
  function write(path: string, content: string | Uint8Array, at = workspace): string {
    const file = join(at, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  const index = (which = docs) => which.refresh(() => {}, never())
  const search = async (query: string, limit = 10, which = docs) =>
    (await which.search(query, { limit, signal: never() })).hits
  const found = async (query: string, which = docs) => (await search(query, 10, which)).map(({ id }) => id)

  beforeEach(async () => {
    location = await locate()
    workspace = join(folder, `workspace-${++count}`)
    mkdirSync(workspace)
    docs = await open()
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  test('S4-175: a document is found by its words, with title, line and snippet', async () => {
    write('docs/birds.md', '# Birds\n\nAll of them.\n\n## Heron\n\nThe heron waits.\n')
    write('docs/fish.md', '# Fish\n\nNobody waits for them.\n')
    expect(await search('heron')).toEqual([
      { id: 'docs/birds.md', title: 'Birds › Heron', line: 5, snippet: '## Heron The heron waits.', score: 1 },
    ])
  })

  test.each([
    ['数据', '我的数据库放在东京机房'],
    ['机房', '我的数据库放在东京机房'],
    ['周五', '发布改到周五下午'],
    ['长江', '南京市长江大桥'],
    ['猫', '她养了一只小猫'],
  ])('%s finds %s', async (query, text) => {
    write('a.md', '完全无关的另外一句')
    write('b.md', `开头的一行\n\n${text}`)
    expect(await search(query)).toMatchObject([{ id: 'b.md', snippet: text, line: 3 }])
  })

  describe('the order', () => {
    const filler = (n: number) => Array.from({ length: n }, (_, i) => `Some plain sentence number ${i}.`).join(' ')

    test('a title outweighs a mention, and so does a file’s own name', async () => {
      write('a.md', `# Notes\n\nRetention is mentioned here, once. ${filler(3)}`)
      write('b.md', `# Retention\n\nHow long things stay. ${filler(3)}`)
      write('guide/retention.txt', filler(3))
      const [first, second, third] = await found('retention')
      expect([first, second].sort()).toEqual(['b.md', 'guide/retention.txt'])
      expect(third).toBe('a.md')
    })

    test('a heading outweighs a mention', async () => {
      write('a.md', `# One\n\n## Other\n\nThe budget is mentioned here. ${filler(3)}`)
      write('b.md', `# Two\n\n## Budget\n\nWhat may be spent on it. ${filler(3)}`)
      expect(await found('budget')).toEqual(['b.md', 'a.md'])
    })

    test('a rare word outweighs common ones', async () => {
      for (let i = 0; i < 8; i++) write(`n${i}.md`, `# Note ${i}\n\nwhat is the use of the thing called ${i}`)
      write('z.md', '# Other\n\nthe heron is here, among many other birds of the lake')
      expect((await found('what is the use of the heron'))[0]).toBe('z.md')
    })

    test('a document with all the words ranks above one that repeats a single word', async () => {
      write('a.md', `# A\n\nThe journal, the journal, the journal. ${filler(2)}`)
      write('b.md', `# B\n\nThe journal is a chain of hashes. ${filler(2)}`)
      write('c.md', `# C\n\nA chain is as strong as it is. ${filler(2)}`)
      expect((await found('journal hash chain of hashes'))[0]).toBe('b.md')
    })

    test('a guide ranks above a page that says it is generated, though that has the words as a heading', async () => {
      write('guide.md', `# Herons\n\nTo feed a heron, ask the keeper. ${filler(2)}`)
      write('list.md', `# Commands\n\nGenerated from the zoo; do not edit.\n\n## feed heron\n\nfeed heron NAME`)
      expect((await found('how do I feed a heron'))[0]).toBe('guide.md')
      expect(await found('zoo')).toEqual(['list.md'])
    })

    test('a word is found in the singular and in the plural, and a rare word counts more than common ones', async () => {
      write('a.md', `# A\n\nWhere a memory is kept. ${filler(2)}`)
      write('b.md', `# B\n\nWhere and how these things are. ${filler(2)}`)
      write('c.md', `# C\n\nWhere the boxes are. ${filler(2)}`)
      write('d.md', `# D\n\nWhere it is, and how. ${filler(2)}`)
      expect((await found('where and how are memories kept'))[0]).toBe('a.md')
      expect(await found('memories')).toEqual(['a.md'])
      expect(await found('box')).toEqual(['c.md'])
    })

    test('a document is listed once, at its best match', async () => {
      write('a.md', `# A\n\nlake\n\n## More\n\nThe lake and the heron.\n\n## Last\n\n${filler(2)} lake`)
      expect(await search('lake heron')).toMatchObject([{ id: 'a.md', title: 'A › More' }])
    })

    test('at most the limit is returned; the best scores 1 and the others less', async () => {
      for (let i = 0; i < 9; i++) write(`n${i}.md`, `# Note\n\nheron ${filler(i * 3)}`)
      const scores = (await search('heron', 4)).map(({ score }) => score)
      expect(scores.length).toBe(4)
      expect(scores[0]).toBe(1)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    })
  })

  describe('a file that changes on disk', () => {
    test('is read again, and no other file is', async () => {
      write('a.md', 'heron')
      write('b.md', 'otter')
      expect(await index()).toEqual({ files: 2, renewed: 2, removed: 0 })
      write('a.md', 'stork')
      expect(await index()).toEqual({ files: 2, renewed: 1, removed: 0 })
      expect([await found('heron'), await found('stork'), await found('otter')]).toEqual([[], ['a.md'], ['b.md']])
      expect(await index()).toEqual({ files: 2, renewed: 0, removed: 0 })
    })

    test('is noticed even with the same size and the same time', async () => {
      const file = write('a.md', 'heron')
      const { atime, mtime } = statSync(file)
      await index()
      writeFileSync(file, 'stork')
      utimesSync(file, atime, mtime)
      expect(await found('stork')).toEqual(['a.md'])
    })

    test('leaves the index when deleted, and moves when moved', async () => {
      const file = write('a.md', 'heron')
      write('b.md', 'heron')
      await index()
      rmSync(join(workspace, 'b.md'))
      renameSync(file, join(workspace, 'c.md'))
      expect(await index()).toEqual({ files: 1, renewed: 1, removed: 2 })
      expect(await found('heron')).toEqual(['c.md'])
      expect(await docs.status()).toMatchObject({ documents: 1, sections: 1 })
    })

    test('leaves no old sections behind when it grows or shrinks', async () => {
      const parts = (n: number) => Array.from({ length: n }, (_, i) => `## Part ${i}\n\nheron${i}`).join('\n\n')
      for (const n of [60, 3, 90, 1]) {
        write('a.md', parts(n))
        await index()
        expect(await docs.status()).toMatchObject({ documents: 1, sections: n })
        expect(await found(`heron${n - 1}`)).toEqual(['a.md'])
        expect(await found(`heron${n}`)).toEqual([])
      }
    })
  })

  test.each([
    '"',
    '" OR "',
    'NEAR(heron x, 2)',
    'title:heron',
    "heron' | !'x",
    '\\',
    '\0heron\0',
    '\ud800 heron',
    '(((',
  ])('the query %j is treated as plain words', async (query) => {
    write('a.md', 'the heron waits')
    expect(await found(query)).toEqual(/heron/.test(query) ? ['a.md'] : [])
  })

  test('unusual names and texts are found and read back unchanged', async () => {
    const name = fc
      .string({
        unit: fc.constantFrom('a', 'é', '文', ' ', "'", '"', '\\', '\n', '%', '👍', '-', '$'),
        minLength: 1,
        maxLength: 12,
      })
      .map((text) => `n${text}.md`)
    const words = fc.array(fc.constantFrom('heron', '网关', "it's", 'a\\b', '"q"', 'ß', 'ﬁ', '𠮷', '\u0301', '\t'), {
      maxLength: 8,
    })
    const files = fc.uniqueArray(fc.record({ path: name, parts: words }), {
      selector: ({ path }) => path,
      minLength: 6,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const written = given.map(({ path, parts }) => {
          const text = ['marker', ...parts].join(' ')
          return { path, text, file: write(path, text) }
        })
        await index()
        expect((await found('marker')).sort()).toEqual(written.map(({ path }) => path).sort())
        for (const { path, text, file } of written) {
          expect((await docs.read(path)).text).toBe(text)
          rmSync(file)
        }
      }),
      { numRuns: 4 },
    )
  })

  test('workspaces in one database do not see each other', async () => {
    const other = join(folder, `workspace-${++count}`)
    write('a.md', 'heron')
    write('b.md', 'heron', other)
    const theirs = shared ? await open({ workspace: other }) : undefined
    expect(await found('heron')).toEqual(['a.md'])
    if (theirs === undefined) return
    expect(await found('heron', theirs)).toEqual(['b.md'])
    expect(await found('heron')).toEqual(['a.md'])
  })

  test('the journal works in the same database', async () => {
    const db = await openDatabase(location)
    const store = storeOn(db)
    closing.push(() => store.close())
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    write('a.md', 'heron')
    await index()
    expect((await store.readRun('a')).length).toBe(2)
  })

  test('an aborted refresh stores only whole documents, and the next one continues', async () => {
    for (let i = 0; i < 120; i++) write(`d/${i}.md`, `# Doc ${i}\n\nheron\n\n## Two\n\notter`)
    const stop = new AbortController()
    const cut = docs.refresh(({ done }) => void (done > 0 && stop.abort()), stop.signal)
    await expect(cut).rejects.toMatchObject({ name: 'AbortError' })
    const { documents, sections } = await docs.status()
    expect(documents).toBeGreaterThan(0)
    expect(documents).toBeLessThan(120)
    expect(sections).toBe(2 * documents)
    await index()
    expect(await docs.status()).toMatchObject({ documents: 120, sections: 240 })
  })

  if (!shared) return

  test('another process finds it without indexing again', async () => {
    write('a.md', 'heron')
    await index()
    const other = await open()
    expect(await found('heron', other)).toEqual(['a.md'])
  })

  test('two concurrent indexers of a workspace leave one complete index', async () => {
    for (let i = 0; i < 80; i++) write(`d/${i}.md`, `# Doc ${i}\n\nheron${i}\n\n## Two\n\notter`)
    const [one, two, three] = [docs, await open(), await open()]
    await Promise.all([index(one), index(two), index(three)])
    for (let i = 0; i < 80; i += 2) rmSync(join(workspace, `d/${i}.md`))
    for (let i = 1; i < 80; i += 2) write(`d/${i}.md`, `# Doc ${i}\n\nstork${i}`)
    await Promise.all([index(three), index(one), index(two)])
    await index()
    expect(await docs.status()).toMatchObject({ documents: 40, sections: 40 })
    expect(await found('stork41', two)).toEqual(['d/41.md'])
    expect(await found('otter', three)).toEqual([])
  })

  test('a store from before the document index is upgraded and keeps its journal', async () => {
    const db = await openDatabase(location)
    const store = storeOn(db)
    closing.push(() => store.close())
    await store.append(makeEvents({ runId: 'a', seq: 1 }, 2))
    for (const table of ['doc_files', 'doc_sections', 'doc_index'] as const) {
      await db.query(db.sql.schema.dropTable(table).compile())
    }
    await db.query(db.sql.deleteFrom('schema_version').where('name', '=', 'docs').compile())
    write('a.md', 'heron')
    const later = await open()
    expect(await found('heron', later)).toEqual(['a.md'])
    expect((await store.readRun('a')).length).toBe(2)
  })
})
