/**
 * The tests need real programs: PostgreSQL, Chromium, a terminal, the sandbox. On Debian as root, missing ones are
 * installed; elsewhere the tests do not run without them.
 */
import { execFileSync, type StdioOptions } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findChromium } from '../runtime/src/tool/browser/chromium.ts'

const APT = '/usr/bin/apt-get'

const PACKAGES: { name: string; found(env: NodeJS.ProcessEnv): boolean }[] = [
  { name: 'git', found: onPath('git') },
  { name: 'postgresql', found: (env) => onPath('initdb')(env) || hasDebianPostgres() },
  { name: 'chromium', found: (env) => findChromium(env) !== undefined },
  { name: 'tmux', found: onPath('tmux') },
  { name: 'bubblewrap', found: onPath('bwrap') },
  { name: 'socat', found: onPath('socat') },
  { name: 'ripgrep', found: onPath('rg') },
  { name: 'redis-server', found: onPath('redis-server') },
  { name: 'openssh-server', found: () => existsSync('/usr/sbin/sshd') },
  { name: 'openssl', found: onPath('openssl') },
  { name: 'curl', found: onPath('curl') },
  { name: 'jq', found: onPath('jq') },
]

export interface Machine {
  env: NodeJS.ProcessEnv
  isRoot: boolean
  say(text: string): void
  install(packages: readonly string[]): void
}

/** Returns false, with a message, when a program is missing and cannot be installed. */
export function ensurePrerequisites(machine: Machine = thisMachine()): boolean {
  const missing = PACKAGES.filter(({ found }) => !found(machine.env)).map(({ name }) => name)
  if (missing.length === 0) return true
  const names = missing.join(' ')
  if (machine.isRoot) {
    machine.say(`Running as root: installing the Debian packages the tests need: ${names}`)
    machine.install(missing)
    return true
  }
  machine.say(`The tests need these missing programs: ${names}\nInstall them: sudo apt-get install -y ${names}`)
  return false
}

function thisMachine(): Machine {
  return {
    env: process.env,
    isRoot: process.getuid?.() === 0 && existsSync(APT),
    say: (text) => console.error(text),
    install,
  }
}

function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as StdioOptions, env }
  const patient = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3']
  execFileSync(APT, [...patient, 'update'], options)
  execFileSync(APT, [...patient, 'install', '-y', '--no-install-recommends', ...packages], options)
}

function onPath(program: string): (env: NodeJS.ProcessEnv) => boolean {
  return ({ PATH = '' }) => PATH.split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function hasDebianPostgres(): boolean {
  const root = '/usr/lib/postgresql'
  return existsSync(root) && readdirSync(root).some((version) => existsSync(join(root, version, 'bin/initdb')))
}
