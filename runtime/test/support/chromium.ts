/** A Chromium for the tests: the system's own, else Debian's package where we may install it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findChromium } from '../../src/tool/browser/chromium.ts'

const APT = '/usr/bin/apt-get'

export function needChromium(): string {
  const found = findChromium(process.env) ?? installed()
  if (found === undefined) {
    throw new Error('The tests need a Chromium: install the Debian package `chromium`, or set WRIT_CHROMIUM to one.')
  }
  return found
}

function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync(APT)) return undefined
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync(APT, ['update'], options)
  const quiet = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
  execFileSync(APT, ['install', ...quiet, 'chromium'], options)
  return findChromium(process.env)
}

/** The living processes below `pid`, from Linux's own table. */
export function processesBelow(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [, state, parent] = /\) (\S) (\d+) /.exec(statOf(name)) ?? []
    if (state !== undefined && state !== 'Z') parents.set(Number(name), Number(parent))
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && (parents.get(one) === pid || isBelow(parents.get(one)))
  return [...parents.keys()].filter(isBelow)
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

export function isAlive(pid: number): boolean {
  const state = /\) (\S) /.exec(statOf(String(pid)))?.[1]
  return state !== undefined && state !== 'Z'
}
