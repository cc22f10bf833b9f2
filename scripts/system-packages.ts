/**
 * The tests drive real programs: a PostgreSQL server, a Chromium, a terminal, the sandbox. On Debian as root the
 * missing ones are installed; elsewhere this says which they are, and the tests that need them fail by name.
 */
import { execFileSync, type StdioOptions } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const PACKAGES: { name: string; found(): boolean }[] = [
  { name: 'git', found: () => onPath('git') },
  { name: 'postgresql', found: hasPostgres },
  { name: 'chromium', found: () => ['chromium', 'chromium-browser', 'google-chrome'].some(onPath) },
  { name: 'tmux', found: () => onPath('tmux') },
  { name: 'bubblewrap', found: () => onPath('bwrap') },
  { name: 'socat', found: () => onPath('socat') },
  { name: 'ripgrep', found: () => onPath('rg') },
  { name: 'redis-server', found: () => onPath('redis-server') },
  { name: 'openssh-server', found: () => existsSync('/usr/sbin/sshd') },
  { name: 'openssl', found: () => onPath('openssl') },
]

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function hasPostgres(): boolean {
  const root = '/usr/lib/postgresql'
  return existsSync(root) && readdirSync(root).some((version) => existsSync(join(root, version, 'bin/initdb')))
}

const missing = PACKAGES.filter(({ found }) => !found()).map(({ name }) => name)
if (missing.length > 0) {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) {
    console.log(`Installing what the tests need: ${missing.join(', ')}`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { stdio: ['ignore', 'ignore', 'inherit'] as StdioOptions, env }
    const patient = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3']
    execFileSync('apt-get', [...patient, 'update'], options)
    execFileSync('apt-get', [...patient, 'install', '-y', '--no-install-recommends', ...missing], options)
  } else {
    console.log(`The tests also need: ${missing.join(', ')} (Debian: apt-get install ${missing.join(' ')})`)
  }
}
