/**
 * Git argument vectors in repositories full of traps, against real git in the real sandbox: nothing starts before the
 * verdict, no program of a trap runs outside the sandbox, and nothing outside the workspace changes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { gitTool } from '../../src/tool/builtin/git.ts'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import type { World } from '../../src/tool/tool.ts'
import { callIn } from '../support/call.ts'
import { FUZZ_SEED, fuzzCases } from '../support/fuzz.ts'

const CASES = fuzzCases(400)

/** Each executed command starts a sandbox; a check does not. */
const RUNS = Math.max(10, Math.floor(CASES / 40))

const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-fuzz-git-')))
const workspace = join(root, 'ws')
const mark = join(root, 'mark')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const trap = `touch ${mark} ${root}/escaped;`
const world: World = {
  workspace,
  protectedPaths: [join(workspace, 'AGENTS.md')],
  blockedPaths: ['.env'],
  allowedHosts: [],
  env: { PATH: process.env.PATH, HOME: join(root, 'home') },
  sandbox: 'auto',
}

const SETTINGS = [
  ['core.fsmonitor', `${trap} false`],
  ['core.sshCommand', trap],
  ['core.pager', trap],
  ['core.editor', trap],
  ['core.alternateRefsCommand', trap],
  ['diff.external', trap],
  ['diff.t.textconv', `${trap} cat`],
  ['filter.t.clean', `${trap} cat`],
  ['filter.t.smudge', `${trap} cat`],
  ['merge.t.driver', trap],
  ['credential.helper', `!${trap}`],
  ['gpg.program', trap],
  ['commit.gpgSign', 'true'],
  ['alias.trap', `!${trap}`],
  ['submodule.s.update', `!${trap}`],
  ['remote.origin.uploadpack', `${trap} git-upload-pack`],
  ['remote.origin.url', '.'],
  ['remote.far.url', 'https://127.0.0.1:9/x'],
  ['remote.far.pushurl', `${root}/outside`],
  ['url.git://127.0.0.1:9/.insteadOf', 'https://host.example/'],
  ['core.hooksPath', 'hooks'],
  ['core.worktree', root],
  ['include.path', '../planted'],
  ['core.attributesFile', '../attributes'],
] as const

/** A hostile repository: tracked files, settings, hooks and a folder disguised as a repository. */
function lay(settings: readonly number[]): void {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(workspace, 'sub'), { recursive: true })
  mkdirSync(join(root, 'home'))
  mkdirSync(join(root, 'outside'))
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: workspace, stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  for (const [key, value] of [
    ['user.name', 'n'],
    ['user.email', 'a@b.c'],
  ] as const)
    git('config', key, value)
  const files: Record<string, string> = {
    'a.txt': 'one\n',
    '.env': 'TOPVALUE=1\n',
    '.gitattributes': '*.txt filter=t diff=t merge=t\n',
    '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = http://127.0.0.1:9/x\n\tupdate = !id\n',
    'sub/b.txt': 'two\n',
    planted: `[core]\n\tfsmonitor = ${trap}\n`,
    patch: '--- /dev/null\n+++ b/../escaped\n@@ -0,0 +1 @@\n+x\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text)
  symlinkSync(join(root, 'outside'), join(workspace, 'link'))
  git('init', '-q', '--bare', 'bare')
  writeFileSync(join(workspace, 'bare/config'), `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${trap}"\n`)
  git('add', '-A')
  git('commit', '-qm', 'first')
  git('branch', 'other')
  for (const folder of ['hooks', '.git/hooks']) {
    mkdirSync(join(workspace, folder), { recursive: true })
    for (const name of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction'])
      writeFileSync(join(workspace, folder, name), `#!/bin/sh\n${trap}\n`, { mode: 0o755 })
  }
  for (const i of settings) {
    const [key, value] = SETTINGS[i % SETTINGS.length] ?? SETTINGS[0]
    execFileSync('git', ['config', key, value], {
      cwd: root,
      env: { ...process.env, GIT_DIR: join(workspace, '.git') },
    })
  }
}

/** Everything outside the workspace, and the settings of its repository. */
function outside(): string {
  const hash = createHash('sha256')
  const walk = (path: string): void => {
    if (path === workspace) return
    const stat = lstatSync(path)
    hash.update(`${path} ${stat.mode} ${stat.isFile() ? readFileSync(path, 'utf8') : ''}\n`)
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) walk(join(path, name))
  }
  walk(root)
  for (const name of readdirSync(join(workspace, '.git/hooks')).sort()) hash.update(name)
  return hash.digest('hex')
}

