import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { whysText } from '../../i18n/why.ts'
import type { World } from '../tool.ts'
import { gitTool } from './git.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-closed-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const LEFT_OUT = '(blocked files left out)'

function repository(name: string) {
  const workspace = join(base, name)
  mkdirSync(workspace)
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim()
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  git('init', '-q', '-b', 'main')
  git('config', 'user.email', 'a@b.c')
  git('config', 'user.name', 'n')
  const world: World = {
    workspace,
    protectedPaths: [],
    blockedPaths: ['.env', 'private', 'etc/key.txt', 'secrets'],
    allowedHosts: [],
    env: process.env,
    sandbox: 'off',
  }
  const look = (...args: string[]) => gitTool.preValidate?.({ args }, world, callIn(world))
  const run = (...args: string[]) => gitTool.execute({ args }, callIn(world))
  /** The result of a call when every approval is denied. */
  const attempt = async (...args: string[]): Promise<string> => {
    const facts = await look(...args)
    if (facts?.command?.unparsed !== undefined) return `asked: ${whysText(facts.command.unparsed, 'en')}`
    if ((facts?.paths ?? []).length > 0) return 'refused'
    return JSON.stringify(await run(...args))
  }
  return { git, put, look, run, attempt }
}

const kept = repository('kept')
kept.put('.env', 'TOPVALUE=1\n')
kept.put('sub/private/key', 'TOPVALUE=2\n')
kept.put('etc/key.txt', 'TOPVALUE=3\n')
kept.put('a.txt', 'one\n')
kept.git('add', '-A')
kept.git('commit', '-qm', 'feat: first')
kept.put('.env', 'TOPVALUE=4\n')
kept.put('a.txt', 'two\n')
kept.put('etc/key.txt', 'TOPVALUE=5\n')
kept.git('add', '-A')
kept.git('commit', '-qm', 'feat: second')
kept.git('commit', '-qm', 'feat: third', '--allow-empty')
kept.put('.env', 'TOPVALUE=6\n')
const blob = kept.git('rev-parse', 'HEAD:.env')
const older = kept.git('rev-parse', 'HEAD~2:.env')
const folder = kept.git('rev-parse', 'HEAD:sub/private')
kept.git('tag', 'held', blob)

describe('no option makes git print a closed file', () => {
  test.each([
    [['log', '--binary']],
    [['log', '-pSTOPVALUE']],
    [['log', '--remerge-diff', '-p']],
    [['log', '-p', '--follow', '.']],
    [['log', '-p', '--follow', '--no-follow']],
    [['log', '-p', '--until']],
    [['log', '-p', '--src-prefix', '--follow', '--dst-prefix', 'a.txt']],
    [['log', '-p', '--src-prefix', '-L1,1:a.txt']],
    [['diff', 'HEAD~1', '--src-prefix', '--no-index']],
    [['diff', '--src-prefix', 'HEAD:a.txt', '--dst-prefix', 'HEAD:a.txt']],
    [['reflog', '-p']],
    [['grep', '-e', 'TOPVALUE', '-e']],
    [['status', '-v']],
    [['status', '-sv']],
    [['commit', '--dry-run', '-v']],
    [['commit', '--dry-run', '-av']],
    [['reset', '-p', 'HEAD~1']],
    [['restore', '-p', '--staged', '.']],
    [['checkout', '-p']],
    [['stash', 'show', '--binary']],
    [['--literal-pathspecs', 'log', '-p', '--', '.']],
    [['cat-file', '--batch-all-objects', '--batch=%(objectname):']],
  ])('%j', async (args) => {
    expect(await kept.attempt(...args)).not.toContain('TOPVALUE=')
  })

  test('nor does a setting of the repository', async () => {
    kept.git('config', 'commit.verbose', 'true')
    kept.git('add', '.env')
    expect(await kept.attempt('commit', '--dry-run')).not.toContain('TOPVALUE=')
    kept.git('reset', '-q')
    expect(await kept.attempt('config', '--get-all', 'commit.verbose')).toContain('"true')
  })
})

