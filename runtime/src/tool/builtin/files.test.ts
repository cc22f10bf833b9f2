import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { memoryFolder } from '../../../test/support/temporary.ts'
import { LOCAL } from '../../protocol/principal.ts'
import type { ToolContext, ToolOutput, World } from '../tool.ts'
import { fileListTool } from './file-list.ts'
import { fileReadTool } from './file-read.ts'
import { fileSearchTool } from './file-search.ts'
import { fileWriteTool } from './file-write.ts'

const base = realpathSync(mkdtempSync(join(memoryFolder(), 'writ-files-')))
const workspace = join(base, 'ws')
mkdirSync(join(workspace, '.writ'), { recursive: true })
writeFileSync(join(base, 'secret'), 'canary')
symlinkSync(join(base, 'secret'), join(workspace, 'leak'))
symlinkSync(base, join(workspace, 'out'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const world: World = {
  workspace,
  protectedPaths: [join(workspace, '.writ')],
  blockedPaths: [],
  allowedHosts: [],
  env: { HOME: base },
  sandbox: 'off',
}
const context: ToolContext = callIn(world)
const put = (path: string, content: string | Buffer): void => {
  mkdirSync(join(workspace, path, '..'), { recursive: true })
  writeFileSync(join(workspace, path), content)
}
const textOf = (output: ToolOutput): string => (output.ok ? output.text : `failed: ${output.error}`)
const read = async (path: string, part: { offset?: number; limit?: number } = {}) =>
  textOf(await fileReadTool.execute({ path, ...part }, context))

describe('file_read', () => {
  test('S0-25: it is of the filesystem family, and a read of the workspace is Low and read-only', async () => {
    expect(fileReadTool).toMatchObject({ family: 'filesystem', trust: 'external', readOnly: true })
    expect(await fileReadTool.preValidate?.({ path: 'a' }, world, context)).toMatchObject({
      risk: 'Low',
      readOnly: true,
      paths: [{ path: 'a', access: 'read', insideWorkspace: true, isProtected: false }],
      targets: [{ kind: 'path', value: 'a' }],
    })
  })

  test('returns the text unchanged', async () => {
    put('a.txt', 'one\ntwo\n')
    expect(await read('a.txt')).toBe('one\ntwo\n')
    put('bom.txt', '\ufeffone')
    expect(await read('bom.txt')).toBe('one')
    put('empty.txt', '')
    expect(await read('empty.txt')).toBe('(the file is empty)')
    put('latin.txt', Buffer.from([0x61, 0xe9, 0x62]))
    expect(await read('latin.txt')).toBe('a\ufffdb')
  })

  test('a part can be requested, and the result says how to continue', async () => {
    put('lines.txt', '1\n2\n3\n4\n')
    expect(await read('lines.txt', { offset: 2, limit: 2 })).toBe('2\n3\n\n[more follows: continue with offset 4]')
    expect(await read('lines.txt', { offset: 4 })).toBe('4\n')
    expect(await read('lines.txt', { offset: 9 })).toMatch(/has no line 9/)
  })

  test('for any lines, reading part after part returns the whole file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 12 }),
        async (lengths) => {
          const content = lengths.map((length, i) => `${String.fromCharCode(97 + i).repeat(length)}\n`).join('')
          put('whole.txt', content)
          let whole = ''
          for (let offset: number | undefined = 1; offset !== undefined; ) {
            const part = await read('whole.txt', { offset })
            const note: RegExpExecArray | null = /\n\[more follows: continue with offset (\d+)\]$/.exec(part)
            whole += note === null ? part : part.slice(0, note.index)
            offset = note === null ? undefined : Number(note[1])
          }
          expect(whole === content).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('a line of ten megabytes is cut, and the following lines can still be read', async () => {
    put('long.txt', `${'x'.repeat(10_000_000)}\nafter\n`)
    const first = await read('long.txt')
    expect(first.length).toBeLessThan(300_000)
    expect(first).toContain('[the rest of line 1 is left out]')
    expect(first).toContain('continue with offset 2')
    expect(await read('long.txt', { offset: 2 })).toBe('after\n')
  })

  test('binary files, folders, pipes and missing files are clear failures', async () => {
    put('bin', Buffer.from([1, 0, 2]))
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: workspace })
    expect(await read('bin')).toBe('failed: bin is a binary file')
    expect(await read('.')).toMatch(/is a folder/)
    expect(await read('pipe')).toMatch(/not a regular file/)
    expect(await read('missing')).toBe('failed: "missing" does not exist')
    expect(await read('a.txt/below')).toMatch(/is not a folder/)
  })

  test('nothing outside the workspace is read, by any path', async () => {
    for (const path of ['leak', 'out/secret', '../secret', join(base, 'secret'), '~/secret', 'a\0b']) {
      expect(await fileReadTool.execute({ path }, context), path).toMatchObject({
        ok: false,
        code: 'PATH_OUTSIDE_WORKSPACE',
      })
      expect(await fileReadTool.preValidate?.({ path }, world, context)).toMatchObject({
        paths: [{ insideWorkspace: false }],
      })
    }
  })
})

describe('file_write', () => {
  const write = (path: string, content: string) => fileWriteTool.execute({ path, content }, context)

  test('replaces the file, keeps its mode, creates folders and leaves no temporary file', async () => {
    put('w/run.sh', 'old')
    chmodSync(join(workspace, 'w/run.sh'), 0o750)
    expect(await write('w/run.sh', 'neu ü\n')).toEqual({ ok: true, text: 'wrote 7 bytes to w/run.sh' })
    expect(readFileSync(join(workspace, 'w/run.sh'), 'utf8')).toBe('neu ü\n')
    expect(statSync(join(workspace, 'w/run.sh')).mode & 0o777).toBe(0o750)
    expect(await write('w/x/y/z.txt', '1')).toMatchObject({ ok: true })
    expect(readdirSync(join(workspace, 'w')).sort()).toEqual(['run.sh', 'x'])
    expect(readdirSync(join(workspace, 'w/x/y'))).toEqual(['z.txt'])
  })

  test('files outside the workspace and protected files are not written', async () => {
    for (const path of ['leak', 'out/new', '../new', '~/new']) {
      expect(await write(path, 'x'), path).toMatchObject({ ok: false, code: 'PATH_OUTSIDE_WORKSPACE' })
    }
    expect(await write('.writ/policy', 'x')).toMatchObject({ ok: false, code: 'PATH_PROTECTED' })
    expect(await write('.git/hooks/pre-commit', 'x')).toMatchObject({ ok: false, code: 'PATH_PROTECTED' })
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('canary')
    expect(existsSync(join(base, 'new'))).toBe(false)
  })

  test('a folder is not replaced', async () => {
    mkdirSync(join(workspace, 'folder'))
    expect(await write('folder', 'x')).toMatchObject({ ok: false })
    expect(statSync(join(workspace, 'folder')).isDirectory()).toBe(true)
  })

  test('the preview shows the difference, and the risk is Medium', async () => {
    put('d.txt', 'a\nb\nc\n')
    const facts = await fileWriteTool.preValidate?.({ path: 'd.txt', content: 'a\nB\nc\n' }, world, context)
    expect(facts).toMatchObject({
      risk: 'Medium',
      readOnly: false,
      paths: [{ access: 'write', insideWorkspace: true }],
    })
    expect(facts?.preview).toContain('-b\n+B\n')
    const huge = await fileWriteTool.preValidate?.({ path: 'd.txt', content: 'x\n'.repeat(100_000) }, world, context)
    expect(huge?.preview?.length).toBeLessThan(9_000)
  })

  test('the preview of a file outside the workspace reveals nothing of its content', async () => {
    const facts = await fileWriteTool.preValidate?.({ path: 'leak', content: 'x' }, world, context)
    expect(JSON.stringify(facts)).not.toContain('canary')
  })
})

describe('file_list', () => {
  test('lists folders first, marks links and sizes', async () => {
    put('list/b.txt', '12345')
    put('list/a/x', '')
    symlinkSync('b.txt', join(workspace, 'list/c'))
    expect(textOf(await fileListTool.execute({ path: 'list' }, context))).toBe('a/\nb.txt (5 bytes)\nc@ -> b.txt')
    mkdirSync(join(workspace, 'void'))
    expect(textOf(await fileListTool.execute({ path: 'void' }, context))).toBe('(the folder is empty)')
  })

  test('a folder outside, a missing one and a file are failures', async () => {
    expect(await fileListTool.execute({ path: 'out' }, context)).toMatchObject({
      ok: false,
      code: 'PATH_OUTSIDE_WORKSPACE',
    })
    expect(await fileListTool.execute({ path: 'nowhere' }, context)).toMatchObject({ ok: false })
    put('f', '')
    expect(await fileListTool.execute({ path: 'f' }, context)).toMatchObject({ ok: false })
  })

  test('a very long list is cut and says so', async () => {
    mkdirSync(join(workspace, 'many'))
    for (let i = 0; i < 1_005; i++) writeFileSync(join(workspace, 'many', `${i}`), '')
    expect(textOf(await fileListTool.execute({ path: 'many' }, context))).toContain('[5 more entries left out]')
  })
})

describe('file_search', () => {
  mkdirSync(join(workspace, 's/node_modules'), { recursive: true })
  mkdirSync(join(workspace, 's/.git'))
  put('s/one.ts', 'const a = 1\nfoo(bar)\n')
  put('s/deep/two.md', 'x foo y\r\n')
  put('s/node_modules/n.ts', 'foo')
  put('s/.git/config', 'foo')
  put('s/bin', Buffer.from('foo\0'))
  symlinkSync(base, join(workspace, 's/out'))
  const search = async (args: { pattern: string; path?: string; glob?: string }) =>
    textOf(await fileSearchTool.execute({ path: 's', ...args }, context))

  test('returns path, line, column and text, and skips .git and node_modules', async () => {
    expect(await search({ pattern: 'fo+' })).toBe('s/deep/two.md:1:3: x foo y\ns/one.ts:2:1: foo(bar)')
    expect(await search({ pattern: 'canary' })).toBe('(no matches)')
  })

  test('blocked files and the records of the data folder are never searched', async () => {
    for (const name of ['.env', 'deep/.ENV', '.ssh/id', 'private/key', 'data/journal.txt', 'data/skills/own.md'])
      put(`closed/${name}`, 'TOPVALUE=1')
    const inside = join(workspace, 'closed')
    const blockedPaths = ['.env', '.ssh', 'closed/private']
    const there = callIn({ ...world, workspace: inside, blockedPaths, data: join(inside, 'data') })
    const found = async (args: { path?: string; glob?: string }) =>
      textOf(await fileSearchTool.execute({ pattern: 'TOPVALUE', ...args }, there))
    for (const args of [{}, { path: '.' }, { glob: '**' }]) {
      expect(await found(args)).toBe('data/skills/own.md:1:1: TOPVALUE=1')
    }
    expect(await found({ glob: '**/.env' })).toBe('(no matches)')
    expect(await found({ path: 'data' })).toBe('data/skills/own.md:1:1: TOPVALUE=1')
    expect(await found({ path: 'private' })).toContain('is blocked')
    expect(await found({ path: 'data/journal.txt' })).toContain('is blocked')
  })

  test('an invalid regular expression is searched as plain text', async () => {
    expect(await search({ pattern: 'foo(bar' })).toBe('s/one.ts:2:1: foo(bar)')
  })

  test.each([
    ['*.ts', 's/one.ts'],
    ['**/*.md', 's/deep/two.md'],
    ['deep/*', 's/deep/two.md'],
    ['*.{md,txt}', 's/deep/two.md'],
    ['on?.ts', 's/one.ts'],
  ])('only files like %s', async (glob, file) => {
    const found = (await search({ pattern: 'foo', glob })).split('\n')
    expect(found.map((line) => line.split(':')[0])).toEqual([file])
  })

  test('one file can be searched, and a missing folder is a failure', async () => {
    expect(await search({ pattern: 'foo', path: 's/one.ts' })).toBe('s/one.ts:2:1: foo(bar)')
    expect(await search({ pattern: 'foo', path: 'nowhere' })).toMatch(/does not exist/)
    expect(await search({ pattern: 'foo', path: 'out' })).toMatch(/outside the workspace/)
  })

  test('a pattern that would match for hours is stopped', async () => {
    put('redos/x', `${'a'.repeat(60)}!\n`)
    expect(await search({ pattern: '^(a+)+$', path: 'redos' })).toMatch(/took too long/)
  })

  test('too many matches are cut and it says so', async () => {
    put('hits/x', 'hit\n'.repeat(500))
    const found = (await search({ pattern: 'hit', path: 'hits' })).split('\n')
    expect(found).toHaveLength(201)
    expect(found.at(-1)).toBe('[only the first 200 matches are shown]')
  })

  test('a plain pattern covers every file of the limit, and the result says that there are more', async () => {
    mkdirSync(join(workspace, 'crowd'))
    for (let i = 0; i < 20_001; i++) writeFileSync(join(workspace, 'crowd', `${i}.txt`), '')
    put('crowd/19999.txt', 'needle')
    const note = '[only the first 20000 files were searched]'
    expect(await search({ pattern: 'needle', path: 'crowd' })).toBe(`crowd/19999.txt:1:1: needle\n${note}`)
    expect(await search({ pattern: 'needle', path: 'crowd', glob: '*.md' })).toBe(`(no matches)\n${note}`)
  })

  test('matches found before a pattern took too long are kept', async () => {
    put('slow/a', 'aaa\n')
    put('slow/b', `${'a'.repeat(60)}!\n`)
    const output = await fileSearchTool.execute({ pattern: '^(a+)+$', path: 'slow' }, context)
    expect(output).toMatchObject({ ok: false, partial: 'slow/a:1:1: aaa' })
  })

  test('many files that are long together are searched to the end', async () => {
    for (const name of ['a', 'b', 'c']) put(`long/${name}`, `${'line\n'.repeat(200_000)}end of ${name}\n`)
    const lines = ['a', 'b', 'c'].map((name) => `long/${name}:200001:1: end of ${name}`)
    expect(await search({ pattern: '^end', path: 'long' })).toBe(lines.join('\n'))
  })
})

test.each([
  '.bashrc',
  'sub/.envrc',
  '.mcp.json',
  '.vscode/tasks.json',
  '.npmrc',
  '.github/workflows/ci.yml',
  './.github//workflows/ci.yml',
  'a/.HUSKY/pre-commit',
  '.cargo/config.toml',
  'app.code-workspace',
  'CLAUDE.md',
  '.devcontainer/devcontainer.json',
])('writing %s, which other programs run or follow, always needs approval', async (path) => {
  expect(
    await fileWriteTool.preValidate?.({ path, content: 'x' }, world, { sessionId: 's', owner: LOCAL }),
  ).toMatchObject({
    risk: 'High',
  })
})

test.each(['src/index.ts', 'package.json', 'README.md', 'Makefile', 'docs/github/workflows/a.md', 'npmrc.txt'])(
  'writing %s is ordinary work',
  async (path) => {
    expect(
      await fileWriteTool.preValidate?.({ path, content: 'x' }, world, { sessionId: 's', owner: LOCAL }),
    ).toMatchObject({
      risk: 'Medium',
    })
  },
)