const SUBCOMMANDS =
  'add am apply archive bisect blame branch cat-file checkout cherry-pick clean clone commit config describe diff difftool fetch format-patch gc grep hash-object init log ls-files ls-remote maintenance merge mv notes pull push read-tree rebase reflog remote reset restore revert rm show stash status submodule switch symbolic-ref tag trap update-index update-ref worktree'.split(
    ' ',
  )
const word = fc.constantFrom(
  ...'main other HEAD HEAD~1 origin far . .. a.txt sub .env link link/x bare patch planted AGENTS.md -- -f -a -m x -am --all --hard --force -D -b new add update --init drop pop list set-url foreach run continue --abort --no-index --unsafe-paths --cached -p --textconv --ext-diff -F -F/etc/passwd --output=../out -o ../out --exec=id -x id --recurse-submodules register --global user.name core.fsmonitor ext::id https::https://127.0.0.1:9/x 127.0.0.1:x user@[::1]:x file:///etc ./bare ../outside HEAD:.env :.env --amend --allow-empty --no-verify -i --template=bare --upload-pack=id'.split(
    ' ',
  ),
)
const globals = fc.constantFrom<string[]>(
  [],
  [],
  [],
  [],
  ['-C', 'sub'],
  ['-C', 'bare'],
  ['-C', '..'],
  ['-C', 'link'],
  ['--git-dir=bare'],
  ['--git-dir', '.git'],
  ['--bare'],
  ['--work-tree=..'],
  ['--work-tree=sub'],
  ['-c', `core.fsmonitor=${trap}`],
  ['-p'],
)
const vector = fc
  .tuple(globals, fc.constantFrom(...SUBCOMMANDS), fc.array(word, { maxLength: 4 }))
  .map(([before, subcommand, after]) => [...before, subcommand, ...after])
const settings = fc.array(fc.nat(SETTINGS.length - 1), { maxLength: 4 })

async function judge(args: string[]): Promise<{ refused: boolean }> {
  try {
    const facts = await gitTool.preValidate?.({ args }, world, callIn(world))
    const isClosed = (facts?.paths ?? []).some(
      ({ insideWorkspace, isProtected, access }) => !insideWorkspace || (isProtected && access === 'write'),
    )
    return { refused: isClosed }
  } catch {
    return { refused: true }
  }
}

test('no process starts before the verdict', async () => {
  lay(SETTINGS.map((_, i) => i).filter((i) => SETTINGS[i]?.[0] !== 'core.worktree'))
  // The sandbox is probed once per process, whatever is called.
  await sandboxStatus('auto')
  const started: unknown[] = []
  const note = (message: unknown): void => void started.push(message)
  subscribe('child_process', note)
  try {
    await fc.assert(
      fc.asyncProperty(vector, async (args) => {
        await judge(args)
        expect(started).toEqual([])
      }),
      { seed: FUZZ_SEED, numRuns: CASES },
    )
  } finally {
    unsubscribe('child_process', note)
  }
})

test('no command changes anything or runs a trap outside the workspace', { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(vector, settings, async (args, chosen) => {
      lay(chosen)
      const before = outside()
      const { refused } = await judge(args)
      const output = await gitTool.execute({ args }, callIn(world)).catch((error: unknown) => ({ ok: false, error }))
      expect(outside(), args.join(' ')).toBe(before)
      // The tool itself does not rely on an earlier check.
      if (refused) expect(output.ok, args.join(' ')).toBe(false)
    }),
    { seed: FUZZ_SEED, numRuns: RUNS },
  )
})
