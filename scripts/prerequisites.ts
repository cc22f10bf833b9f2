/**
 * The tests drive real programs: a PostgreSQL server, a Chromium, a terminal, the sandbox. On Debian as root the
 * missing ones are installed; elsewhere nothing is run without them.
 */
import { execFileSync, type StdioOptions } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findChromium } from '../runtime/src/tool/browser/chromium.ts'

const APT = '/usr/bin/apt-get'

const PACKAGES: { name: string; found(): boolean }[] = [
  { name: 'git', found: () => onPath('git') },
  { name: 'postgresql', found: () => onPath('pg_ctl') || hasDebianPostgres() },
  { name: 'chromium', found: () => findChromium(process.env) !== undefined },
  { name: 'tmux', found: () => onPath('tmux') },
  { name: 'bubblewrap', found: () => onPath('bwrap') },
  { name: 'socat', found: () => onPath('socat') },
  { name: 'ripgrep', found: () => onPath('rg') },
  { name: 'redis-server', found: () => onPath('redis-server') },
]

/** False, and one message, when something is missing that cannot be installed here. */
export function ensurePrerequisites(): boolean {
  const missing = findMissing()
  if (missing.length === 0) return true
  if (process.getuid?.() === 0 && existsSync(APT)) {
    console.log(`Installing what the tests need: ${missing.join(' ')}`)
    install(missing)
    return true
  }
  const command = `sudo apt-get install ${missing.join(' ')}`
  console.error(`The tests need programs that are missing here: ${missing.join(' ')}\nInstall them: ${command}`)
  return false
}

function findMissing(): string[] {
  return PACKAGES.filter(({ found }) => !found()).map(({ name }) => name)
}

function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'] as StdioOptions, env }
  const patient = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3']
  execFileSync(APT, [...patient, 'update'], options)
  execFileSync(APT, [...patient, 'install', '-y', '--no-install-recommends', ...packages], options)
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function hasDebianPostgres(): boolean {
  const root = '/usr/lib/postgresql'
  return existsSync(root) && readdirSync(root).some((version) => existsSync(join(root, version, 'bin/initdb')))
}
