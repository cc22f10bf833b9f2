import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import type { ToolContext, World } from '../tool.ts'
import { gitTool } from './git.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-')))
const workspace = join(base, 'ws')
mkdirSync(workspace)
execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: workspace })
execFileSync('git', ['config', 'user.email', 'a@b.c'], { cwd: workspace })
execFileSync('git', ['config', 'user.name', 'n'], { cwd: workspace })
afterAll(() => rmSync(base, { recursive: true, force: true }))

const world: World = {
  workspace,
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: process.env,
  sandbox: 'off',
}
const context: ToolContext = callIn(world)
const facts = async (...args: string[]) => gitTool.preValidate?.({ args }, world, context)

describe('what a git call would do', () => {
  test('S0-27: it is of the vcs family, at least Medium, and an approval covers reads or one sub-command', async () => {
    expect(gitTool).toMatchObject({ family: 'vcs', risk: 'Medium', trust: 'external' })
    expect(await facts('commit', '-m', 'a b')).toMatchObject({
      risk: 'Medium',
      readOnly: false,
      command: { bases: ['git'], dangers: [] },
      approvalKeys: ['commit'],
      preview: 'git commit -m "a b"',
    })
    for (const read of ['status', 'log']) expect(await facts(read)).toMatchObject({ approvalKeys: ['read'] })
    expect(await facts('status')).toMatchObject({ risk: 'Medium', readOnly: true })
  })

  test.each([
    [['-c', 'core.pager=x', 'log']],
    [['-ccore.pager=x', 'log']],
    [['--exec-path=/tmp', 'status']],
    [['clone', 'ext::sh -c id']],
    [['fetch', '--upload-pack=/tmp/x', 'origin']],
    [['clone', '-u', '/tmp/x', 'y']],
    [['push', '--force']],
    [['push', '-f']],
    [['push', '--force-with-lease=main']],
    [['push', 'origin', '+main']],
    [['push', 'origin', ':main']],
    [['push', '--delete', 'origin', 'main']],
    [['rebase', '-x', 'id', 'main']],
    [['bisect', 'run', 'sh']],
    [['submodule', 'foreach', 'id']],
    [['config', 'alias.x', '!id']],
    [['config', 'core.fsmonitor', '/tmp/x']],
    [['config', '--global', 'user.name', 'x']],
    [['config', 'set', 'core.sshCommand', 'x']],
    [['config', '--edit']],
    [['clone', '--config', 'core.fsmonitor=x', 'y']],
    [['clone', '--template=/tmp/x', 'y']],
    [['grep', '-Oless', 'x']],
    [['difftool', '--extcmd=id']],
    [['filter-branch', '--tree-filter', 'id']],
    [['push']],
    [['reset', '--hard']],
    [['clean', '-f']],
    [['stash', 'drop']],
    [['branch', '-D', 'x']],
    [['remote', 'set-url', 'origin', 'https://example.com/x']],
    [['submodule', 'update']],
    [['maintenance', 'register']],
    [['apply', '--unsafe-paths', 'x']],
    [['config', 'submodule.x.update', '!id']],
    [['config', 'core.alternateRefsCommand', 'id']],
    [['config', 'remote.origin.url', 'x']],
  ])('%j is High', async (args) => {
    expect(await facts(...args)).toMatchObject({ risk: 'High' })
  })

  test.each([
    [['config', 'user.name', 'x']],
    [['config', '--get', 'alias.x']],
    [['log', '-p']],
    [['diff', '--stat']],
    [['checkout', '-b', 'x']],
  ])('%j is not High', async (args) => {
    expect(await facts(...args)).toMatchObject({ risk: 'Medium', command: { dangers: [] } })
  })

  test('an alias or an extension is not understood and never gets a lasting approval', async () => {
    expect(await facts('frobnicate')).toMatchObject({
      approvalKeys: [],
      command: { unparsed: [{ code: 'gitAlias' }] },
    })
  })

  test('paths outside the workspace are facts', async () => {
    for (const args of [
      ['-C', '..', 'status'],
      ['--git-dir=/etc/x', 'status'],
      ['diff', '--no-index', '/etc/passwd', '/dev/null'],
      ['clone', 'https://example.com/x', '../x'],
      ['diff', '--output=/tmp/x'],
      ['format-patch', '-o', '../x'],
      ['worktree', 'add', '../x'],
    ]) {
      expect(
        (await facts(...args))?.paths?.some((path) => !path.insideWorkspace),
        args.join(' '),
      ).toBe(true)
    }
    expect(
      (await facts('-C', 'sub', 'diff', '--no-index', '../a', 'b'))?.paths?.every((path) => path.insideWorkspace),
    ).toBe(true)
    expect((await facts('diff', 'HEAD~1', '--', 'a/b.ts'))?.paths).toBeUndefined()
  })

  test('deleting untracked files is a write to every protected file', async () => {
    const guarded = { ...world, protectedPaths: [join(workspace, '.writ')] }
    const reaches = async (...args: string[]) =>
      (await gitTool.preValidate?.({ args }, guarded, context))?.paths?.some((path) => path.isProtected) ?? false
    for (const args of [
      ['clean', '-fdx'],
      ['stash', '-u'],
      ['rm', '-r', '.writ'],
      ['checkout', 'x', '--', '.writ/a'],
    ]) {
      expect(await reaches(...args), args.join(' ')).toBe(true)
    }
    for (const args of [
      ['clean', '-n'],
      ['clean', '-fd', 'build'],
      ['stash'],
      ['checkout', 'main'],
      ['checkout', '.'],
    ]) {
      expect(await reaches(...args), args.join(' ')).toBe(false)
    }
  })

  test('remote addresses are facts', async () => {
    expect((await facts('clone', 'http://127.0.0.1:1/x'))?.hosts).toMatchObject([
      { host: '127.0.0.1', address: 'loopback' },
    ])
    expect((await facts('clone', 'git@10.0.0.1:x'))?.hosts).toMatchObject([{ host: '10.0.0.1', address: 'private' }])
    const remote = await facts('clone', 'git@example.com:x')
    expect(remote?.hosts).toMatchObject([{ host: 'example.com', port: 22, scheme: 'ssh' }])
    expect(remote?.targets).toHaveLength(1)
  })
})

