import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { findFreePort } from '../../../test/support/free-port.ts'
import { type GitServer, startGitServer } from '../../../test/support/git-server.ts'
import type { World } from '../tool.ts'
import { gitTool } from './git.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-git-net-')))
const [workspace, home, served] = ['ws', 'home', 'served'].map((name) => join(base, name)) as [string, string, string]
for (const folder of [workspace, home, served]) mkdirSync(folder)
const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
const LOGIN = 'ann:topvalue-password'

let server: GitServer
beforeAll(async () => {
  git(served, 'init', '-q', '--bare', 'repo.git')
  git(join(served, 'repo.git'), 'config', 'http.receivepack', 'true')
  server = await startGitServer(served, LOGIN)
  git(workspace, 'init', '-q', '-b', 'main')
  writeFileSync(join(workspace, 'cert.pem'), server.certificate)
  for (const [key, value] of [
    ['user.name', 'n'],
    ['user.email', 'a@b.c'],
    ['http.sslCAInfo', join(workspace, 'cert.pem')],
    ['remote.origin.url', server.url('repo.git')],
    ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ] as const)
    git(workspace, 'config', key, value)
  git(workspace, 'add', '-A')
  git(workspace, 'commit', '-qm', 'first')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.com\n')
})
afterAll(async () => {
  await server.stop()
  rmSync(base, { recursive: true, force: true })
})

function worldWith(own: Partial<World> = {}): World {
  return {
    workspace,
    protectedPaths: [],
    blockedPaths: [],
    allowedHosts: [`127.0.0.1:${server.port}`],
    env: { PATH: process.env.PATH, HOME: home },
    sandbox: 'auto',
    ...own,
  }
}
const run = (world: World, ...args: string[]) => gitTool.execute({ args }, callIn(world))
const facts = (world: World, ...args: string[]) => gitTool.preValidate?.({ args }, world, callIn(world))
const login = () => ({ WRIT_GIT_CREDENTIALS: `https://${LOGIN}@127.0.0.1:${server.port}` })

describe.each(['auto', 'off'] as const)('over HTTPS, sandbox %s', (sandbox) => {
  test('a push and a fetch use the credential for that host, and the approval question says so', async () => {
    const world = worldWith({ sandbox, env: { PATH: process.env.PATH, HOME: home, ...login() } })
    expect(await facts(world, 'fetch', 'origin')).toMatchObject({
      risk: 'High',
      command: { dangers: [{ code: 'usesCredential', host: '127.0.0.1' }] },
      hosts: [{ host: '127.0.0.1', port: server.port, scheme: 'https', method: 'GET' }],
    })
    git(workspace, 'commit', '-qm', sandbox, '--allow-empty')
    expect(await run(world, 'push', 'origin', 'main')).toMatchObject({ ok: true })
    expect(git(join(served, 'repo.git'), 'rev-parse', 'main')).toBe(git(workspace, 'rev-parse', 'main'))
    expect(server.logins.at(-1)).toBe(LOGIN)
    expect(await run(world, 'fetch', 'origin')).toMatchObject({ ok: true })
    expect(await run(world, 'ls-remote')).toMatchObject({ ok: true, text: expect.stringContaining('refs/heads/main') })
  })

  test('without a credential for that host, nothing is sent', async () => {
    const before = server.logins.length
    const other = { WRIT_GIT_CREDENTIALS: `https://${LOGIN}@example.com` }
    for (const env of [{}, other]) {
      const world = worldWith({ sandbox, env: { PATH: process.env.PATH, HOME: home, ...env } })
      expect(await run(world, 'fetch', 'origin')).toMatchObject({ ok: false })
    }
    expect(server.logins.slice(before).filter((given) => given.includes('topvalue'))).toEqual([])
  })

  test('a closed host is not reached, whatever the verdict was', async () => {
    const world = worldWith({ sandbox, allowedHosts: [], env: { PATH: process.env.PATH, HOME: home, ...login() } })
    const before = server.logins.length
    expect(await run(world, 'fetch', 'origin')).toMatchObject({
      ok: false,
      partial: expect.stringMatching(/git may not connect to \S+: it is a loopback address/),
    })
    expect(server.logins.length).toBe(before)
  })
})

test('a credential is read from git’s own store', async () => {
  writeFileSync(join(home, '.git-credentials'), `https://${LOGIN}@127.0.0.1:${server.port}\n`)
  expect(await run(worldWith(), 'ls-remote', 'origin')).toMatchObject({ ok: true })
  rmSync(join(home, '.git-credentials'))
})

