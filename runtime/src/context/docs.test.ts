import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePdf } from '../../test/support/pdf.ts'
import type { Docs } from '../ports/docs.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open.ts'
import { openDocs } from './docs.ts'

let folder: string
let workspace: string
let db: Database
let docs: Docs

const never = () => new AbortController().signal
function open(own: { roots?: string[]; blockedPaths?: string[]; protectedPaths?: string[] } = {}): Docs {
  const { roots = ['.'], blockedPaths = ['.env', '.ssh'], protectedPaths = [] } = own
  const world = {
    workspace,
    protectedPaths,
    blockedPaths,
    allowedHosts: [],
    env: { HOME: folder },
    sandbox: 'off',
  } as const
  return openDocs({ db, world, roots, blockedPaths, clock: { now: () => Date.now() } })
}
function write(path: string, content: string | Uint8Array = 'heron'): string {
  const file = join(workspace, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}
/** Waits for the index: a search waits only briefly, and a busy machine may take longer. */
const search = async (query: string, which = docs) => {
  await which.refresh(() => {}, never())
  return ask(query, which)
}
const ask = (query: string, which = docs) => which.search(query, { limit: 20, signal: never() })
const found = async (query: string, which = docs) => (await search(query, which)).hits.map(({ id }) => id).sort()

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-docs-')))
  workspace = join(folder, 'work')
  mkdirSync(workspace)
  db = await openDatabase({ kind: 'memory' })
  docs = open()
})
afterEach(async () => {
  await docs.close()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('never found', () => {
  test.each([
    '.env',
    '.env.local',
    'app/.env.production',
    '.ssh/config',
    '.aws/credentials',
    '.npmrc',
    '.git/config',
    'keys/id_ed25519',
    'keys/server.pem',
    'prod.key',
    'conf/secrets.yaml',
    'credentials.json',
    'node_modules/x/readme.md',
    'dist/index.js',
    'pkg/target/notes.txt',
    'package-lock.json',
    'app.min.js',
    'picture.png',
  ])('%s', async (path) => {
    write(path)
    write('a.md')
    expect(await found('heron')).toEqual(['a.md'])
  })

  test('blocked files, even if indexed before', async () => {
    write('public/a.md')
    write('private/b.md')
    write('deep/private/c.md')
    write('notes/draft.md')
    expect((await found('heron')).length).toBe(4)
    const stricter = open({ blockedPaths: ['private', 'notes/draft.md'] })
    expect(await found('heron', stricter)).toEqual(['public/a.md'])
    expect((await stricter.status()).documents).toBe(1)
  })

  test('protected files: policy, journal, identity', async () => {
    const own = open({ protectedPaths: [write('AGENTS.md'), dirname(write('data/journal.txt'))] })
    write('a.md')
    expect(await found('heron', own)).toEqual(['a.md'])
  })

  test('targets of links, inside or outside', async () => {
    writeFileSync(join(folder, 'outside.md'), 'heron')
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere/b.md'), 'heron')
    write('a.md')
    symlinkSync(join(folder, 'outside.md'), join(workspace, 'link.md'))
    symlinkSync(join(folder, 'elsewhere'), join(workspace, 'linked'))
    symlinkSync(workspace, join(workspace, 'round'))
    symlinkSync(join(workspace, 'a.md'), join(workspace, 'again.md'))
    expect(await found('heron')).toEqual(['a.md'])
  })

  test('a file replaced by a link or deleted after indexing', async () => {
    const file = write('a.md')
    write('b.md')
    await docs.refresh(() => {}, never())
    rmSync(file)
    writeFileSync(join(folder, 'outside.md'), 'heron')
    symlinkSync(join(folder, 'outside.md'), file)
    expect(await found('heron')).toEqual(['b.md'])
  })

  test('what is not text, not a file, or not readable', async () => {
    write('a.md')
    write('b.txt', new Uint8Array([0x68, 0, 0x65]))
    execFileSync('mkfifo', [join(workspace, 'pipe.md')])
    const closed = write('c.md')
    chmodSync(closed, 0)
    const all = process.getuid?.() === 0 ? ['a.md', 'c.md'] : ['a.md']
    expect(await found('heron')).toEqual(all)
  })
})

describe('roots', () => {
  test('are what is searched, each document once', async () => {
    write('docs/a.md')
    write('docs/sub/b.md')
    write('src/c.md')
    write('README.md')
    const own = open({ roots: ['docs', 'docs/sub', './docs/', 'README.md'] })
    expect(await found('heron', own)).toEqual(['README.md', 'docs/a.md', 'docs/sub/b.md'])
    expect(await own.status()).toMatchObject({ roots: ['docs', 'README.md'], lost: [], documents: 3 })
  })

  test('outside the workspace, blocked or missing are not searched, and are reported', async () => {
    writeFileSync(join(folder, 'outside.md'), 'heron')
    write('.ssh/a.md')
    write('a.md')
    symlinkSync(folder, join(workspace, 'up'))
    const own = open({ roots: ['..', '/etc', 'up', '.ssh', 'nowhere'] })
    expect(await found('heron', own)).toEqual([])
    expect((await own.status()).lost).toEqual(['..', '/etc', 'up', '.ssh', 'nowhere'])
  })
})

test('HTML, PDF and source are searched by their text', async () => {
  write(
    'page.html',
    '<html><head><title>Birds</title></head><body><script>otter</script><p>The heron.</p></body></html>',
  )
  write('paper.pdf', makePdf([['A first page.'], ['The heron nests.']]))
  write('src/heron.ts', 'export function waitForHeron() {}\n// heron_count')
  expect((await search('heron')).hits.map(({ id, title, line }) => [id, title, line]).sort()).toEqual([
    ['page.html', 'Birds', 1],
    ['paper.pdf', 'paper.pdf › p. 2', 2],
    ['src/heron.ts', 'heron.ts', 2],
  ])
  expect(await found('otter')).toEqual([])
})

test('a broken document does not prevent others from being found', async () => {
  write('broken.pdf', '%PDF-1.4 and then nothing')
  write('odd.html', '<'.repeat(5000))
  write('deep.html', `${'<div>'.repeat(20_000)}heron`)
  write('wrong.md', new Uint8Array([0xff, 0xc3, 0x28, 0x20, ...Buffer.from('heron')]))
  write('z.md')
  const ids = await found('heron')
  expect(ids).toContain('z.md')
  expect(ids).toContain('wrong.md')
  expect((await docs.status()).skipped.unreadable).toBeGreaterThanOrEqual(1)
})

test('a text of more than 2 MB is not indexed, but can be read', async () => {
  write('big.txt', 'heron lives here\n'.repeat(150_000))
  write('a.md')
  expect(await found('heron')).toEqual(['a.md'])
  expect((await docs.status()).skipped).toEqual({ large: 1 })
  expect(await docs.read('big.txt', { offset: 149_999, limit: 1 })).toMatchObject({ total: 150_000, next: 150_000 })
})

test('a text of nearly 2 MB is found to its last line', async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i} of a long text`)
  write('long.txt', [...lines, 'the heron at the end'].join('\n'))
  const [hit] = (await search('heron')).hits
  expect(hit).toMatchObject({ id: 'long.txt', line: 60_001 })
})

describe('reading', () => {
  const text = Array.from({ length: 400 }, (_, i) => `line ${i + 1}: "quoted" 文字 and so on`).join('\n')

  test('gives exact lines, in parts that join to the whole', async () => {
    write('a.md', text)
    const parts: string[] = []
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const part = await docs.read('a.md', { offset })
      expect(part).toMatchObject({ id: 'a.md', from: offset, total: 400 })
      expect(part.text.split('\n').length).toBe(part.to - part.from + 1)
      expect(JSON.stringify(part).length).toBeLessThan(4000)
      parts.push(part.text)
      offset = part.next
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join('\n')).toBe(text)
  })

  test('begins at the line of a hit', async () => {
    write('a.md', `${text}\n\n## Heron\n\nIt waits.`)
    const [hit] = (await search('heron')).hits
    expect((await docs.read('a.md', { offset: hit?.line, limit: 3 })).text).toBe('## Heron\n\nIt waits.')
  })

  test('needs no index, and sees changes before it', async () => {
    write('a.md', 'new')
    expect(await docs.read('./sub/../a.md')).toEqual({ id: 'a.md', from: 1, to: 1, total: 1, text: 'new' })
    expect((await docs.status()).documents).toBe(0)
  })

  test('gives the text of HTML and PDF', async () => {
    write('a.pdf', makePdf([['One.', 'Two.'], ['Three.']]))
    write('a.html', '<p>One.<p>Two.')
    expect(await docs.read('a.pdf', { offset: 2 })).toEqual({
      id: 'a.pdf',
      from: 2,
      to: 3,
      total: 3,
      text: 'Two.\nThree.',
    })
    expect((await docs.read('a.html')).text).toBe('One.\n\nTwo.')
  })

  test('an empty document has no lines', async () => {
    write('a.md', '')
    expect(await docs.read('a.md')).toEqual({ id: 'a.md', from: 1, to: 0, total: 0, text: '' })
  })

  test.each([
    ['../outside.md', 'PATH_OUTSIDE_WORKSPACE'],
    ['link.md', 'PATH_OUTSIDE_WORKSPACE'],
    ['/etc/hostname', 'PATH_OUTSIDE_WORKSPACE'],
    ['.env', 'PATH_BLOCKED'],
    ['inside.md', 'PATH_BLOCKED'],
    ['sub', 'DOC_UNREADABLE'],
    ['bytes.txt', 'DOC_UNREADABLE'],
    ['broken.pdf', 'DOC_UNREADABLE'],
    ['nowhere.md', 'ENOENT'],
    ['a\0b', 'PATH_OUTSIDE_WORKSPACE'],
  ])('%j is refused with %s', async (id, code) => {
    writeFileSync(join(folder, 'outside.md'), 'heron')
    write('.env')
    write('sub/a.md')
    write('bytes.txt', new Uint8Array([1, 0, 2]))
    write('broken.pdf', '%PDF-1.4')
    symlinkSync(join(folder, 'outside.md'), join(workspace, 'link.md'))
    symlinkSync(join(workspace, '.env'), join(workspace, 'inside.md'))
    await expect(docs.read(id)).rejects.toMatchObject({ code })
  })

  test('beyond the end is an error that names the line', async () => {
    write('a.md', 'one\ntwo')
    await expect(docs.read('a.md', { offset: 3 })).rejects.toMatchObject({ message: 'a.md has no line 3' })
  })

  test('any text is returned exactly, part by part', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('"'.repeat(900), '\\'.repeat(2000), '文'.repeat(1500), '👍'.repeat(900), ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (given) => {
        const content = given.join('\n').replaceAll('\0', '').replaceAll('\r', '')
        write('a.txt', content)
        const parts: string[] = []
        for (let offset: number | undefined = 1; offset !== undefined; ) {
          const part = await docs.read('a.txt', { offset })
          expect(JSON.stringify(part).length).toBeLessThan(4000)
          if (part.total > 0) parts.push(part.text)
          offset = part.next
        }
        expect(parts.join('\n').replaceAll('\n', '')).toBe(content.replace(/^\ufeff/, '').replaceAll('\n', ''))
      }),
      { numRuns: 40 },
    )
  })
})