describe('running git', () => {
  test('works on the repository of the workspace', async () => {
    writeFileSync(join(workspace, 'a.txt'), 'a\n')
    expect(await gitTool.execute({ args: ['add', 'a.txt'] }, context)).toEqual({ ok: true, text: '(no output)' })
    expect(await gitTool.execute({ args: ['commit', '-m', 'first; echo $(id)'] }, context)).toMatchObject({ ok: true })
    expect(await gitTool.execute({ args: ['log', '--format=%s'] }, context)).toEqual({
      ok: true,
      text: 'first; echo $(id)\n',
    })
  })

  test('a failing command is a failure with git’s output', async () => {
    expect(await gitTool.execute({ args: ['show', 'nothing'] }, context)).toMatchObject({
      ok: false,
      error: 'git exited with 128',
      partial: expect.stringContaining('nothing'),
    })
  })

  test('in a repository around the workspace, no file outside the workspace is changed', async () => {
    mkdirSync(join(workspace, 'inner'))
    const inner = { ...context, world: { ...world, workspace: join(workspace, 'inner') } }
    expect(await gitTool.execute({ args: ['status'] }, inner)).toMatchObject({ ok: true })
    for (const args of [['checkout', 'main'], ['reset', '--hard'], ['stash'], ['checkout', '--', '../a.txt']]) {
      const code = 'PATH_OUTSIDE_WORKSPACE'
      expect(await gitTool.execute({ args }, inner), args.join(' ')).toMatchObject({ ok: false, code })
    }
    expect(await gitTool.execute({ args: ['-C', 'inner', 'status'] }, context)).toMatchObject({ ok: true })
  })

  test('no editor opens, and a folder outside is refused', async () => {
    expect(await gitTool.execute({ args: ['commit', '--allow-empty'] }, context)).toMatchObject({ ok: false })
    expect(await gitTool.execute({ args: ['-C', '..', 'status'] }, context)).toMatchObject({
      ok: false,
      code: 'PATH_OUTSIDE_WORKSPACE',
    })
  })
})

