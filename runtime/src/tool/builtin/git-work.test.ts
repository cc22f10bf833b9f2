import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import type { World } from '../tool.ts'
import { gitTool } from './git.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-work-')))
const home = join(base, 'home')
mkdirSync(home)
writeFileSync(
  join(home, '.gitconfig'),
  '[user]\n\tname = "Ann Example"\n\temail = ann@example.com\n[alias]\n\tst = !touch pwned\n[core]\n\tpager = touch pwned\n[includeIf "gitdir:**/jobs/**"]\n\tpath = work.gitconfig\n',
)
writeFileSync(join(home, 'work.gitconfig'), '[user]\n\temail = ann@work.example\n')
afterAll(() => rmSync(base, { recursive: true, force: true }))

function place(name: string, own: Partial<World> = {}) {
  const workspace = join(base, name)
  mkdirSync(workspace, { recursive: true })
  const world: World = {
    workspace,
    protectedPaths: [],
    blockedPaths: ['.env'],
    allowedHosts: [],
    env: { PATH: process.env.PATH, HOME: home },
    sandbox: 'auto',
    ...own,
  }
  const put = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content, { mode })
  }
  return {
    workspace,
    world,
    put,
    git: (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim(),
    run: (...args: string[]) => gitTool.execute({ args }, callIn(world)),
    look: (...args: string[]) => gitTool.preValidate?.({ args }, world, callIn(world)),
  }
}