describe('many documents', () => {
  beforeEach(() => {
    for (let i = 0; i < 1500; i++)
      write(`d${i % 10}/${i}.md`, `# Doc ${i}\n\n${`heron and otter, stork ${i}. `.repeat(40)}`)
  })

  test('are indexed without blocking the thread', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const seen: number[] = []
    await docs.refresh(({ done }) => seen.push(done), never())
    clearInterval(timer)
    expect(turns).toBeGreaterThan(20)
    expect(seen.at(-1)).toBe(1500)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test('a search does not wait for all of them: it reports the progress, and the rest follows', async () => {
    let answer = await ask('heron')
    while (answer.indexing !== undefined) {
      expect(answer.indexing.done).toBeLessThanOrEqual(1500)
      answer = await ask('heron')
    }
    expect(answer.indexing).toBeUndefined()
    expect((await docs.status()).documents).toBe(1500)
  })

  test('a cancelled search ends immediately, and indexing continues', async () => {
    const stop = new AbortController()
    const called = docs.search('heron', { limit: 5, signal: stop.signal })
    stop.abort()
    await expect(called).rejects.toMatchObject({ name: 'AbortError' })
    await docs.refresh(() => {}, never())
    expect((await docs.status()).documents).toBe(1500)
  })

  test('closing stops background work', async () => {
    const answer = ask('heron').catch((error: Error) => error.name)
    await docs.close()
    expect(await answer).toBe('AbortError')
  })
})
