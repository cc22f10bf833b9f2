import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plantedIn, repositoriesBelow } from './planted-repositories.ts'

let workspace: string

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-planted-')))
  sh('git init -q .')
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

function sh(line: string): void {
  const env = { PATH: process.env.PATH, HOME: workspace, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('bash', ['-ec', line], { cwd: workspace, stdio: 'pipe', env })
}

/** What is found after the last of several commands, with a check before and after each. */
async function after(...lines: string[]): Promise<string[]> {
  let planted: string[] = []
  for (const line of lines) {
    const before = await repositoriesBelow(workspace)
    sh(line)
    planted = await plantedIn(workspace, before)
  }
  return planted.map((path) => path.slice(workspace.length + 1)).sort()
}

const EVIL = 'core.fsmonitor "touch ran;false"'
const LINK = 'git update-index --add --cacheinfo 160000,$(printf %040d 1),'

describe('H2: planting in two steps', () => {
  test('a repository inside .git, and a file that points to it', async () => {
    const first = `git init -q --bare .git/gd; mkdir sub; echo "gitdir: ../.git/gd" > sub/.git; ${LINK}sub`
    expect(await after(first)).toEqual(['.git/gd', 'sub/.git'])
    sh('rm -rf sub .git/gd')
    expect(await after(first, `git config -f .git/gd/config ${EVIL}`)).toEqual(['.git/gd/config'])
  })

  test.each([
    ['among the objects of git', '.git/objects/aa/gd'],
    ['among its modules', '.git/modules/gd'],
    ['among installed packages', 'node_modules/a/b/gd'],
    ['with a space at the end of its name', 'gd '],
  ])('a repository %s, once a file points to it', async (_where, place) => {
    const lines = [
      `mkdir -p sub "$(dirname "${place}")"; git init -q --bare "${place}"; git init -q --bare gd; echo "gitdir: ../${place}" > sub/.git`,
      `git config -f "${place}/config" ${EVIL}`,
    ]
    expect(await after(...lines)).toEqual([`${place}/config`])
  })

  test.each(['node_modules/x', 'node_modules/x/deep/below', 'packages/p/node_modules/@a/b'])(
    'a repository in %s that the index names',
    async (place) => {
      const lines = [`git init -q ${place}; ${LINK}${place}`, `git -C ${place} config ${EVIL}`]
      expect(await after(...lines)).toEqual([`${place}/.git/config`])
    },
  )

  test('a repository among installed packages when the index cannot be read', async () => {
    const lines = ['git init -q node_modules/x/y/z; echo x > .git/index', `git -C node_modules/x/y/z config ${EVIL}`]
    expect(await after(...lines)).toEqual(['node_modules/x/y/z/.git/config'])
  })

  test('a file that points to another repository because a link on its path changed', async () => {
    sh(`git init -q --bare good; git init -q --bare evil; git config -f evil/config ${EVIL}; mkdir sub`)
    expect(await after('ln -s good link; echo "gitdir: ../link" > sub/.git')).toEqual([])
    expect(await after('rm link; ln -s evil link')).toEqual(['evil/config'])
  })
})

test('a repository deeper than a path can express is moved aside with its outer folders', async () => {
  const deep =
    'for i in {1..19}; do mkdir -p $(printf %0200d 1); cd $(printf %0200d 1); done; git init -q . || mkdir .git'
  const [found, ...more] = await after(deep)
  expect(more).toEqual([])
  expect(found).toMatch(/^0+1(\/0+1)+$/)
  expect(await after('true')).toEqual([])
})

test('submodules, worktrees and installed packages that are repositories stay as they are', async () => {
  sh('git config user.name a; git config user.email b; git commit -q --allow-empty -m a')
  for (const line of [
    'git init -q lib; cd lib; git -c user.name=a -c user.email=b commit -q --allow-empty -m a; git worktree add -q ../tree',
    'git -c protocol.file.allow=always submodule --quiet add ./lib copy',
    'git worktree add -q other; git -C other status; git -C copy status',
    'git init -q node_modules/x; git -C node_modules/x status',
    'git -c protocol.file.allow=always clone -q --recurse-submodules . node_modules/clone',
  ])
    expect(await after(line)).toEqual([])
})

test('a user’s own settings stay, wherever the repository is', async () => {
  sh(`git init -q mine; git -C mine config ${EVIL}; git init -q node_modules/x; git -C node_modules/x config ${EVIL}`)
  sh(`git init -q --bare store; git config -f store/config ${EVIL}; mkdir sub; echo "gitdir: ../store" > sub/.git`)
  expect(await after('echo a > mine/a; git -C mine add a')).toEqual([])
})

describe('a folder that a command made inaccessible', () => {
  const UNPRIVILEGED_UID = 65_534

  async function asUser<T>(run: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0 || process.seteuid === undefined) return run()
    execFileSync('chown', ['-R', String(UNPRIVILEGED_UID), workspace])
    process.seteuid(UNPRIVILEGED_UID)
    try {
      return await run()
    } finally {
      process.seteuid(0)
    }
  }

  test.each([
    ['sub', 0o311],
    ['sub', 0o000],
    ['sub', 0o600],
    ['sub/n', 0o311],
    ['sub/n/.git', 0o311],
    ['sub/n/.git', 0o000],
    ['.', 0o311],
  ])('%s (%o) is opened and checked', async (folder, mode) => {
    const before = await repositoriesBelow(workspace)
    sh(`git init -q sub/n; git -C sub/n config ${EVIL}`)
    chmodSync(join(workspace, folder), mode)
    const found = await asUser(() => plantedIn(workspace, before))
    expect(found).toEqual([join(workspace, 'sub/n/.git/config')])
  })

  test('and so are hooks that cannot be listed', async () => {
    const before = await repositoriesBelow(workspace)
    sh('git init -q n; echo x > n/.git/hooks/pre-commit; chmod 0311 n/.git/hooks')
    expect(await asUser(() => plantedIn(workspace, before))).toEqual([join(workspace, 'n/.git/hooks/pre-commit')])
  })
})