function repository(name: string, own: Partial<World> = {}) {
  const made = place(name, own)
  made.git('init', '-q', '-b', 'main')
  made.put('a.txt', 'one\n')
  made.git('add', '-A')
  made.git('-c', 'user.name=n', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first')
  return made
}

describe('the user’s own settings', () => {
  test('a commit uses the user’s name, and no program in the user’s settings is started', async () => {
    const here = repository('identity')
    here.put('b.txt', 'b\n')
    expect(await here.run('add', 'b.txt')).toMatchObject({ ok: true })
    expect(await here.run('commit', '-m', 'second')).toMatchObject({ ok: true })
    expect(here.git('log', '-1', '--format=%an <%ae>')).toBe('Ann Example <ann@example.com>')
    expect(await here.run('st')).toMatchObject({
      ok: false,
      partial: expect.stringContaining("'st' is not a git command"),
    })
    expect(existsSync(join(here.workspace, 'pwned'))).toBe(false)
  })

  test('an identity for some folders is used there, and the repository’s own takes precedence', async () => {
    const work = repository('jobs/one')
    expect(await work.run('commit', '--allow-empty', '-m', 'x')).toMatchObject({ ok: true })
    expect(work.git('log', '-1', '--format=%ae')).toBe('ann@work.example')
    work.git('config', 'user.email', 'own@example.com')
    expect(await work.run('commit', '--allow-empty', '-m', 'x')).toMatchObject({ ok: true })
    expect(work.git('log', '-1', '--format=%ae')).toBe('own@example.com')
  })
})

test('a commit that should be signed is not, and the result says so', async () => {
  const here = repository('signed')
  here.git('config', 'commit.gpgSign', 'true')
  expect(await here.run('commit', '--allow-empty', '-m', 'x')).toMatchObject({
    ok: true,
    text: expect.stringContaining('not signed'),
  })
})

describe('a workspace below the top of its repository', () => {
  const outer = repository('mono')
  outer.put('pkg/in.txt', 'in\n')
  outer.put('out.txt', 'out\n')
  outer.git('add', '-A')
  outer.git('-c', 'user.name=n', '-c', 'user.email=a@b.c', 'commit', '-qm', 'files')
  outer.git('branch', 'other')
  const inner = place('mono/pkg')

  test('can be read, staged and committed', async () => {
    inner.put('in.txt', 'changed\n')
    expect(await inner.run('status', '--short')).toEqual({ ok: true, text: ' M in.txt\n' })
    expect(await inner.run('commit', '-am', 'from below')).toMatchObject({ ok: true })
    expect(outer.git('log', '-1', '--format=%s %ae')).toBe('from below ann@example.com')
    expect(outer.git('status', '--short')).toBe('')
  })

  test.each([[['checkout', 'other']], [['reset', '--hard', 'HEAD~1']], [['merge', 'other']], [['stash']]])(
    '%j would write files outside the workspace and is refused',
    async (args) => {
      const facts = await inner.look(...args)
      expect(facts?.paths).toContainEqual(expect.objectContaining({ insideWorkspace: false, access: 'write' }))
      expect(await inner.run(...args)).toMatchObject({ ok: false, code: 'PATH_OUTSIDE_WORKSPACE' })
    },
  )
})

describe('linked working trees', () => {
  const main = repository('main-tree')
  main.git('worktree', 'add', '-q', join(base, 'linked'), '-b', 'side')
  const linked = place('linked')

  test('works as the workspace', async () => {
    linked.put('c.txt', 'c\n')
    expect(await linked.run('add', 'c.txt')).toMatchObject({ ok: true })
    expect(await linked.run('commit', '-m', 'in the side tree')).toMatchObject({ ok: true })
    expect(main.git('log', '-1', '--format=%s', 'side')).toBe('in the side tree')
  })

  test('can be added inside the workspace', async () => {
    expect(await main.run('worktree', 'add', 'trees/new')).toMatchObject({ ok: true })
    expect(await main.run('-C', 'trees/new', 'status', '--short')).toEqual({ ok: true, text: '(no output)' })
  })
})

describe('hooks', () => {
  test('run in the sandbox: they can stop a commit, and reach nothing outside or blocked', async () => {
    const here = repository('hooked')
    here.put('.env', 'TOPVALUE=1\n')
    const outside = join(base, 'outside')
    here.put('.git/hooks/pre-commit', `#!/bin/sh\ntouch ${outside}\ncat .env\ntouch ran\ntest ! -e stop\n`, 0o755)
    const done = await here.run('commit', '--allow-empty', '-m', 'second')
    expect(done).toMatchObject({ ok: true })
    expect(JSON.stringify(done)).not.toContain('TOPVALUE')
    expect([existsSync(join(here.workspace, 'ran')), existsSync(outside)]).toEqual([true, false])
    here.put('stop', '')
    expect(await here.run('commit', '--allow-empty', '-m', 'third')).toMatchObject({ ok: false })
    expect(here.git('log', '-1', '--format=%s')).toBe('second')
  })

  test('without a sandbox, a commit that would run a hook is refused with the reason', async () => {
    const here = repository('unsandboxed', { sandbox: 'off' })
    here.put('.git/hooks/pre-commit', '#!/bin/sh\ntouch ran\n', 0o755)
    expect(await here.run('commit', '--allow-empty', '-m', 'x')).toMatchObject({
      ok: false,
      error: expect.stringContaining('hooks (pre-commit)'),
      code: 'SANDBOX_REQUIRED',
    })
    expect(await here.run('status', '--short')).toMatchObject({ ok: true })
    here.git('config', 'filter.x.clean', 'touch ran; cat')
    expect(await here.run('add', '-A')).toMatchObject({ ok: false, error: expect.stringContaining('filter.x.clean') })
    expect(existsSync(join(here.workspace, 'ran'))).toBe(false)
  })

  test('a filter works in the sandbox', async () => {
    const here = repository('filtered')
    here.git('config', 'filter.up.clean', 'tr a-z A-Z')
    here.put('.gitattributes', '*.up filter=up\n')
    here.put('x.up', 'loud\n')
    expect(await here.run('add', '-A')).toMatchObject({ ok: true })
    expect(here.git('show', ':x.up')).toBe('LOUD')
  })
})

test('the commands that write settings of the repository can do so', async () => {
  const here = repository('settings')
  expect(await here.run('remote', 'add', 'origin', 'https://example.com/x')).toMatchObject({ ok: true })
  expect(await here.run('config', 'pull.rebase', 'true')).toMatchObject({ ok: true })
  expect(await here.run('checkout', '-b', 'two')).toMatchObject({ ok: true })
  expect(await here.run('branch', '--set-upstream-to=main')).toMatchObject({ ok: true })
  const config = readFileSync(join(here.workspace, '.git/config'), 'utf8')
  expect(config).toContain('rebase = true')
  expect(config).toContain('merge = refs/heads/main')
})

test('cloning a repository in the workspace works, and so does switching to a branch with other files', async () => {
  const here = repository('cloning')
  expect(await here.run('clone', '-q', '.', 'copy')).toMatchObject({ ok: true })
  expect(await here.run('-C', 'copy', 'fetch')).toMatchObject({ ok: true })
  here.git('switch', '-qc', 'more')
  here.put('.vscode/settings.json', '{}')
  here.git('add', '.vscode')
  here.git('-c', 'user.name=n', '-c', 'user.email=a@b.c', 'commit', '-qm', 'more')
  expect(await here.run('switch', 'main')).toMatchObject({ ok: true })
  expect(await here.run('switch', 'more')).toMatchObject({ ok: true })
  expect(existsSync(join(here.workspace, '.vscode/settings.json'))).toBe(true)
})

test('before the verdict no process is started, whatever the arguments', async () => {
  const here = repository('quiet')
  here.git('config', 'remote.origin.url', 'https://example.com/x')
  const started: unknown[] = []
  const note = (message: unknown): void => void started.push(message)
  subscribe('child_process', note)
  try {
    for (const args of [
      ['status'],
      ['show', '.env'],
      ['show', 'HEAD:.env'],
      ['log', '-p', '--', '.env'],
      ['blame', 'private'],
      ['checkout', '.env'],
      ['fetch'],
      ['push', 'origin', 'main'],
      ['submodule', 'update', '--init'],
      ['grep', '--no-index', 'x'],
      ['nothing-known'],
    ])
      await here.look(...args)
  } finally {
    unsubscribe('child_process', note)
  }
  expect(started).toEqual([])
})

test('the effect of a command is a fact', async () => {
  const here = repository('classes')
  const classes = async (...args: string[]) => (await here.look(...args))?.command?.classes
  expect(await classes('status')).toEqual(['read'])
  expect(await classes('commit', '-m', 'x')).toEqual(['change'])
  expect(await classes('push', '--force', 'origin', 'main')).toEqual(['publish', 'lose-work'])
  expect(await classes('stash', 'list')).toEqual(['read'])
  expect(await classes('stash', 'drop')).toEqual(['lose-work'])
  expect(await classes('rebase', '-x', 'id', 'main')).toEqual(['change', 'run-programs'])
  expect(await classes('unheard-of')).toEqual(['run-programs'])
})