describe('no object reveals a closed file', () => {
  test.each([
    [['show', ...Array.from({ length: 20 }, () => 'HEAD'), blob]],
    [['show', ...Array.from({ length: 25 }, (_, i) => `x${i}`), blob]],
    [['show', 'held']],
    [['show', '--tags']],
    [['show', '--indexed-objects']],
    [['show', `${folder}:key`]],
    [['cat-file', '-p', `${folder}:key`]],
    [['show', 'HEAD^{/feat: s}:.env']],
    [['diff', older, blob]],
    [['diff', `${older}..${blob}`]],
    [['diff', 'HEAD~2:.env..HEAD:.env']],
    [['diff', 'HEAD~2:etc', 'HEAD:etc']],
    [['archive', folder]],
    [['grep', 'TOPVALUE', folder]],
  ])('%j', async (args) => {
    expect(await kept.attempt(...args)).not.toMatch(/TOPVALUE=/)
  })

  test('nor is it given another name', async () => {
    for (const args of [
      ['restore', `--source=${folder}`, 'key'],
      ['checkout', folder, '--', 'key'],
      ['update-index', '--add', '--cacheinfo', `100644,${blob},x.txt`],
      ['notes', 'add', '-C', blob],
    ])
      expect(await kept.run(...args), args.join(' ')).toMatchObject({ ok: false, code: 'PATH_BLOCKED' })
  })

  test('a short value attached to its option is a path too', async () => {
    expect(await kept.attempt('config', '-lf.env')).toBe('refused')
    expect(await kept.attempt('blame', '-m', '.env')).toBe('refused')
  })

  test('a root tree is not such an object', async () => {
    expect(await kept.attempt('diff', 'HEAD~2^{tree}', 'HEAD~1^{tree}')).toContain('+two')
    expect(await kept.attempt('diff', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'HEAD')).toContain('+two')
  })
})

describe('a file that only an old commit has', () => {
  test('is excluded although no branch leads there', async () => {
    const gone = repository('gone')
    gone.put('a.txt', 'one\n')
    gone.git('add', '-A')
    gone.git('commit', '-qm', 'first')
    gone.git('switch', '-qc', 'side')
    gone.put('.env', 'TOPVALUE=1\n')
    gone.git('add', '-A')
    gone.git('commit', '-qm', 'with')
    gone.git('rm', '-q', '.env')
    gone.git('commit', '-qm', 'without')
    gone.git('switch', '-q', 'main')
    gone.git('merge', '-q', '--no-ff', '-m', 'merged', 'side')
    gone.git('branch', '-qD', 'side')
    const found = gone.git('rev-parse', 'HEAD^2~1')
    expect(await gone.attempt('log', '-p')).not.toContain('TOPVALUE')
    gone.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await gone.attempt('show', 'HEAD@{1}^2~1')).not.toContain('TOPVALUE')
    gone.git('reflog', 'expire', '--expire=now', '--all')
    expect(await gone.attempt('show', found)).not.toContain('TOPVALUE')
  })
})

describe('the result mentions excluded files', () => {
  test('with output, and without', async () => {
    expect(await kept.run('diff')).toEqual({ ok: true, text: `(no output)\n${LEFT_OUT}` })
    expect(await kept.run('diff', '--exit-code')).toEqual({ ok: true, text: `(no output)\n${LEFT_OUT}` })
    const history = await kept.run('log', '-p', '--format=%s')
    expect(history).toMatchObject({ ok: true, text: expect.stringContaining('+two') })
    expect(history.ok && history.text.endsWith(`\n${LEFT_OUT}`)).toBe(true)
    kept.put('a.txt', 'three\n')
    expect(await kept.run('diff', '--exit-code')).toMatchObject({
      ok: false,
      partial: expect.stringContaining(LEFT_OUT),
    })
    kept.put('a.txt', 'two\n')
  })

  test('but not when nothing is excluded', async () => {
    const clean = repository('clean')
    clean.put('a.txt', 'one\n')
    clean.git('add', '-A')
    clean.git('commit', '-qm', 'first')
    expect(await clean.run('diff')).toEqual({ ok: true, text: '(no output)' })
    expect(await clean.run('grep', 'one')).toEqual({ ok: true, text: 'a.txt:one\n' })
    expect(await clean.run('log', '--follow', '--format=%s', 'a.txt')).toEqual({ ok: true, text: 'first\n' })
    expect(await clean.run('log', '-L1,1:a.txt', '--format=%s', '-s')).toEqual({ ok: true, text: 'first\n' })
  })

  test('two files are compared by name, next to closed ones', async () => {
    for (const args of [
      ['HEAD~2:a.txt', 'HEAD:a.txt'],
      ['--stat', 'HEAD~2:a.txt', 'a.txt'],
    ]) {
      const output = await kept.run('diff', ...args)
      expect(output, args.join(' ')).toMatchObject({ ok: true, text: expect.stringContaining('a.txt') })
      expect(JSON.stringify(output)).not.toContain(LEFT_OUT)
    }
  })

  test('--follow does not reach the closed file it was copied from', async () => {
    const copied = repository('copied')
    copied.put('.env', 'TOPVALUE=1\nB=2\nC=3\n')
    copied.git('add', '-A')
    copied.git('commit', '-qm', 'first')
    copied.put('sample.txt', 'TOPVALUE=\nB=2\nC=3\n')
    copied.git('add', '-A')
    copied.git('commit', '-qm', 'second')
    const output = await copied.attempt('log', '-p', '--follow', 'sample.txt')
    expect(output).toContain('second')
    expect(output).not.toContain('TOPVALUE=1')
  })
})

