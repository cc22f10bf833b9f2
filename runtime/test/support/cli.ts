/** The command in a folder and a home of its own, for tests: in this process, or in its own where that matters. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/cli/main.ts'
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
  /** A program that starts the command in its own way and its own process, given the whole command line. */
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
  /** In a process of its own: for signals, crashes, launchers and commands that do not end by themselves. */
  start(args: readonly string[], options?: StartOptions): Running
  /** In this process, which spares its start: half a second each time. */
  writ(args: readonly string[], options?: StartOptions): Promise<Ended>
  remove(): void
}

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-cli-')))
  const workspace = join(root, 'workspace')
  const home = join(root, 'home')
  // Of its own processes: one that is killed leaves files there.
  const temporary = join(root, 't')
  for (const folder of [workspace, home, temporary]) mkdirSync(folder)
  // As every temporary folder: some tests start programs as another user.
  chmodSync(temporary, 0o1777)
  const file = (name: string, content: string | object) => {
    const path = join(workspace, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const environment = (own: Record<string, string> = {}) => ({
    PATH: process.env.PATH ?? '',
    TMPDIR: tmpdir(),
    HOME: home,
    LANG: 'C.UTF-8',
    ...own,
  })
  const start: Place['start'] = (args, { stdin = '', env, through } = {}) => {
    const command = [process.execPath, LAUNCHER, ...args]
    const [program = '', ...words] = through?.(command) ?? command
    return follow(spawn(program, words, { cwd: workspace, env: environment({ TMPDIR: temporary, ...env }) }), stdin)
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
    async writ(args, options = {}) {
      if (options.through !== undefined) return start(args, options).ended
      const { stdin = '', env } = options
      return runHere(args, { cwd: workspace, env: environment(env), stdin })
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

async function runHere(
  args: readonly string[],
  { cwd, env, stdin }: { cwd: string; env: Record<string, string>; stdin: string | Buffer },
): Promise<Ended> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  const code = await runCommand(args, {
    stdin: stdin === 'open' ? new Readable({ read() {} }) : Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: into(out),
    stderr: into(err),
    env,
    cwd: () => cwd,
    on() {},
  })
  return ended({ code, signal: null }, { out, err })
}

function into(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
}

function ended(end: Pick<Ended, 'code' | 'signal'>, { out, err }: { out: Buffer[]; err: Buffer[] }): Ended {
  const stdout = Buffer.concat(out).toString()
  const json = () =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { ...end, stdout, stderr: Buffer.concat(err).toString(), json }
}

function follow(child: ChildProcess, stdin: string | Buffer): Running {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (chunk) => out.push(chunk))
  child.stderr?.on('data', (chunk) => err.push(chunk))
  child.stdin?.on('error', () => {})
  if (stdin !== 'open') child.stdin?.end(stdin)
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  let over = false
  child.on('error', reject)
  child.on('close', (code, signal) => {
    over = true
    resolve(ended({ code, signal }, { out, err }))
  })
  return {
    child,
    ended: promise,
    async said(text) {
      const all = () => Buffer.concat([...out, ...err]).toString()
      await until(() => over || all().includes(text))
      if (all().includes(text)) return all()
      throw new Error(`ended without saying ${JSON.stringify(text)}: ${(await promise).stderr}`)
    },
  }
}
