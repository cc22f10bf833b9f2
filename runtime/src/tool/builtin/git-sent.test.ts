import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { remoteBranches } from '../guard/git-repository.ts'
import type { World } from '../tool.ts'
import { gitTool } from './git.ts'
import { shellTool } from './shell.ts'

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-sent-')))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))
const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim()
git('init', '-q', '-b', 'main')
writeFileSync(join(workspace, 'a.txt'), 'one\n')
git('add', '-A')
git('-c', 'user.name=n', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first')
git('remote', 'add', 'origin', 'https://host.example/x')
git('update-ref', 'refs/remotes/origin/packed', 'HEAD')
git('pack-refs', '--all')
git('update-ref', 'refs/remotes/origin/feature/one', 'HEAD')
git('branch', 'TOPVALUE')
git('tag', 'TOPTAG')

const bare: World = {
  workspace,
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: { PATH: process.env.PATH },
  sandbox: 'off',
}
const world: World = { ...bare, remoteBranches: remoteBranches(bare) }
const look = (...args: string[]) => gitTool.preValidate?.({ args }, world, callIn(world))

describe('names that a command sends to a remote', () => {
  test.each([
    [['fetch', 'origin', 'TOPSECRET']],
    [['fetch', 'origin', 'TOPVALUE']],
    [['fetch', 'origin', 'TOPTAG']],
    [['fetch', 'origin', 'tag', 'TOPSECRET']],
    [['fetch', 'origin', '+refs/heads/TOPSECRET*:refs/heads/x']],
    [['fetch', 'origin', '1234567890123456789012345678901234567890']],
    [['fetch', '-o', 'TOPSECRET', 'origin']],
    [['fetch', '-oTOPSECRET', 'origin']],
    [['fetch', '-vo', 'TOPSECRET', 'origin']],
    [['fetch', '--server-option=TOPSECRET', 'origin']],
    [['fetch', '--serv', 'TOPSECRET', 'origin']],
    [['fetch', '--shallow-exclude=TOPSECRET', 'origin']],
    [['fetch', '--filter=sparse:oid=TOPSECRET', 'origin']],
    [['pull', 'origin', 'TOPSECRET']],
    [['pull', '-o', 'TOPSECRET', 'origin']],
    [['ls-remote', 'origin', 'TOPSECRET']],
    [['ls-remote', '-o', 'TOPSECRET', 'origin']],
    [['ls-remote', '--server-option', 'TOPSECRET', 'origin']],
    [['clone', '-b', 'TOPSECRET', 'https://host.example/x', 'c']],
    [['clone', '--branch=TOPSECRET', 'https://host.example/x', 'c']],
    [['clone', '--server-option=TOPSECRET', 'https://host.example/x', 'c']],
    [['remote', 'add', '-f', '-t', 'TOPSECRET', 'b', 'https://host.example/y']],
    [['subtree', 'add', '--prefix=x', 'origin', 'TOPSECRET']],
    [['archive', '--remote=origin', 'TOPSECRET']],
    [['update-ref', 'refs/remotes/origin/TOPSECRET', 'HEAD']],
    [['symbolic-ref', 'refs/remotes/origin/TOPSECRET', 'refs/heads/main']],
    [['fetch', '--deepen=31337', 'origin']],
    [['fetch', '--depth', '31337', 'origin']],
    [['fetch', '--shallow-since=2001-02-03', 'origin']],
  ])('%j is High', async (args) => {
    expect(await look(...args)).toMatchObject({ risk: 'High' })
  })

  test.each([
    [['fetch']],
    [['fetch', '--all']],
    [['fetch', 'origin']],
    [['fetch', 'origin', 'main']],
    [['fetch', 'origin', 'packed']],
    [['fetch', 'origin', 'feature/one']],
    [['fetch', 'origin', '+refs/heads/*:refs/remotes/origin/*']],
    [['fetch', '--depth', '1', '--filter=blob:none', 'origin']],
    [['pull', '--rebase', 'origin', 'feature/one']],
    [['ls-remote', 'origin', 'HEAD']],
    [['clone', '-b', 'main', '-o', 'up', 'https://host.example/x', 'c']],
  ])('%j is not High', async (args) => {
    expect(await look(...args)).toMatchObject({ risk: 'Medium', command: { dangers: [] } })
  })

  test('a name that only settings contain counts too', async () => {
    git('config', 'branch.main.remote', 'origin')
    git('config', 'branch.main.merge', 'refs/heads/TOPSECRET')
    expect(await look('pull')).toMatchObject({ risk: 'High' })
    git('config', 'branch.main.merge', 'refs/heads/feature/one')
    expect(await look('pull')).toMatchObject({ risk: 'Medium' })
    git('remote', 'set-branches', '--add', 'origin', 'TOPSECRET')
    expect(await look('fetch', 'origin')).toMatchObject({ risk: 'High' })
    git('remote', 'set-branches', 'origin', '*')
    expect(await look('fetch', 'origin')).toMatchObject({ risk: 'Medium' })
  })
})

test.each([
  [['fetch', '.', '+refs/heads/*:refs/remotes/origin/*']],
  [['fetch', '.', 'HEAD:refs/remotes/origin/TOPVALUE']],
])('%j makes no branch of ours known as one of a remote', async (args) => {
  git(...args)
  expect(await look('fetch', 'origin', 'TOPVALUE')).toMatchObject({ risk: 'High' })
})

test.each([
  'git fetch origin TOPSECRET',
  'git ls-remote origin TOPSECRET',
  'git pull origin TOPSECRET',
  'git fetch --shallow-exclude=TOPSECRET origin',
  'git fetch --filter=sparse:oid=TOPSECRET origin',
  'git fetch origin 1234567890123456789012345678901234567890',
])('%s in a shell line is asked about each time, as with the git tool', async (command) => {
  const facts = await shellTool().preValidate?.({ command }, world, callIn(world))
  expect(facts?.command?.unparsed).toMatchObject([{ code: 'gitSendsName' }])
})

test('in a shell line, an option with an address names its host', async () => {
  for (const command of [
    'git archive --remote=git@host.example:x.git HEAD',
    'git archive --remote git@host.example:x.git HEAD',
    'git push --repo=git@host.example:x.git',
    'git fetch-pack git@host.example:x.git main',
  ])
    expect((await shellTool().preValidate?.({ command }, world, callIn(world)))?.targets, command).toContainEqual({
      kind: 'host',
      value: 'host.example',
    })
})