describe('a word that only looks like a closed file is accepted', () => {
  test.each([
    [['switch', 'feature/secrets']],
    [['checkout', 'feature/secrets']],
    [['checkout', '-b', 'secrets']],
    [['log', 'origin/secrets']],
    [['push', 'origin', 'HEAD:refs/heads/secrets']],
    [['clone', 'git@example.com:me/secrets', 'copy']],
    [['commit', '-am', '.env']],
    [['commit', '-m', '.env']],
    [['tag', '-am', '.env', 'v1']],
    [['grep', '-nI', '.env']],
  ])('%j', async (args) => {
    expect((await kept.look(...args))?.paths ?? []).not.toContainEqual(
      expect.objectContaining({ path: expect.stringMatching(/secrets|\.env/) }),
    )
  })

  test.each([
    [['log', '--', 'secrets']],
    [['show', 'HEAD:secrets/x']],
    [['blame', '.env', 'HEAD']],
    [['checkout', 'HEAD', '.env']],
  ])('%j names a closed file', async (args) => {
    expect(await kept.attempt(...args)).toBe('refused')
  })

  test('a file that only git’s history still has is a closed file', async () => {
    const only = repository('only')
    only.put('.env', 'TOPVALUE=1\n')
    only.git('add', '-A')
    only.git('commit', '-qm', 'first')
    only.git('rm', '-q', '.env')
    only.git('commit', '-qm', 'second', '--allow-empty')
    expect(await only.attempt('blame', '.env', 'HEAD~1')).toBe('refused')
  })
})

describe('an untracked blocked file', () => {
  test.each([['add -f .'], ['add -A'], ['add -f sub'], ['stash -u'], ['stash push -a -m mine']])(
    'does not get into git’s object store with `git %s`',
    async (line) => {
      const { git, put, run } = repository(`store ${line.replaceAll('/', '')}`)
      put('a.txt', 'one\n')
      git('add', '-A')
      git('commit', '-qm', 'first')
      put('a.txt', 'two\n')
      put('sub/b.txt', 'three\n')
      for (const path of ['.env', 'sub/private/key']) put(path, `TOPVALUE of ${path}\n`)
      expect(await run(...line.split(' '))).toMatchObject({ ok: true })
      const objects = git('cat-file', '--batch-all-objects', '--batch')
      expect(objects).not.toContain('TOPVALUE')
      expect(objects).toContain('three')
    },
  )

  test('is not stashed by a command that takes no pathspecs', async () => {
    expect(await kept.run('stash', 'save', '-a', 'mine')).toMatchObject({ ok: false, code: 'PATH_BLOCKED' })
  })

  test('that is already in the store gets no other name, and is not printed', async () => {
    for (const args of [
      ['tag', 't', blob],
      ['tag', '-a', '-m', 'x', 't', blob],
      ['update-ref', 'refs/heads/t', blob],
    ])
      expect(await kept.run(...args), args.join(' ')).toMatchObject({ ok: false, code: 'PATH_BLOCKED' })
    for (const args of [
      ['for-each-ref', '--format=%(raw)'],
      ['tag', '-l', '--format', '%(*raw)'],
      ['branch', '--format=%(raw)'],
    ])
      expect(await kept.attempt(...args), args.join(' ')).toMatch(/^asked/)
    expect(await kept.run('tag', 'v1', 'HEAD')).toMatchObject({ ok: true })
    expect(await kept.run('branch', 'topic')).toMatchObject({ ok: true })
  })
})

describe('a patch, and a moved folder', () => {
  const patch = (from: string, how: 'copy' | 'rename') =>
    `diff --git a/${from} b/leak.txt\nsimilarity index 100%\n${how} from ${from}\n${how} to leak.txt\n`

  test('what a patch copies is only known when it runs, so it needs approval without a sandbox', async () => {
    const { put, look } = repository('patched')
    put('x.patch', patch('.env', 'copy'))
    for (const args of [
      ['apply', 'x.patch'],
      ['am', 'x.patch'],
    ])
      expect((await look(...args))?.command?.unparsed, args[0]).toContainEqual({ code: 'patchFiles' })
  })

  test('a closed file is not moved along with a folder above it', async () => {
    const { git, put, look } = repository('moved')
    put('etc/key.txt', 'TOPVALUE\n')
    put('src/a.txt', 'a\n')
    git('add', '-A')
    expect((await look('mv', 'etc', 'etc2'))?.command?.unparsed).toMatchObject([{ file: 'etc/key.txt' }])
    expect((await look('mv', 'src', 'lib'))?.command?.unparsed).toBeUndefined()
  })
})
