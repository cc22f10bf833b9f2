/** Who answers when the gate asks: the person at the terminal, `--yes`, or nobody. */
import { createInterface } from 'node:readline'
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

export interface Asking {
  /** Makes room on the screen. */
  before(): void
  /** The line that was typed; empty when none was. */
  read(prompt: string, signal: AbortSignal): Promise<string>
}

/** Undefined: there is nobody to ask, and the gate refuses by itself. */
export function answering({ switches }: Given, io: Io, asking: Asking): Confirm | undefined {
  if (switches.has('yes')) {
    return async (question) => {
      asking.before()
      return { ...standingYes(question, io), by: '--yes' }
    }
  }
  const nobody = switches.has('no-input') || process.stdin.isTTY !== true || process.stderr.isTTY !== true
  if (nobody) return undefined
  const confirm: Confirm = async (question, signal) => {
    asking.before()
    io.stderr(`\n${describe(question, io.lang)}`)
    const { choices, choicesOnce } = messages(io.lang).confirm
    const canStand = question.keys.length > 0
    const ask = async () => answerOf(await asking.read(`${canStand ? choices : choicesOnce} `, signal))
    let answer = await ask()
    const { middle } = shownParts(question)
    // A yes counts only for what was on the screen.
    if (answer !== 'n' && middle.length > 0) {
      io.stderr(`${[...middle.map(quoted), `  ${cliTexts(io.lang).watch.restShown}`].join('\n')}\n`)
      answer = await ask()
    }
    // What was not offered is not taken for a yes.
    return answer === 'a' && !canStand ? 'n' : answer
  }
  confirm.release = async (withheld, signal) => {
    asking.before()
    io.stderr(`\n${describeWithheld(withheld, io.lang)}`)
    return answerOf(await asking.read(`${cliTexts(io.lang).watch.release.ask} `, signal)) === 'y'
  }
  return confirm
}

function shownParts({ preview }: Question) {
  return previewParts(visible(foldBlanks(preview)), PREVIEW_LINES)
}

function quoted(line: string): string {
  return `  │ ${line}`
}

/** A yes given beforehand is not given to what could not be foreseen. */
function standingYes({ risk, reasons }: Question, io: Io): { answer: Answer; refusal?: Refusal } {
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
    // All of it: a yes lets the model read what the person has seen.
    ...visible(foldBlanks(text)).split('\n').map(quoted),
    '',
  ].join('\n')
}

/** Anything but a plain yes is a no. */
function answerOf(line: string): Answer {
  const word = line.trim().toLowerCase()
  return /^(?:y|yes)$/.test(word) ? 'y' : /^(?:a|always)$/.test(word) ? 'a' : 'n'
}

/** One line from the terminal; nothing at the end of input, at Ctrl-C, or when the run is called off. */
export function readFromTerminal(prompt: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const close = () => reader.close()
  signal.addEventListener('abort', close, { once: true })
  // A terminal in raw mode sends no signal; the key is passed on as the one it stands for.
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
