/** Answers approval questions: at the terminal, or with `--yes`. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Confirm, Refusal, WithheldText } from '../agent/context.ts'
import { approvalWords } from '../i18n/approval-words.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import { foldBlanks, hostOf, previewParts } from '../protocol/preview.ts'
import type { Answer, Question } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

const PREVIEW_LINES = 200

export interface Prompter {
  /** Clears the progress line. */
  before(): void
  /** The typed line; empty when there was none. */
  read(prompt: string, signal: AbortSignal): Promise<string>
}

/** Undefined when no one can be asked: the gate then denies. */
export function makeConfirm({ switches }: Given, io: Io, prompter: Prompter): Confirm | undefined {
  if (switches.has('yes')) {
    return async (question) => {
      prompter.before()
      return { ...automaticAnswer(question, io), by: '--yes' }
    }
  }
  const cannotAsk = switches.has('no-input') || process.stdin.isTTY !== true || process.stderr.isTTY !== true
  if (cannotAsk) return undefined
  const confirm: Confirm = async (question, signal) => {
    prompter.before()
    io.stderr(`\n${describe(question, io.lang)}`)
    const { choices, choicesOnce } = messages(io.lang).confirm
    const canAlways = question.keys.length > 0
    const ask = async () => answerOf(await prompter.read(`${canAlways ? choices : choicesOnce} `, signal))
    let answer = await ask()
    const { middle } = shownParts(question)
    // An approval only counts for text that was on the screen.
    if (answer !== 'n' && middle.length > 0) {
      io.stderr(`${[...middle.map(quoted), `  ${cliTexts(io.lang).watch.restShown}`].join('\n')}\n`)
      answer = await ask()
    }
    // "Always" was not offered, so it is not an approval.
    return answer === 'a' && !canAlways ? 'n' : answer
  }
  confirm.release = async (withheld, signal) => {
    prompter.before()
    io.stderr(`\n${describeWithheld(withheld, io.lang)}`)
    return answerOf(await prompter.read(`${cliTexts(io.lang).watch.release.ask} `, signal)) === 'y'
  }
  return confirm
}

function shownParts({ preview }: Question) {
  return previewParts(visible(foldBlanks(preview)), PREVIEW_LINES)
}

function quoted(line: string): string {
  return `  │ ${line}`
}

/** `--yes` does not cover High risk or targets named only by untrusted content. */
function automaticAnswer({ risk, reasons }: Question, io: Io): { answer: Answer; refusal?: Refusal } {
  const isHigh = risk === 'High'
  if (!isHigh && !reasons.includes('TargetNotInContext')) return { answer: 'y' }
  const { yesNotHigh, yesNotForeseen, yesHint } = cliTexts(io.lang).watch
  return { answer: 'n', refusal: { message: isHigh ? yesNotHigh : yesNotForeseen, hint: yesHint } }
}

function describe(question: Question, lang: Lang): string {
  const { tool, risk, message, keys, targets } = question
  const { confirm } = messages(lang)
  const { watch } = cliTexts(lang)
  const { head, middle, tail, cut } = shownParts(question)
  return [
    styleText(['bold', 'yellow'], `? ${confirm.ask({ tool: oneLine(tool), risk })}`, { stream: process.stderr }),
    ...head.map(quoted),
    ...(middle.length > 0 ? [quoted(watch.linesBetween({ n: middle.length }))] : []),
    ...tail.map(quoted),
    ...(cut > 0 ? [quoted(watch.moreLines({ n: cut }))] : []),
    ...targets.flatMap(({ value }) => {
      const host = hostOf(value)
      const shown = `  ${watch.target({ value: oneLine(value) })}`
      return host === undefined ? [shown] : [shown, `  ${watch.host({ host })}`]
    }),
    `  ${confirm.why({ message: oneLine(message) })}`,
    `  ${keys.length > 0 ? confirm.help : confirm.once}`,
    ...(keys.length > 0 ? [`  ${confirm.covers({ keys: keys.map((key) => approvalWords(oneLine(key), lang)) })}`] : []),
    '',
  ].join('\n')
}

function describeWithheld({ tool, text, lines: count }: WithheldText, lang: Lang): string {
  const { watch } = cliTexts(lang)
  const title = watch.release.title({ tool: oneLine(tool), lines: count })
  return [
    styleText(['bold', 'yellow'], `? ${title}`, { stream: process.stderr }),
    // All of it: the user must see everything the model would read.
    ...visible(foldBlanks(text)).split('\n').map(quoted),
    '',
  ].join('\n')
}

/** Anything but a clear yes is a no. */
function answerOf(line: string): Answer {
  const word = line.trim().toLowerCase()
  return /^(?:y|yes)$/.test(word) ? 'y' : /^(?:a|always)$/.test(word) ? 'a' : 'n'
}

/** One line from the terminal; empty at the end of input, at Ctrl-C, or when the run is aborted. */
export function readFromTerminal(prompt: string, signal: AbortSignal): Promise<string> {
  return readLine(prompt, process.stderr, signal)
}

/** A line that is not shown while it is typed. */
export async function readSecret(prompt: string, signal: AbortSignal): Promise<string> {
  process.stderr.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await readLine('', silent, signal)
  } finally {
    process.stderr.write('\n')
  }
}

function readLine(prompt: string, output: NodeJS.WritableStream, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const close = () => reader.close()
  signal.addEventListener('abort', close, { once: true })
  // A terminal in raw mode sends no signal, so the key is turned into one.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  reader.on('close', () => {
    signal.removeEventListener('abort', close)
    resolve('')
  })
  if (signal.aborted) close()
  else {
    reader.question(prompt, (line) => {
      resolve(line)
      close()
    })
  }
  return promise
}
