import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import type { World } from '../tool.ts'
import { gitTool } from './git.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-programs-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const IDENTITY = ['-c', 'user.name=n', '-c', 'user.email=a@b.c']
let count = 0

function repository(sandbox: World['sandbox'] = 'auto') {
  const workspace = join(base, `ws${count++}`)
  mkdirSync(workspace)
  const world: World = {
    workspace,
    protectedPaths: [],
    blockedPaths: ['.env'],
    allowedHosts: [],
    env: { PATH: process.env.PATH, HOME: join(base, 'home') },
    sandbox,
  }
  const put = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content, { mode })
  }
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: workspace, encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'main')
  put('a.txt', 'one\n')
  put('.gitignore', '.env\nleak\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  put('.env', 'TOPVALUE=1\n')
  const has = (path: string): boolean => existsSync(join(workspace, path))
  return {
    git,
    put,
    has,
    run: (...args: string[]) => gitTool.execute({ args }, callIn(world)),
    read: (path: string): string => (has(path) ? readFileSync(join(workspace, path), 'utf8') : ''),
    workspace,
  }
}

/** A commit with a signature that git would check with a program. */
function sign({ git, workspace }: ReturnType<typeof repository>): void {
  const [head, ...body] = git('cat-file', 'commit', 'HEAD').split('\n\n')
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
  const input = `${head}\n${signature}\n\n${body.join('\n\n')}\n`
  const object = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: workspace, input })
  git('update-ref', 'refs/heads/main', object.toString().trim())
}

/** A submodule whose filter reads the blocked file and writes to the settings of the outer repository. */
function withSubmodule(here: ReturnType<typeof repository>): void {
  const inside = (...args: string[]): string => here.git('-C', 'sub', ...args)
  mkdirSync(join(here.workspace, 'sub'))
  inside('init', '-q', '-b', 'main')
  here.put('sub/b.txt', 'b\n')
  here.put('sub/.gitattributes', '*.txt filter=x\n')
  inside('add', '-A')
  inside('commit', '-qm', 'inner')
  here.git('update-index', '--add', '--cacheinfo', `160000,${inside('rev-parse', 'HEAD')},sub`)
  here.git('commit', '-qm', 'with sub')
  inside(
    'config',
    'filter.x.clean',
    'touch ../ran; cat ../.env >> ../leak; echo "[alias] p = !id" >> ../.git/config; cat',
  )
  here.put('sub/b.txt', 'c\n')
}

describe.each(['auto', 'off'] as const)('a program that checks signatures, sandbox %s', (sandbox) => {
  test.each([
    [['log', '--format=%G?']],
    [['log', '--show-signature']],
    [['verify-commit', 'HEAD']],
    [['-c', 'log.showSignature=true', 'show', '-s']],
  ])('%j does not start it', async (args) => {
    const here = repository(sandbox)
    sign(here)
    here.put('check', '#!/bin/sh\ncat .env > leak\ntouch ran\n', 0o755)
    here.git('config', 'gpg.program', join(here.workspace, 'check'))
    here.git('config', 'gpg.openpgp.program', join(here.workspace, 'check'))
    await here.run(...args)
    expect([here.has('ran'), here.has('leak')]).toEqual([false, false])
  })
})

describe('a setting that is not known to be harmless', () => {
  test.each([
    'tar.x.command',
    'man.viewer',
    'man.x.cmd',
    'gc.recentObjectsHook',
    'rebase.instructionFormat',
    'no.such',
  ])('%s is refused without a sandbox until it is removed', async (key) => {
    const bare = repository('off')
    bare.git('config', key, 'x')
    expect(await bare.run('status')).toMatchObject({
      ok: false,
      code: 'SANDBOX_REQUIRED',
      error: expect.stringContaining(key.toLowerCase()),
    })
    expect(await bare.run('config', '--unset', key)).toMatchObject({ ok: true })
    expect(await bare.run('status')).toMatchObject({ ok: true })
  })

  test('the program it starts in the sandbox sees no blocked file', async () => {
    const here = repository()
    here.git('config', 'tar.x.command', 'cat .env; echo ran')
    const output = JSON.stringify(await here.run('archive', '--format=x', 'HEAD'))
    expect(output).toContain('ran')
    expect(output).not.toContain('TOPVALUE')
  })

  test('nor does a program named by the arguments', async () => {
    const here = repository()
    here.git('commit', '-qm', 'second', '--allow-empty')
    const output = JSON.stringify(await here.run('rebase', '-x', 'cat .env; echo ran', 'HEAD~1'))
    expect(output).toContain('ran')
    expect(output).not.toContain('TOPVALUE')
    const aliased = await here.run('-c', 'alias.x=!cat .env; echo ran', 'x')
    expect(JSON.stringify(aliased)).not.toContain('TOPVALUE')
  })
})

