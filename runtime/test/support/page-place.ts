/** Runs the commands of a page in a copy of a clone, as its readers would, in this process where that is possible. */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parseArgs } from '../../src/cli/args.ts'
import { runCommand } from '../../src/cli/main.ts'
import { type Block, ROOT } from './pages.ts'
import { until } from './until.ts'

const LAUNCHER = join(ROOT, 'runtime/bin/writ.js')
/** What the pages mention of a clone. */
const PARTS = ['README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'package.json', 'docs', 'examples']
/** They run until they are stopped; the first line says that they have started. */
const ENDLESS = ['serve', 'work', 'routine start', 'hooks serve']
/** They ask when they are given no flags; the last choice is the built-in rules. */
const ASKING = ['setup']
const CHOICES = /\(1-(\d+)\)/
/** A pseudo-terminal, from util-linux. */
const TERMINAL = 'script'
/** One character at a time: with `+`, a line that does not match is tried in every way to divide its words. */
const PLAIN = /^npx writ (?:[^\s"'|&;<>$`\\~*]|"[^"$`\\]*"|'[^']*'|\s)*$/

/** What stands for an id in a page, and what the output of a command shows of it. */
const PLACEHOLDERS: readonly (readonly [string, RegExp])[] = [
  ['\\bRUN\\b', /\brun_\w+/],
  ['ses_…', /\bses_\w+/],
  ['mem_…', /\bmem_\w+/],
  ['writ_…', /\bwrit_[\w-]{20,}/],
]

interface Running {
  port: string
  stop(): Promise<void>
}

export interface PagePlace {
  /** A run and a memory, for the placeholders of the page. */
  seed(): Promise<void>
  run(block: Block): Promise<void>
  save(name: string, content: string): void
  close(): Promise<void>
}

/** A folder with a clone to copy from, made once. */
export function makeClone(): { folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-pages-')))
  for (const part of PARTS) {
    const filter = (path: string) => !/node_modules|screenshots|\.vitepress/.test(path.slice(ROOT.length))
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter })
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'first')
  // For the programs of the pages, which import `writ`.
  for (const part of ['scripts', 'node_modules']) symlinkSync(join(ROOT, part), join(folder, part))
  appendFileSync(join(folder, '.git/info/exclude'), '/scripts\n/node_modules\n')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export function openPage(clone: string): PagePlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-page-')))
  const [workspace, home] = [join(root, 'writ'), join(root, 'home')]
  mkdirSync(home)
  cpSync(clone, workspace, { recursive: true })
  const env = {
    PATH: pathOfReader(),
    TMPDIR: tmpdir(),
    HOME: home,
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  }
  /** What the placeholders of the pages stand for. */
  const known = new Map<string, string>()
  let server: Running | undefined

  const fill = (text: string) => {
    let filled = text
    for (const [placeholder, value] of known) filled = filled.replace(new RegExp(placeholder, 'g'), value)
    return filled.replaceAll('127.0.0.1:4770', `127.0.0.1:${server?.port ?? 4770}`)
  }
  const learn = (output: string) => {
    for (const [placeholder, pattern] of PLACEHOLDERS) {
      const [value] = pattern.exec(output) ?? []
      if (value !== undefined) known.set(placeholder, value)
    }
  }
  const at = (block: Block, command: string) => `${block.page}:${block.line}: ${command}`

  async function inProcess(command: string, block: Block, exits: number): Promise<void> {
    const args = asRun(wordsOf(fill(command)).slice(2))
    const { verb } = parseArgs(args)
    if (ENDLESS.includes(verb?.name ?? '')) return startAndStop(args, at(block, command))
    const text: string[] = []
    const code = await runCommand(args, { ...host(text), on() {} })
    check({ code, output: text.join(''), exits }, at(block, command))
    learn(text.join(''))
  }

  const host = (text: string[]) => {
    const stream = () =>
      new Writable({
        write(chunk, _encoding, done) {
          text.push(String(chunk))
          done()
        },
      })
    return { stdin: Readable.from([]), stdout: stream(), stderr: stream(), env, cwd: () => workspace }
  }

  async function startAndStop(args: readonly string[], where: string): Promise<void> {
    await server?.stop()
    const isServer = args[0] === 'serve'
    const text: string[] = []
    const listeners: (() => void)[] = []
    const on = (signal: NodeJS.Signals, act: (signal: NodeJS.Signals) => void) =>
      signal === 'SIGINT' && listeners.push(() => act(signal))
    const given = isServer ? [...args.filter((word) => word !== '--open'), '--port', '0'] : args
    let code: number | undefined
    const ended = runCommand(given, { ...host(text), on }).then((end) => (code = end))
    await until(() => code !== undefined || /:\d+|\n/.test(text.join('')))
    const stop = async () => {
      server = undefined
      for (const act of listeners) act()
      await ended
      check({ code, output: text.join(''), exits: 0 }, where)
    }
    learn(text.join(''))
    if (!isServer) return stop()
    await until(() => code !== undefined || /127\.0\.0\.1:\d+/.test(text.join('')))
    server = { stop, port: /127\.0\.0\.1:(\d+)/.exec(text.join(''))?.[1] ?? '' }
  }

  /** One shell for the whole block, so that its variables last. */
  async function inShell(script: string, block: Block, exits: number): Promise<void> {
    const npx = `npx() { shift; node ${JSON.stringify(LAUNCHER)} "$@"; }`
    const words = ['-c', `${npx}\nset -eo pipefail\n${fill(script)}`]
    // Not synchronous: a server of this process may have to answer.
    const child = spawn('bash', words, { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = outputOf(child)
    const [code] = await once(child, 'close')
    check({ code, output: output(), exits }, at(block, script))
    learn(output())
  }

  async function atTerminal(command: string, block: Block): Promise<void> {
    const words = ['-qec', command.replace('npx writ', `node ${LAUNCHER}`), '/dev/null']
    const child = spawn(TERMINAL, words, { cwd: workspace, env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' } })
    const output = outputOf(child)
    const ended = once(child, 'close')
    await until(() => CHOICES.test(output()) || child.exitCode !== null)
    child.stdin.write(`${CHOICES.exec(output())?.[1]}\r`)
    const [code] = await ended
    check({ code, output: output(), exits: 0 }, at(block, command))
  }

  return {
    async seed() {
      const text: string[] = []
      const task = 'remember that the release is on Friday'
      for (const args of [
        ['run', task, '--json', '--yes'],
        ['memory', 'list'],
      ]) {
        await runCommand(args, { ...host(text), on() {} })
      }
      learn(text.join(''))
    },
    async run(block) {
      const commands = commandsOf(block.code)
      if (!commands.every((command) => PLAIN.test(command))) return inShell(block.code, block, block.exits)
      for (const [i, command] of commands.entries()) {
        const exits = i === commands.length - 1 ? block.exits : 0
        const verb = parseArgs(wordsOf(command).slice(2)).verb?.name ?? ''
        const bare = ASKING.includes(verb) && !command.includes('--')
        if (bare) await atTerminal(command, block)
        else await inProcess(command, block, exits)
      }
    },
    save(name, content) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true })
      writeFileSync(join(workspace, name), content)
    },
    async close() {
      await server?.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Without the commands that npm adds for its scripts: a clone has no `writ` of its own. */
function pathOfReader(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules/.bin'))
  return [dirname(process.execPath), ...folders].join(delimiter)
}

function outputOf({ stdout, stderr }: ChildProcessByStdio<Writable | null, Readable, Readable>): () => string {
  let output = ''
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return () => output
}

function check({ code, output, exits }: { code: number | undefined; output: string; exits: number }, where: string) {
  if (code !== exits) throw new Error(`${where}\nended with ${code} instead of ${exits}:\n${output}`)
}

/** The lines of a block that are commands, without comments and with continued lines joined. */
export function commandsOf(code: string): string[] {
  const joined = code.replace(/\\\n\s*/g, ' ')
  return joined.split('\n').flatMap((line) => {
    const command = line.replace(/(^|\s+)#(?![^"]*"$).*$/, '').trim()
    return command === '' ? [] : [command]
  })
}

export function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** A reader would answer yes. */
function asRun(args: readonly string[]): string[] {
  const { verb, switches } = parseArgs(args)
  const answers = verb?.flags.includes('yes') && !switches.has('yes') && !switches.has('no-input')
  return answers ? [...args, '--yes'] : [...args]
}
