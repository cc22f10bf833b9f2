/** Answers approval questions: at the terminal, or with `--yes`. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import type { Confirm, DenialText, WithheldText } from '../agent/context.ts'
import { present } from '../base/present.ts'
import { approvalWords } from '../i18n/approval-words.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import { offerWords } from '../i18n/offer-words.ts'
import { reviewWords } from '../i18n/review-words.ts'
import { editableOf } from '../protocol/editable.ts'
import { foldBlanks, hostOf, previewParts } from '../protocol/preview.ts'
import type { Answer, Question } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import { chooseRule, editCall, type Prompter, reasonIn } from './answer.ts'
import { answerForm } from './elicit.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { questionTexts } from './question-texts.ts'
import { cliTexts } from './texts.ts'
import { fit } from './visible.ts'

const PREVIEW_LINES = 200
const OFFER_WIDTH = 60
const ANSWER_WIDTH = 40

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
    const desk = { io, prompter, signal }
    let isWhole = shownParts(question).middle.length === 0
    const { choices, choicesOnce } = messages(io.lang).confirm
    for (;;) {
      const line = await prompter.read(`${question.keys.length > 0 ? choices : choicesOnce} `, signal)
      const choice = choiceOf(line, question)
      if (choice === undefined) {
        io.stderr(`  ${questionTexts(io.lang).unknownAnswer({ answer: fit(oneLine(line.trim()), ANSWER_WIDTH) })}\n`)
        continue
      }
      if (choice === 'n') return { answer: 'n', by: 'user', ...present({ reason: reasonIn(line) }) }
      // An approval only counts for text that was on the screen.
      if (!isWhole && choice !== 'e') {
        const { middle } = shownParts(question)
        io.stderr(`${[...middle.map(quoted), `  ${cliTexts(io.lang).watch.restShown}`].join('\n')}\n`)
        isWhole = true
        continue
      }
      if (choice === 'y' || choice === 'a') return choice
      const extra = choice === 'r' ? await chooseRule(question, desk) : await editCall(question, desk)
      if (extra !== undefined) return { answer: 'y', by: 'user', ...extra }
      if (signal.aborted) return 'n'
    }
  }
  confirm.release = async (withheld, signal) => {
    prompter.before()
    io.stderr(`\n${describeWithheld(withheld, io.lang)}`)
    return /^\s*y(?:es)?\s*$/i.test(await prompter.read(`${cliTexts(io.lang).watch.release.ask} `, signal))
  }
  confirm.elicit = (form, signal) => answerForm(form, { io, prompter, signal })
  return confirm
}

function shownParts({ preview }: Question) {
  return previewParts(visible(foldBlanks(preview)), PREVIEW_LINES)
}

function quoted(line: string): string {
  return `  │ ${line}`
}

/** `--yes` does not cover High risk or targets named only by untrusted content. */
function automaticAnswer({ risk, reasons }: Question, io: Io): { answer: Answer; refusal?: DenialText } {
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
  const more = questionTexts(lang)
  const [narrowest] = question.offers ?? []
  const offer = narrowest && fit(oneLine(offerWords(narrowest, lang)), OFFER_WIDTH)
  return [
    styleText(['bold', 'yellow'], `? ${confirm.ask({ tool: oneLine(tool), risk })}`, { stream: process.stderr }),
    ...(question.edited === true ? [`  ${more.edited}`] : []),
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
    ...(question.review === undefined ? [] : [`  ${reviewWords(question.review, lang)}`]),
    `  ${keys.length > 0 ? confirm.help : confirm.once}`,
    ...(keys.length > 0 ? [`  ${confirm.covers({ keys: keys.map((key) => approvalWords(oneLine(key), lang)) })}`] : []),
    `  ${more.more({ offer, edit: editableOf(question) !== undefined })}`,
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

/** Undefined for anything that was not offered: it is asked again. Enter alone, and the end of input, are a no. */
function choiceOf(line: string, question: Question): Answer | 'r' | 'e' | undefined {
  const word = line.trim().toLowerCase()
  if (/^(?:y|yes)$/.test(word)) return 'y'
  if (/^(?:a|always)$/.test(word) && question.keys.length > 0) return 'a'
  if (/^(?:r|remember)$/.test(word) && question.offers !== undefined) return 'r'
  if (/^(?:e|edit)$/.test(word) && editableOf(question) !== undefined) return 'e'
  return /^(?:no?)?$/.test(word) || reasonIn(line) !== undefined ? 'n' : undefined
}

/** One line from the terminal; empty at the end of input, at Ctrl-C, or when the run is aborted. */
export async function readFromTerminal(prompt: string, signal: AbortSignal, prefill = ''): Promise<string> {
  return (await readLine(prompt, { output: process.stderr, signal, prefill })) ?? ''
}

/** One line from the terminal; undefined when there is none, so that a question asked again comes to an end. */
export function readTyped(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  return readLine(prompt, { output: process.stderr, signal, prefill: '' })
}

/** Like `readTyped`, not shown while it is typed. */
export async function readSecret(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  process.stderr.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await readLine('', { output: silent, signal, prefill: '' })
  } finally {
    process.stderr.write('\n')
  }
}

interface LineInput {
  output: NodeJS.WritableStream
  signal: AbortSignal
  prefill: string
}

function readLine(prompt: string, { output, signal, prefill }: LineInput): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const close = () => reader.close()
  signal.addEventListener('abort', close, { once: true })
  // A terminal in raw mode sends no signal, so the key is turned into one.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  reader.on('close', () => {
    signal.removeEventListener('abort', close)
    resolve(undefined)
  })
  if (signal.aborted) close()
  else {
    reader.question(prompt, (line) => {
      resolve(line)
      close()
    })
    if (prefill !== '') reader.write(prefill)
  }
  return promise
}