describe('settings of a submodule', () => {
  test.each([[['status']], [['diff']], [['describe', '--dirty', '--always']], [['ls-files', '-m']]])(
    '%j is refused without a sandbox',
    async (args) => {
      const here = repository('off')
      withSubmodule(here)
      expect(await here.run(...args)).toMatchObject({ ok: false, code: 'SANDBOX_REQUIRED' })
      expect(here.has('ran')).toBe(false)
    },
  )

  test.each([[['status']], [['diff']], [['describe', '--dirty', '--always']], [['checkout', '-b', 'two', 'main~0']]])(
    '%j: its filter sees no blocked file and changes no settings',
    async (args) => {
      const here = repository()
      withSubmodule(here)
      expect(await here.run(...args)).toMatchObject({ ok: true })
      expect(here.has('ran')).toBe(true)
      expect(here.read('leak')).toBe('')
      expect(here.read('.git/config')).not.toContain('alias')
    },
  )

  test('stored in the folder of the outer repository count too', async () => {
    const here = repository('off')
    withSubmodule(here)
    mkdirSync(join(here.workspace, '.git/modules'))
    renameSync(join(here.workspace, 'sub/.git'), join(here.workspace, '.git/modules/sub'))
    here.put('sub/.git', 'gitdir: ../.git/modules/sub\n')
    expect(await here.run('status')).toMatchObject({ ok: false, code: 'SANDBOX_REQUIRED' })
  })
})

test('hooks of a local repository that receives a push see no blocked file, and need a sandbox', async () => {
  for (const sandbox of ['auto', 'off'] as const) {
    const here = repository(sandbox)
    here.git('init', '-q', '--bare', 'target.git')
    here.put('target.git/hooks/post-receive', '#!/bin/sh\ncat ../.env > ../leak\ntouch ../ran\n', 0o755)
    const pushed = await here.run('push', './target.git', 'main')
    if (sandbox === 'off') expect(pushed).toMatchObject({ ok: false, code: 'SANDBOX_REQUIRED' })
    else expect(pushed).toMatchObject({ ok: true })
    expect([here.has('ran'), here.read('leak')]).toEqual([sandbox === 'auto', ''])
  }
})

test('a repository with everyday settings works without a sandbox', async () => {
  const here = repository('off')
  for (const [key, value] of Object.entries({
    'user.name': 'n',
    'user.email': 'a@b.c',
    'remote.origin.url': 'https://example.com/x',
    'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
    'remote.origin.gh-resolved': 'base',
    'branch.main.remote': 'origin',
    'branch.main.merge': 'refs/heads/main',
    'branch.main.vscode-merge-base': 'origin/main',
    'core.autocrlf': 'input',
    'core.compression': '9',
    'core.excludesFile': '.ignore',
    'pull.rebase': 'true',
    'push.default': 'current',
    'color.ui': 'auto',
    'color.diff.meta': 'yellow',
    'diff.renames': 'copies',
    'lfs.url': 'https://example.com/lfs',
    'lfs.repositoryformatversion': '0',
    'submodule.lib.url': 'https://example.com/lib',
    'submodule.lib.active': 'true',
    'submodule.lib.update': 'rebase',
    'gc.auto': '256',
    'gc.pruneExpire': 'never',
    'merge.conflictStyle': 'zdiff3',
    'merge.tool': 'vimdiff',
    'rebase.autoStash': 'true',
    'fetch.prune': 'true',
    'log.date': 'iso',
    'status.short': 'true',
    'tag.sort': 'version:refname',
    'rerere.enabled': 'true',
    'commit.gpgSign': 'false',
    'blame.ignoreRevsFile': '.git-blame-ignore-revs',
    'http.postBuffer': '1000000',
    'http.https://example.com/.extraHeader': 'x: y',
  }))
    here.git('config', key, value)
  here.put('.git-blame-ignore-revs', '')
  here.put('b.txt', 'b\n')
  for (const args of [
    ['status'],
    ['add', '-A'],
    ['commit', '-m', 'x'],
    ['switch', '-c', 'two'],
    ['log'],
    ['blame', 'a.txt'],
  ])
    expect(await here.run(...args), args.join(' ')).toMatchObject({ ok: true })
})
