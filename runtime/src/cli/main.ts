/** The command line: finds the verb, runs it and exits with its code. */
import type { Writable } from 'node:stream'
import { CodedError } from '../base/errors.ts'
import { packageVersion } from '../base/package.ts'
import { present } from '../base/present.ts'
import { errorText, WritError } from '../errors/writ-error.ts'
import { type Lang, messages, parseLang, pickLang } from '../i18n/locale.ts'
import { type ParsedArgs, parseArgs } from './args.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'
import type { CliTexts } from './texts-en.ts'

const CANCELLED = 130
/** 128 + 15, the exit code of a process ended by SIGTERM. */
const TERMINATED = 143
const NEVER = new AbortController().signal
/** One Ctrl-C can arrive twice: from the terminal and from the launcher that forwards it. */
const ECHO_MS = 250

/** The parts of a process that a command line uses: `process` itself, or a command without a process of its own. */
export interface Host {
  stdin: ReturnType<Io['stdin']>
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean }
  env: Io['env']
  cwd(): string
  on(signal: NodeJS.Signals, act: (signal: NodeJS.Signals) => void): unknown
}

export async function main(argv: readonly string[]): Promise<void> {
  // A broken output must not stop the work; lost output is reported at the end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => process.exit(report(error, { argv, lang: 'en', host: process })))
  }
  process.exit(await runCommand(argv, process))
}

/** Returns the exit code. */
export async function runCommand(argv: readonly string[], host: Host): Promise<number> {
  const code = await runVerb(argv, host)
  await Promise.all([drained(host.stdout), drained(host.stderr)])
  return lostOutput(argv, host) ?? code
}

/** For example a full disk. A reader that went away (`| head -1`, a closed window) is not an error. */
function lostOutput(argv: readonly string[], host: Host): number | undefined {
  const error: NodeJS.ErrnoException | null = host.stdout.errored
  if (error === null || error.code === 'EPIPE' || error.code === 'EIO') return undefined
  const lang = pickLang(parseLang(langFlag(argv)), host.env)
  return report(new WritError('OUTPUT_UNWRITABLE.stdout', { why: error.message }), { argv, lang, host })
}

async function runVerb(argv: readonly string[], host: Host): Promise<number> {
  const { env, stdout, stderr } = host
  let lang = pickLang(undefined, env)
  try {
    lang = pickLang(langFlag(argv), env)
    const texts = cliTexts(lang)
    const args = parseArgs(argv)
    const isTty = stdout.isTTY === true
    const streams = { stdout: write(stdout), stderr: write(stderr), stdin: () => host.stdin }
    const io: Io = { ...streams, env, cwd: '', isTty, lang }
    const answer = await helpOrVersion(args, texts)
    if (answer !== undefined) {
      ;(answer.code === 0 ? io.stdout : io.stderr)(answer.text)
      return answer.code
    }
    const { verb, ...given } = args
    if (verb === undefined) return 2
    const signals = verb.handlesInterrupt === true ? interruption(texts, host) : { signal: NEVER, terminated: NEVER }
    const command = await verb.load()
    return await command({ ...given, verb: verb.name, ...signals }, { ...io, cwd: host.cwd() })
  } catch (error) {
    return report(error, { argv, lang, host })
  }
}

/** Answered without loading the runtime. */
async function helpOrVersion({ verb, switches, words }: ParsedArgs, texts: CliTexts) {
  if (switches.has('version')) return { text: `${packageVersion()}\n`, code: 0 }
  if (verb !== undefined && !switches.has('help')) return undefined
  const { rootHelp, verbHelp } = await import('./help.ts')
  if (verb !== undefined) return { text: verbHelp(verb, texts), code: 0 }
  return { text: rootHelp(texts, words[0]), code: switches.has('help') || words.length > 0 ? 0 : 2 }
}

function langFlag(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((item) => item === '--lang' || item.startsWith('--lang='))
  if (at < 0) return undefined
  return argv[at] === '--lang' ? argv[at + 1] : argv[at]?.slice('--lang='.length)
}

/** The first signal stops the work in order; the second exits immediately. */
function interruption(texts: CliTexts, host: Host): Pick<Given, 'signal' | 'terminated'> {
  const [ending, terminating] = [new AbortController(), new AbortController()]
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    const isTerm = signal === 'SIGTERM'
    if (firstAt === undefined) {
      firstAt = now
      if (host.stderr.isTTY) host.stderr.write(`\r\x1b[2K${texts.watch.stopping}\n`)
      // Before the other signal, or the runs would be stored as cancelled.
      if (isTerm) terminating.abort()
      ending.abort()
    } else if (now - firstAt > ECHO_MS) process.exit(isTerm ? TERMINATED : CANCELLED)
  }
  host.on('SIGINT', onSignal)
  host.on('SIGTERM', onSignal)
  return { signal: ending.signal, terminated: terminating.signal }
}

/** Prints the error in the reader's language; returns the exit code. */
function report(error: unknown, { argv, lang, host }: { argv: readonly string[]; lang: Lang; host: Host }): number {
  const code = error instanceof CodedError ? error.code : 'INTERNAL'
  const { message, hint } = described(error, lang)
  host.stderr.write(`${code}: ${message}\n`)
  if (hint !== undefined) host.stderr.write(`${messages(lang).cli.hint({ text: hint })}\n`)
  if (host.env.WRIT_DEBUG === '1' && error instanceof Error) host.stderr.write(`${error.stack}\n`)
  if (argv.includes('--json')) {
    host.stdout.write(`${JSON.stringify(present({ type: 'error', code, message, hint }))}\n`)
  }
  if (error instanceof WritError) return error.traits.exit ?? 2
  if (code === 'RUN_INTERRUPTED') return TERMINATED
  return code === 'INTERNAL' || /^(?:STORE_|JOURNAL_|RUN_TAKEN|WRIT_|OUTPUT_)/.test(code) ? 1 : 2
}

function described(error: unknown, lang: Lang): { message: string; hint?: string | undefined } {
  const text = errorText(error, lang)
  if (error instanceof WritError) return text
  return { ...text, hint: error instanceof CodedError ? error.hint : cliTexts(lang).usage.internal }
}

function write(stream: Writable): (text: string) => void {
  return (text) => {
    if (stream.writable) stream.write(text)
  }
}

/** Exiting before a slow reader has read everything would truncate the output. */
function drained(stream: Writable): Promise<void> {
  if (!stream.writable || stream.writableLength === 0) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
    stream.write('', () => resolve())
  })
}
