/** The command line: finds the verb, runs it, and ends with the exit code the contract names. */
import { readFileSync } from 'node:fs'
import { messageOf, WritError } from '../base/errors.ts'
import { factText } from '../i18n/facts.ts'
import { type Lang, messages, parseLang, pickLang } from '../i18n/locale.ts'
import { parseArgs, type Typed } from './args.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { placeTexts } from './place-texts.ts'
import { cliTexts } from './texts.ts'
import type { CliTexts } from './texts-en.ts'

const CANCELLED = 130
/** As a process that SIGTERM ends: 128 + 15. */
const TERMINATED = 143
const NEVER = new AbortController().signal
/** One Ctrl-C may arrive twice, from the terminal and from a launcher that passes it on. */
const ECHO_MS = 250

export async function main(argv: readonly string[]): Promise<void> {
  // What is under way still ends in good order; whether all was said is looked at then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => process.exit(report(error, { argv, lang: 'en' })))
  }
  const code = await obey(argv)
  await Promise.all([drained(process.stdout), drained(process.stderr)])
  process.exit(lostOutput(argv) ?? code)
}

/** A full disk, say. Whoever was reading may also have gone, as with `| head -1` or a closed window, and wants no more. */
function lostOutput(argv: readonly string[]): number | undefined {
  const error: NodeJS.ErrnoException | null = process.stdout.errored
  if (error === null || error.code === 'EPIPE' || error.code === 'EIO') return undefined
  const lang = pickLang(parseLang(langFlag(argv)), process.env)
  const { lost, lostHint } = cliTexts(lang).usage
  return report(new WritError('OUTPUT_UNWRITABLE', lost({ why: error.message }), { hint: lostHint }), { argv, lang })
}

async function obey(argv: readonly string[]): Promise<number> {
  const { env } = process
  let lang = pickLang(undefined, env)
  try {
    lang = pickLang(langFlag(argv), env)
    const texts = cliTexts(lang)
    const typed = parseArgs(argv, texts)
    const isTty = process.stdout.isTTY === true
    const io: Io = { stdout: write(process.stdout), stderr: write(process.stderr), env, cwd: '', isTty, lang }
    const answer = await answerAtOnce(typed, texts)
    if (answer !== undefined) {
      ;(answer.code === 0 ? io.stdout : io.stderr)(answer.text)
      return answer.code
    }
    const { verb, ...given } = typed
    if (verb === undefined) return 2
    const signals = verb.winds === true ? interruption(texts) : { signal: NEVER, terminated: NEVER }
    const command = await verb.load()
    return await command({ ...given, verb: verb.name, ...signals }, { ...io, cwd: process.cwd() })
  } catch (error) {
    return report(error, { argv, lang })
  }
}

/** Help and version, for which nothing of the runtime is loaded. */
async function answerAtOnce({ verb, switches, words }: Typed, texts: CliTexts) {
  if (switches.has('version')) return { text: `${version()}\n`, code: 0 }
  if (verb !== undefined && !switches.has('help')) return undefined
  const { rootHelp, verbHelp } = await import('./help.ts')
  if (verb !== undefined) return { text: verbHelp(verb, texts), code: 0 }
  return { text: rootHelp(texts), code: switches.has('help') || words.length > 0 ? 0 : 2 }
}

function version(): string {
  const { version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return number
}

function langFlag(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((item) => item === '--lang' || item.startsWith('--lang='))
  if (at < 0) return undefined
  return argv[at] === '--lang' ? argv[at + 1] : argv[at]?.slice('--lang='.length)
}

/** The first signal asks for an orderly end; the next one does not ask. */
function interruption(texts: CliTexts): Pick<Given, 'signal' | 'terminated'> {
  const [ending, terminating] = [new AbortController(), new AbortController()]
  let askedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    const byManager = signal === 'SIGTERM'
    if (askedAt === undefined) {
      askedAt = now
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${texts.watch.stopping}\n`)
      // Before the runs hear of it, or they would be stored as cancelled.
      if (byManager) terminating.abort()
      ending.abort()
    } else if (now - askedAt > ECHO_MS) process.exit(byManager ? TERMINATED : CANCELLED)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return { signal: ending.signal, terminated: terminating.signal }
}

/** Says what went wrong, in one fact and one hint, and which exit code that is. */
function report(error: unknown, { argv, lang }: { argv: readonly string[]; lang: Lang }): number {
  const known = error instanceof WritError
  const code = known ? error.code : 'INTERNAL'
  const message = factText(messageOf(error), lang)
  const advice = known ? (error.hint ?? hintFor(code, lang)) : cliTexts(lang).usage.internal
  const hint = advice === undefined ? undefined : factText(advice, lang)
  process.stderr.write(`${code}: ${message}\n`)
  if (hint !== undefined) process.stderr.write(`${messages(lang).cli.hint({ text: hint })}\n`)
  if (process.env.WRIT_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  if (argv.includes('--json')) {
    process.stdout.write(
      `${JSON.stringify({ type: 'error', code, message, ...(hint === undefined ? {} : { hint }) })}\n`,
    )
  }
  if (code === 'RUN_INTERRUPTED') return TERMINATED
  return !known || /^(?:STORE_|JOURNAL_|RUN_TAKEN|WRIT_|OUTPUT_)/.test(code) ? 1 : 2
}

/** For what is refused by parts that serve others too, and cannot know what was typed. */
function hintFor(code: string, lang: Lang): string | undefined {
  const { unreadableHint, scopesHint } = placeTexts(lang)
  if (code === 'INPUT_UNREADABLE' || code === 'WORKFLOW_UNREADABLE') return unreadableHint
  return code === 'TOKEN_SCOPES' ? scopesHint : undefined
}

function write(stream: NodeJS.WriteStream): (text: string) => void {
  return (text) => {
    if (stream.writable) stream.write(text)
  }
}

/** Leaving before a slow reader has taken everything would cut the output short. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writable || stream.writableLength === 0) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
    stream.write('', () => resolve())
  })
}
