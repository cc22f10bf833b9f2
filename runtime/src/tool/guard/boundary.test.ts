import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { World } from '../tool.ts'
import { type Execution, execute } from './boundary.ts'
import { withoutKernelSettings } from './kernel-files.ts'
import { sandboxStatus } from './sandbox.ts'

let base: string
let workspace: string
let home: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-boundary-')))
  workspace = join(base, 'home/project')
  home = join(base, 'home')
  mkdirSync(workspace, { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function file(path: string, content: string): string {
  const full = path.startsWith('/') ? path : join(workspace, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, content)
  return full
}

function worldOf(own: Partial<World> = {}): World {
  return {
    workspace,
    protectedPaths: [],
    blockedPaths: ['.env'],
    allowedHosts: [],
    env: { PATH: process.env.PATH, HOME: home },
    sandbox: 'auto',
    ...own,
  }
}

const run = (line: string, own: Partial<World> = {}, more: Partial<Execution> = {}) =>
  execute(
    { line },
    { world: worldOf(own), signal: new AbortController().signal, cwd: workspace, timeoutMs: 100_000, ...more },
  )

const { active } = await sandboxStatus('auto')
const OFF = { sandbox: 'off' } as const

describe.skipIf(!active)('what a sandboxed command can read', () => {
  test.each([
    '.docker/config.json',
    '.npmrc',
    '.pgpass',
    '.pypirc',
    '.cargo/credentials.toml',
    '.azure/msal_token_cache.json',
    '.vault-token',
    '.bash_history',
    '.mozilla/firefox/x.default/cookies.sqlite',
    '.config/google-chrome/Default/Login Data',
    '.gitconfig',
    'Documents/letter.txt',
    'other-project/.env',
  ])('%s in the home folder is closed', async (name) => {
    file(join(home, name), 'TOPVALUE')
    const { end } = await run(`cat "$HOME/${name}"; ls -R "$HOME"; cat ~/${name.replaceAll(' ', '\\ ')}`)
    expect(end.output).not.toContain('TOPVALUE')
    expect(end.output).not.toMatch(/^(cookies|Login|letter|other)/m)
  })

  test('so are files next to the workspace, in the temporary folder and of other users', async () => {
    const beside = file(join(home, 'secret.txt'), 'TOPVALUE')
    const temporary = mkdtempSync(join(tmpdir(), 'writ-foreign-'))
    file(join(temporary, 'x'), 'TOPVALUE')
    try {
      const { end } = await run(
        `cat ${beside} ../secret.txt ${temporary}/x; ls -A /home /srv /mnt /media /run /var/log`,
      )
      expect(end.output).not.toContain('TOPVALUE')
      expect(end.output.match(/^[\w.-]+$/gm) ?? []).toEqual([])
    } finally {
      rmSync(temporary, { recursive: true })
    }
  })

  test('and files that only root may read', async () => {
    const { end } = await run(
      'cat /etc/shadow /etc/gshadow /etc/sudoers; cat /etc/ssh/ssh_host_*_key; ls -A /etc/ssl/private; echo end',
    )
    expect(end.output).not.toMatch(/root:|PRIVATE KEY|ALL=/)
    expect(end.output).toContain('end')
  })

  test('when the home folder is the workspace, its logins are still closed', async () => {
    file(join(home, '.npmrc'), 'TOPVALUE')
    file(join(home, '.config/gh/hosts.yml'), 'TOPVALUE')
    file(join(home, 'notes.txt'), 'open')
    const { end } = await run('cat .npmrc .config/gh/hosts.yml notes.txt', { workspace: home }, { cwd: home })
    expect(end.output).toContain('open')
    expect(end.output).not.toContain('TOPVALUE')
  })

  test('no other process and no socket of the machine can be reached', async () => {
    const { end } = await run(
      `cat /proc/${process.pid}/environ; ls /proc | grep -c '^[0-9]'; python3 -c 'import socket; socket.socket(socket.AF_UNIX)' || echo shut`,
    )
    expect(end.output).toContain('shut')
    expect(end.output).toMatch(/environ: No such file/)
  })

  test('a folder from the configuration is open', async () => {
    file(join(home, 'sdk-of-mine/lib.txt'), 'library')
    const { end } = await run('cat ~/sdk-of-mine/lib.txt', { readablePaths: [join(home, 'sdk-of-mine')] })
    expect(end.output).toBe('library')
  })

  test('a call can open more for itself alone', async () => {
    const read = file(join(home, 'outside/read.txt'), 'shown')
    mkdirSync(join(home, 'written'))
    const open = { read: [read], write: [join(home, 'written')] }
    const { end } = await run(`cat ${read}; echo new > ${home}/written/a`, {}, { open })
    expect(end.output).toBe('shown')
    expect(readFileSync(join(home, 'written/a'), 'utf8')).toBe('new\n')
    expect((await run(`cat ${read}`)).end.exitCode).not.toBe(0)
  })
})

test.skipIf(!active)('a socket can be reached by the call it was opened for, and by no other', async () => {
  const path = join(home, 'agent.sock')
  const server = createServer((socket) => socket.end('hello'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const line = `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(9).decode())'`
  try {
    const [opened, other] = await Promise.all([run(line, {}, { open: { sockets: [path] } }), run(line)])
    expect(opened.end.output).toBe('hello\n')
    expect(other.end.exitCode).not.toBe(0)
  } finally {
    server.close()
  }
})

test.skipIf(!active || process.platform !== 'linux')('no kernel setting can be opened for writing', async () => {
  const { end } = await run(
    `find /proc -maxdepth 3 -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -type f -perm /222 -print 2>/dev/null |
     while read -r path; do (exec 9>>"$path") 2>/dev/null && echo "open: $path"; done; cat /proc/sys/kernel/ostype`,
  )
  expect(end.output).toBe('Linux\n')
})

test('a sandbox command line of unknown form starts nothing', () => {
  expect(withoutKernelSettings("bwrap --proc /proc -- sh -c 'x'")).toContain(
    ' --proc /proc --ro-bind /proc/sys /proc/sys ',
  )
  for (const line of ["bwrap -- sh -c '--proc /proc'", 'bwrap --bind / / -- --proc /proc', 'bwrap --proc /proc', ''])
    expect(() => withoutKernelSettings(line)).toThrow('kernel settings')
})

describe.skipIf(!active)('what works in the sandbox', () => {
  const real = { env: { PATH: process.env.PATH, HOME: process.env.HOME } }

  test('npm test', async () => {
    file('package.json', JSON.stringify({ name: 'small', type: 'module', scripts: { test: 'node --test' } }))
    file(
      'sum.test.js',
      `import test from 'node:test'; import assert from 'node:assert'; test('adds', () => assert.equal(1 + 1, 2))`,
    )
    const { end } = await run('npm test', real)
    expect(end.output).toContain('pass 1')
    expect(end.exitCode).toBe(0)
  })

  test.skipIf(!hasProgram('cargo'))(
    'cargo test',
    async () => {
      file('Cargo.toml', '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n')
      file('src/lib.rs', '#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n')
      const { end } = await run('cargo test --offline', real)
      expect(end.output).toContain('1 passed')
      expect(end.exitCode).toBe(0)
    },
    120_000,
  )

  test('pytest, or unittest if it is not installed', async () => {
    file(
      'test_sum.py',
      'import unittest\nclass Sum(unittest.TestCase):\n    def test_adds(self): self.assertEqual(1 + 1, 2)\n',
    )
    const { end } = await run(
      'if python3 -m pytest --version >/dev/null 2>&1; then python3 -m pytest -q; else python3 -m unittest; fi',
      real,
    )
    expect(end.output).toMatch(/1 passed|OK/)
    expect(end.exitCode).toBe(0)
  })

  test('git status, and a commit with the user’s name and the repository’s hook', async () => {
    repository()
    file(
      join(home, '.gitconfig'),
      '[user]\n\tname = Ada\n\temail = ada@example.invalid\n[core]\n\tfsmonitor = touch ran\n',
    )
    file('.git/hooks/pre-commit', '#!/bin/sh\ntouch hook-ran\nls ~ > hook-saw\n')
    chmodSync(join(workspace, '.git/hooks/pre-commit'), 0o755)
    file('a.txt', 'a')
    const { end } = await run(
      'git status --short && git add a.txt && git commit -qm first && git log --format="%an %ae %s"',
    )
    expect(end.output).toBe('?? a.txt\nAda ada@example.invalid first\n')
    expect(existsSync(join(workspace, 'hook-ran'))).toBe(true)
    expect(readFileSync(join(workspace, 'hook-saw'), 'utf8')).toBe('project\n')
    expect(existsSync(join(workspace, 'ran'))).toBe(false)
  })
})

function repository(): void {
  execFileSync('git', ['init', '-q', workspace])
}

const CLEAN = ['HEAD', 'branches', 'config', 'description', 'hooks', 'index', 'info', 'objects', 'refs']

describe.skipIf(!active)('H2: a repository in the sandbox', () => {
  test.each([
    'echo /elsewhere > .git/commondir',
    'rm -f .git/commondir; echo /elsewhere > .git/commondir',
    'git config core.fsmonitor ./x',
    'printf "[core]\\nfsmonitor=x\\n" > c; mv c .git/config',
    'echo x > .git/config.worktree',
    'echo "* filter=x" > .git/info/attributes',
    'mv .git/info .git/i && mkdir .git/info',
    'rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit',
    'mkdir -p .git/worktrees/x; echo /elsewhere > .git/worktrees/x/commondir',
    'echo /elsewhere/objects > .git/objects/info/alternates',
    'mkdir -p .git/remotes; echo "URL: ext::x" > .git/remotes/origin',
    'mv .git old && cp -r old .git && echo x > .git/commondir',
    'git init -q other && mv .git/HEAD h && rm -rf .git; mv other/.git .git; echo x > .git/commondir',
  ])('does not keep: %s', async (line) => {
    repository()
    file('.git/index', '')
    const config = readFileSync(join(workspace, '.git/config'), 'utf8')
    await run(line)
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe(config)
    for (const name of [
      'commondir',
      'config.worktree',
      'info/attributes',
      'objects/info/alternates',
      'remotes',
      'worktrees',
      'hooks/pre-commit',
    ])
      expect([name, existsSync(join(workspace, '.git', name))]).toEqual([name, false])
  })

  test('nothing remains of the placeholders', async () => {
    repository()
    file('.git/index', '')
    await Promise.all([run('true'), run('git status'), run('sleep 0.2')])
    expect(readdirSync(join(workspace, '.git')).sort()).toEqual(CLEAN)
  })

  test('concurrent commands of several processes do not remove each other’s placeholders', async () => {
    repository()
    file('.git/index', '')
    const url = JSON.stringify(join(import.meta.dirname, 'boundary.ts'))
    const world = JSON.stringify(worldOf())
    const program = file(
      '../many.ts',
      `import { execute } from ${url}
       const signal = new AbortController().signal
       const ends = []
       for (let n = 0; n < 8; n++) {
         const { end } = await execute({ line: 'ls' }, { world: ${world}, signal, cwd: ${JSON.stringify(workspace)}, timeoutMs: 100_000 })
         ends.push(end.exitCode)
       }
       console.log(JSON.stringify(ends))`,
    )
    const start = () => promisify(execFile)(process.execPath, [program], { encoding: 'utf8' })
    const said = await Promise.all([start(), start(), start()])
    for (const { stdout } of said) expect(stdout.trim()).toBe(JSON.stringify(Array(8).fill(0)))
    expect(readdirSync(join(workspace, '.git')).sort()).toEqual(CLEAN)
  })

  test('its submodules are locked too', async () => {
    repository()
    execFileSync('git', ['init', '-q', '--bare', join(workspace, '.git/modules/lib')])
    const config = join(workspace, '.git/modules/lib/config')
    const before = readFileSync(config, 'utf8')
    await run(
      'git config -f .git/modules/lib/config core.fsmonitor x; echo /x > .git/modules/lib/commondir; mv .git/modules m',
    )
    expect(readFileSync(config, 'utf8')).toBe(before)
    expect(existsSync(join(dirname(config), 'commondir'))).toBe(false)
  })

  test.each([
    [
      'a new repository with a program in its settings',
      'git init -q n; git -C n config core.fsmonitor ./x',
      'n/.git/config',
    ],
    ['one in the workspace itself', 'git init -q .; git config core.hooksPath .', '.git/config'],
    ['a bare one', 'git init -q --bare b; git config -f b/config core.sshCommand x', 'b/config'],
    [
      'a workspace that looks like a bare one',
      'git init -q --bare b; mv b/* .; git config -f config alias.x "!x"',
      'config',
    ],
    ['a hook', 'git init -q n; echo x > n/.git/hooks/post-checkout', 'n/.git/hooks/post-checkout'],
    ['a file that names a repository elsewhere', 'mkdir n; echo "gitdir: /elsewhere" > n/.git', 'n/.git'],
    ['a link to a repository elsewhere', 'mkdir n; ln -s /elsewhere n/.git', 'n/.git'],
    [
      'a folder that has its settings elsewhere',
      'git init -q n; echo /elsewhere > n/.git/commondir',
      'n/.git/commondir',
    ],
    ['an included file', 'git init -q n; git -C n config include.path /x', 'n/.git/config'],
    ['a program as an address', 'git init -q n; git -C n remote add o "ext::sh -c x"', 'n/.git/config'],
    [
      'deep below',
      'mkdir -p a/b/c/d/e; git init -q a/b/c/d/e; git -C a/b/c/d/e config core.pager x',
      'a/b/c/d/e/.git/config',
    ],
  ])('%s is moved aside', async (_what, line, path) => {
    const { cleanup } = await run(line)
    expect(cleanup.moved.map((moved) => moved.path)).toEqual([join(workspace, path)])
    expect(existsSync(join(workspace, path))).toBe(false)
  })

  test('a file that the settings include, and the folder of its hooks, are locked', async () => {
    repository()
    for (const [key, value] of [
      ['include.path', '../.gitconfig-shared'],
      ['core.hooksPath', '.husky'],
    ])
      execFileSync('git', ['-C', workspace, 'config', key ?? '', value ?? ''])
    const shared = file('.gitconfig-shared', '[core]\n\tautocrlf = false\n')
    const { cleanup } = await run(
      'printf "[core]\nfsmonitor=x\n" > .gitconfig-shared; mkdir .husky; printf "#!/bin/sh\n" > .husky/pre-commit',
    )
    expect(readFileSync(shared, 'utf8')).toContain('autocrlf')
    expect(cleanup.moved.map(({ path }) => path)).toEqual([join(workspace, '.husky')])
    file('.husky/pre-commit', 'mine')
    await run('echo x >> .husky/pre-commit; echo x > .husky/post-commit; mv .husky h; mkdir .husky')
    expect(readdirSync(join(workspace, '.husky'))).toEqual(['pre-commit'])
    expect(readFileSync(join(workspace, '.husky/pre-commit'), 'utf8')).toBe('mine')
  })

  test('a repository below a folder whose name is not UTF-8 is found', async () => {
    repository()
    const plant = 'printf "[core]\nrepositoryformatversion=0\nfsmonitor=touch ../../ran;false\n"'
    const link = 'git update-index --add --cacheinfo 160000,$(printf %040d 1),"$X/x"'
    await run(`X=$(printf 'd\\xff'); git init -q "$X/x"; ${plant} > "$X/x/.git/config"; ${link}`)
    execFileSync('git', ['status'], { cwd: workspace, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home } })
    expect(existsSync(join(workspace, 'ran'))).toBe(false)
    const made = readdirSync(workspace).filter((name) => name.startsWith('not-utf8-'))
    expect(made).toEqual(['not-utf8-64ff'])
    expect(readdirSync(join(workspace, 'not-utf8-64ff/x/.git'))).toContain('config.refused')
  })

  test('a workspace that already has such a folder is refused', async () => {
    mkdirSync(Buffer.concat([Buffer.from(`${workspace}/d`), Buffer.from([0xff])]))
    await expect(run('true')).rejects.toMatchObject({ code: 'SANDBOX_FULL', message: expect.stringContaining('UTF-8') })
  })

  test('what two commands plant together does not run in the user’s next git status', async () => {
    repository()
    const plant = 'printf "[core]\\nrepositoryformatversion=0\\nfsmonitor=touch ../ran;false\\n"'
    await run(
      'git init -q --bare .git/gd; mkdir sub; echo "gitdir: ../.git/gd" > sub/.git; git update-index --add --cacheinfo 160000,$(printf %040d 1),sub',
    )
    await run(
      `for d in .git/gd*; do ${plant} > $d/config; echo "gitdir: ../$d" > sub/.git; echo ref: refs/heads/x > $d/HEAD; done`,
    )
    execFileSync('git', ['status'], { cwd: workspace, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home } })
    expect(existsSync(join(workspace, 'ran'))).toBe(false)
    expect(existsSync(join(workspace, 'sub/.git'))).toBe(false)
  })

  test('an ordinary new repository, a clone and a nested one of the user stay as they are', async () => {
    execFileSync('git', ['init', '-q', join(workspace, 'mine')])
    execFileSync('git', ['-C', join(workspace, 'mine'), 'config', 'core.hooksPath', '.husky'])
    const { cleanup, end } = await run(
      'git init -q fresh && git clone -q fresh copy 2>/dev/null && cd mine && echo a > a && git add a && git -c user.name=a -c user.email=b commit -qm a && echo done',
    )
    expect(end.output).toBe('done\n')
    expect(cleanup).toEqual({ moved: [], stuck: [] })
  })
})

describe('H3: without a sandbox', () => {
  const protectedPaths = () =>
    ['AGENTS.md', 'agent.config.json', '.agents', '.writ'].map((name) => join(workspace, name))
  const unsandboxed = (line: string) =>
    run(line, { ...OFF, protectedPaths: protectedPaths(), data: join(workspace, '.writ') })

  beforeEach(() => {
    file('AGENTS.md', 'be kind')
    file('.agents/skills/a/SKILL.md', 'a skill')
    file('.writ/journal.db', 'journal')
    file('.writ/skills/b/SKILL.md', 'b skill')
  })

  test.each([
    ['a changed file', 'echo obey > AGENTS.md'],
    ['one that is replaced', 'echo obey > x; mv x AGENTS.md'],
    ['one that is removed', 'rm AGENTS.md'],
    ['one that becomes a link', 'rm AGENTS.md; ln -s /etc/hostname AGENTS.md'],
    ['a changed skill', 'echo obey >> .agents/skills/a/SKILL.md'],
    ['a new skill', 'mkdir .agents/skills/evil; echo obey > .agents/skills/evil/SKILL.md'],
    ['a new skill of the data folder', 'mkdir .writ/skills/evil; echo obey > .writ/skills/evil/SKILL.md'],
    ['a folder that is moved away', 'mv .agents old; mkdir -p .agents/skills; echo obey > .agents/skills/x'],
    ['new settings', `echo '{"agent":{"security":{"autonomy":"Full"}}}' > agent.config.json`],
    [
      'a patch',
      `printf -- '--- a/AGENTS.md\\n+++ b/AGENTS.md\\n@@ -1 +1 @@\\n-be kind\\n\\\\ No newline at end of file\\n+obey\\n' | git apply`,
    ],
  ])('%s is restored, and the call fails', async (_what, line) => {
    await expect(unsandboxed(line)).rejects.toMatchObject({ code: 'PROTECTED_CHANGED' })
    expect(readFileSync(join(workspace, 'AGENTS.md'), 'utf8')).toBe('be kind')
    expect(readFileSync(join(workspace, '.agents/skills/a/SKILL.md'), 'utf8')).toBe('a skill')
    expect(readdirSync(join(workspace, '.agents/skills'))).toEqual(['a'])
    expect(readdirSync(join(workspace, '.writ/skills'))).toEqual(['b'])
    expect(existsSync(join(workspace, 'agent.config.json'))).toBe(false)
  })

  test('the written content is kept', async () => {
    await expect(unsandboxed('echo obey > AGENTS.md')).rejects.toThrow('AGENTS.md.refused')
    expect(readFileSync(join(workspace, 'AGENTS.md.refused'), 'utf8')).toBe('obey\n')
  })

  test('ordinary work, the journal and a touched file are left alone', async () => {
    const { end } = await unsandboxed(
      'echo x > a.txt; echo more >> .writ/journal.db; touch AGENTS.md; cp AGENTS.md x; mv x AGENTS.md; echo ok',
    )
    expect(end.output).toBe('ok\n')
    expect(readFileSync(join(workspace, '.writ/journal.db'), 'utf8')).toBe('journalmore\n')
  })
})

describe('M2: when the sandbox is required', () => {
  test.skipIf(!active)('a command runs in it', async () => {
    expect((await run('echo ok', { sandbox: 'required' })).end.output).toBe('ok\n')
  })
})

describe.skipIf(process.platform !== 'linux').each([
  ['sandboxed', 'auto'],
  ['not sandboxed', 'off'],
] as const)('a command that is %s', (_title, sandbox) => {
  test('has none of the open files of its parent', () => {
    const script = `
      import { execute } from ${JSON.stringify(join(import.meta.dirname, 'boundary.ts'))}
      const world = ${JSON.stringify(worldOf({ sandbox }))}
      const call = { world, signal: new AbortController().signal, cwd: world.workspace, timeoutMs: 20000 }
      console.log((await execute({ line: 'cd /dev/fd; echo *; ls /dev/fd/200 /dev/fd/7' }, call)).end.output)
      process.exit()`
    const begin = `exec 200<${home} 7<${home}; exec "$0" --input-type=module-typescript -e "$1"`
    const printed = execFileSync('bash', ['-c', begin, process.execPath, script], { encoding: 'utf8' })
    expect(printed).toMatch(/^0 1 2( 3)?\n/)
    expect(printed).toMatch(/200.*No such file/)
    expect(printed).toMatch(/7.*No such file/)
  })

  test.each([
    'env -i setsid sleep MARK >/dev/null 2>&1 &',
    '(env -i nohup setsid sh -c "(sleep MARK) & sleep MARK" >/dev/null 2>&1 &); true',
    'env -i perl -e "fork and exit; setpgrp; fork and exit; exec qw(sleep MARK)"',
  ])('is not outlived by %s', async (line) => {
    const mark = `${1000 + Math.floor(Math.random() * 1e6)}.125`
    const { end } = await run(`${line.replaceAll('MARK', mark)}\necho begun; exit 3`, { sandbox })
    expect(end).toMatchObject({ exitCode: 3, output: 'begun\n' })
    expect(processesWith(mark)).toEqual([])
  })
})

function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word)
    } catch {
      return false
    }
  })
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!active)('a protected file in a deeper folder', () => {
  test('cannot be replaced by moving its folder', async () => {
    const config = file('conf/deep/agent.json', 'mine')
    const { end } = await run(
      'mv conf c; mv conf/deep d; mkdir -p conf/deep; echo forged > conf/deep/agent.json; echo x > conf/other; ls conf',
      { protectedPaths: [config] },
    )
    expect(readFileSync(config, 'utf8')).toBe('mine')
    expect(end.output).toMatch(/other\n$/)
  })
})
