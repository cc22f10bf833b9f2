/** A Chromium for the tests: the system's own, which `npm test` installs where it may. */
import { readdirSync, readFileSync } from 'node:fs'
import { findChromium } from '../../src/tool/browser/chromium.ts'

export function needChromium(): string {
  const found = findChromium(process.env)
  if (found === undefined) {
    throw new Error('The tests need a Chromium: install the Debian package `chromium`, or set WRIT_CHROMIUM to one.')
  }
  return found
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

/** As kill -9; a process that has ended meanwhile is no error. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
}

/** The process group of `pid`; undefined when it has ended. */
export function groupOf(pid: number): number | undefined {
  const group = /\) \S \d+ (\d+) /.exec(statOf(String(pid)))?.[1]
  return group === undefined ? undefined : Number(group)
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