test('no program of the repository runs in a call with network', async () => {
  const world = worldWith({ env: { PATH: process.env.PATH, HOME: home, ...login() } })
  git(workspace, 'config', 'no.such', 'x')
  expect(await run(world, 'fetch', 'origin')).toMatchObject({
    ok: false,
    code: 'GIT_NETWORK',
    error: expect.stringContaining('no.such'),
  })
  git(workspace, 'config', '--unset', 'no.such')
  const [tree, parent] = ['main^{tree}', 'main'].map((name) => git(join(served, 'repo.git'), 'rev-parse', name))
  const people = ['author', 'committer'].map((who) => `${who} n <a@b.c> 1700000000 +0000`).join('\n')
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
  const signed = `tree ${tree}\nparent ${parent}\n${people}\n${signature}\n\nsigned\n`
  const object = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: join(served, 'repo.git'),
    input: signed,
    encoding: 'utf8',
  }).trim()
  git(join(served, 'repo.git'), 'update-ref', 'refs/heads/signed', object)
  writeFileSync(join(workspace, 'check'), `#!/bin/sh\ntouch ${join(workspace, 'ran')}\n`, { mode: 0o755 })
  git(workspace, 'config', 'gpg.program', join(workspace, 'check'))
  git(workspace, 'config', 'merge.verifySignatures', 'true')
  expect(await run(world, 'pull', '--no-rebase', 'origin', 'signed')).toMatchObject({ ok: false })
  expect(existsSync(join(workspace, 'ran'))).toBe(false)
  for (const key of ['gpg.program', 'merge.verifySignatures']) git(workspace, 'config', '--unset', key)
})

test('a command that needs no network has none', async () => {
  writeFileSync(
    join(workspace, '.git/hooks/pre-commit'),
    `#!/bin/sh\n! (exec 3<>/dev/tcp/127.0.0.1/${server.port})\n`,
    {
      mode: 0o755,
    },
  )
  expect(await run(worldWith(), 'commit', '--allow-empty', '-m', 'x')).toMatchObject({ ok: true })
  rmSync(join(workspace, '.git/hooks/pre-commit'))
})

describe('over SSH', () => {
  test('the ssh agent’s socket is open for the call, through the guarded tunnel', async () => {
    const ssh = await startSsh()
    try {
      const url = `ssh://${userInfo().username}@127.0.0.1:${ssh.port}${join(served, 'repo.git')}`
      const env = { PATH: process.env.PATH, HOME: home, SSH_AUTH_SOCK: ssh.agent }
      const world = worldWith({ env, allowedHosts: [`127.0.0.1:${ssh.port}`] })
      expect(await facts(world, 'fetch', url)).toMatchObject({
        risk: 'High',
        command: { dangers: [{ code: 'usesSshKeys', host: '127.0.0.1' }] },
      })
      expect(await run(world, 'ls-remote', url)).toMatchObject({
        ok: true,
        text: expect.stringContaining('refs/heads/main'),
      })
      git(workspace, 'commit', '-qm', 'by ssh', '--allow-empty')
      expect(await run(world, 'push', url, 'main')).toMatchObject({ ok: true })
      expect(git(join(served, 'repo.git'), 'rev-parse', 'main')).toBe(git(workspace, 'rev-parse', 'main'))
      const closed = await run({ ...world, allowedHosts: [] }, 'ls-remote', url)
      expect(closed).toMatchObject({ ok: false, partial: expect.stringContaining('git may not connect to') })
    } finally {
      ssh.stop()
    }
  })
})

/** A server and an agent for this test, with a fresh key. */
async function startSsh(): Promise<{ port: number; agent: string; stop(): void }> {
  const folder = join(base, 'ssh')
  mkdirSync(join(home, '.ssh'), { recursive: true })
  mkdirSync(folder, { mode: 0o700 })
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  const port = await findFreePort()
  const host = readFileSync(join(folder, 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
  writeFileSync(join(home, '.ssh', 'known_hosts'), `[127.0.0.1]:${port} ${host}\n`)
  const config = {
    ListenAddress: '127.0.0.1',
    Port: port,
    HostKey: join(folder, 'host'),
    AuthorizedKeysFile: join(folder, 'user.pub'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PermitRootLogin: 'prohibit-password',
  }
  writeFileSync(
    join(folder, 'sshd_config'),
    Object.entries(config)
      .map(([key, value]) => `${key} ${value}\n`)
      .join(''),
  )
  // As root, the server drops its privileges there.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const daemon = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    let text = ''
    daemon.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('listening')) resolve()
    })
    daemon.once('exit', () => reject(new Error(text)))
  })
  const agent = join(folder, 'agent.sock')
  const keeper = spawn('ssh-agent', ['-D', '-a', agent], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise((resolve) => keeper.stdout.once('data', resolve))
  execFileSync('ssh-add', ['-q', join(folder, 'user')], {
    env: { ...process.env, SSH_AUTH_SOCK: agent },
    stdio: 'ignore',
  })
  return {
    port,
    agent,
    stop() {
      daemon.kill()
      keeper.kill()
    },
  }
}
