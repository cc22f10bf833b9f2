/** The real command in a process, a folder and a home of its own; for tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ScriptEntry } from '../../src/model/scripted.ts'
import { until } from './until.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/writ.js')

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** Every line of stdout, as JSON. */
  json(): Record<string, unknown>[]
}

export interface Running {
  child: ChildProcess
  /** All of stdout and stderr so far, once it contains the text. */
  said(text: string): Promise<string>
  ended: Promise<Ended>
}

export interface StartOptions {
  /** `open`: nothing is written to it, and it does not end. */
  stdin?: string | Buffer | 'open'
  env?: Record<string, string>
  /** A program that starts the command in its own way, given the whole command line. */
  through?: (command: readonly string[]) => readonly string[]
}

export interface Place {
  root: string
  workspace: string
  data: string
  file(name: string, content: string | object): string
  read(name: string): string
  has(name: string): boolean
  script(name: string, entries: ScriptEntry[]): string
  start(args: readonly string[], options?: StartOptions): Running
  writ(args: readonly string[], options?: StartOptions): Promise<Ended>
  remove(): void
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-cli-')))
  const workspace = join(root, 'workspace')
  const home = join(root, 'home')
  for (const folder of [workspace, home]) mkdirSync(folder)
  const file = (name: string, content: string | object) => {
    const path = join(workspace, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const start: Place['start'] = (args, { stdin = '', env = {}, through } = {}) => {
    const command = [process.execPath, LAUNCHER, ...args]
    const [program = '', ...words] = through?.(command) ?? command
    const child = spawn(program, words, {
      cwd: workspace,
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: tmpdir(),
        HOME: home,
        LANG: 'C.UTF-8',
        NODE_COMPILE_CACHE: join(tmpdir(), 'writ-test-cache'),
        ...env,
      },
    })
    return follow(child, stdin)
  }
  return {
    root,
    workspace,
    data: join(workspace, '.writ'),
    file,
    read: (name) => readFileSync(join(workspace, name), 'utf8'),
    has: (name) => existsSync(join(workspace, name)),
    script: (name, entries) => file(name, entries),
    start,
    writ: (args, options) => start(args, options).ended,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function follow(child: ChildProcess, stdin: string | Buffer): Running {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (chunk) => out.push(chunk))
  child.stderr?.on('data', (chunk) => err.push(chunk))
  child.stdin?.on('error', () => {})
  if (stdin !== 'open') child.stdin?.end(stdin)
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>()
  let over = false
  child.on('error', reject)
  child.on('close', (code, signal) => {
    over = true
    const stdout = Buffer.concat(out).toString()
    const stderr = Buffer.concat(err).toString()
    const json = () =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    resolve({ code, signal, stdout, stderr, json })
  })
  return {
    child,
    ended,
    async said(text) {
      const all = () => Buffer.concat([...out, ...err]).toString()
      await until(() => over || all().includes(text))
      if (all().includes(text)) return all()
      throw new Error(`ended without saying ${JSON.stringify(text)}: ${(await ended).stderr}`)
    },
  }
}