describe('closed files', () => {
  const inside = join(base, 'closed')
  const closed: World = { ...world, workspace: inside, blockedPaths: ['.env', 'private'] }
  const run = (...args: string[]) => gitTool.execute({ args }, callIn(closed))
  const put = (name: string, content: string): void => {
    mkdirSync(join(inside, name, '..'), { recursive: true })
    writeFileSync(join(inside, name), content)
  }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: inside, encoding: 'utf8' })
  mkdirSync(inside)
  git('init', '-q', '-b', 'main')
  git('config', 'user.email', 'a@b.c')
  git('config', 'user.name', 'n')
  for (const name of ['.env', 'a.txt', 'sub/private/key']) put(name, 'TOPVALUE\n')

  test('are excluded from a search, tracked or not', async () => {
    expect(await run('grep', '--no-index', 'TOPVALUE')).toEqual({
      ok: true,
      text: 'a.txt:TOPVALUE\n(blocked files left out)',
    })
    expect(await run('grep', '--untracked', 'TOPVALUE', '--', '.')).toEqual({
      ok: true,
      text: 'a.txt:TOPVALUE\n(blocked files left out)',
    })
  })

  test('are excluded from differences and history once they were committed', async () => {
    git('add', '-A')
    const staged = await run('diff', '--cached')
    expect(staged).toMatchObject({ ok: true, text: expect.stringContaining('a.txt') })
    expect(JSON.stringify(staged)).not.toMatch(/\.env|private/)
    git('commit', '-qm', 'all')
    put('.env', 'OTHERVALUE\n')
    put('b.txt', 'b\n')
    git('add', 'b.txt')
    git('rm', '-q', '--cached', '.env', 'sub/private/key')
    git('commit', '-qm', 'forget')
    for (const args of [
      ['show', 'HEAD~1'],
      ['log', '-p'],
      ['archive', 'HEAD~1'],
      ['diff', 'HEAD~1'],
      ['show', 'HEAD:a.txt'],
    ]) {
      const output = await run(...args)
      const text = output.ok ? output.text : ''
      expect(text, args.join(' ')).toMatch(/[ab]\.txt|TOPVALUE/)
      expect(text, args.join(' ')).not.toMatch(/\.env|private|OTHERVALUE/)
    }
  })

  test('commands that print whole histories or stashes need approval', async () => {
    for (const args of [
      ['fast-export', '--all'],
      ['range-diff', 'a...b'],
      ['stash', 'show', '-p'],
    ]) {
      const facts = await gitTool.preValidate?.({ args }, closed, context)
      expect(facts?.command?.unparsed, args.join(' ')).toMatchObject([{ code: 'gitPrints' }])
    }
    expect((await facts('stash', 'list'))?.command?.unparsed).toBeUndefined()
  })

  test('an object without a name is not shown', async () => {
    const object = git('rev-parse', 'HEAD~1:.env').trim()
    expect(await run('show', object)).toMatchObject({ ok: false, code: 'PATH_BLOCKED' })
    const facts = await gitTool.preValidate?.({ args: ['cat-file', '-p', object] }, closed, context)
    expect(facts).toMatchObject({ approvalKeys: [], command: { unparsed: [{ code: 'objectLater' }] } })
  })

  test('comparing folders outside the repository needs approval when one contains closed files', async () => {
    const facts = await gitTool.preValidate?.({ args: ['diff', '--no-index', 'sub', '.git'] }, closed, context)
    expect(facts?.command?.unparsed).toMatchObject([{ file: 'sub/private' }])
  })
})
