/** Shows a run in the terminal: progress, calls and the reply. */
import { styleText } from 'node:util'
import type { RunResult } from '../assembly/turns.ts'
import { isObject } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import { messages } from '../i18n/locale.ts'
import { offerWords } from '../i18n/offer-words.ts'
import { withCode } from '../i18n/result-words.ts'
import { reviewWords } from '../i18n/review-words.ts'
import { whyText } from '../i18n/why.ts'
import { isUnclassified } from '../inspect/classifier.ts'
import { type Event, type EventOf, isEphemeral } from '../protocol/event.ts'
import type { DenialReason } from '../protocol/verdict.ts'
import { oneLine, visible } from '../protocol/visible-text.ts'
import { exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'
import { questionTexts } from './question-texts.ts'
import { scoutBoard } from './scout-lines.ts'
import { cliTexts } from './texts.ts'
import { fit } from './visible.ts'

const SUMMARY_WIDTH = 60
/** The arguments that identify a call best, most telling first. */
const SUMMARY_KEYS = [
  'tasks',
  'path',
  'command',
  'url',
  'pattern',
  'query',
  'expression',
  'name',
  'id',
  'content',
  'args',
]

export interface Viewer {
  io: Io
  json: boolean
  /** The answer must match a schema: nothing else goes to standard output. */
  onlyOutput?: boolean
  progress: Progress
}

/** Shows every event, then the result; returns the exit code. */
export async function watch(events: AsyncGenerator<Event, RunResult>, viewer: Viewer): Promise<number> {
  const { io, json, progress } = viewer
  const refusals = new Set<DenialReason>()
  const calls = new Map<string, string>()
  const scouts = scoutBoard(viewer)
  const live = liveText(viewer)
  try {
    for (;;) {
      const next = await events.next()
      if (next.done) {
        progress.clear()
        if (json) io.stdout(`${JSON.stringify({ type: 'result', ...next.value })}\n`)
        else showResult(next.value, viewer, live.end())
        return exitCode(next.value.stopReason, refusals)
      }
      const event = next.value
      const main = event.scoutId === null
      if (main && event.type === 'tool.result' && event.data.denial !== undefined) {
        refusals.add(event.data.denial.reason)
      }
      if (json) {
        if (!isEphemeral(event.type)) io.stdout(`${JSON.stringify(event)}\n`)
        showRefusal(event, { io, calls })
      } else if (main) {
        live.see(event)
        show(event, { ...viewer, calls })
      } else {
        scouts.see(event)
        showRefusal(event, { io, calls })
      }
    }
  } finally {
    progress.clear()
  }
}

/** Denied calls are shown even when other calls are not. */
export function showRefusal(event: Event, { io, calls }: { io: Io; calls: Map<string, string> }): void {
  if (event.type === 'tool.call') calls.set(event.data.callId, nameOf(event))
  // Of a child run: those of a turn are among its notices.
  if (event.type === 'budget.warned' && event.mode !== 'chat') io.stderr(`WARN ${oneLine(event.data.text)}\n`)
  if (event.type !== 'tool.result' || event.data.denial === undefined) return
  io.stderr(`${resultLine(event, { io, name: calls.get(event.data.callId) ?? event.data.tool })}\n`)
}

export function show(event: Event, { io, progress, calls }: Viewer & { calls: Map<string, string> }): void {
  const texts = cliTexts(io.lang).watch
  switch (event.type) {
    case 'model.requested':
      progress.show(texts.asking({ model: event.data.model }))
      return
    case 'model.failed': {
      const { message, why = message, retryInMs } = event.data
      // An immediate retry needs no message.
      if (retryInMs === undefined || retryInMs === 0) return
      progress.clear()
      const s = Math.ceil(retryInMs / 1000)
      io.stderr(`${texts.retry({ message: oneLine(whyText(why, io.lang)), s })}\n`)
      return
    }
    case 'tool.call': {
      const name = nameOf(event)
      calls.set(event.data.callId, name)
      progress.show(name)
      return
    }
    case 'injection.flagged': {
      progress.clear()
      const { tool, verdict, findings } = event.data
      const rules = [...new Set(findings.map(({ rule }) => rule))].join(', ')
      const words = isUnclassified(event.data) ? texts.uninspected : texts.flagged
      io.stderr(`${verdict === 'Warn' ? 'INFO' : 'WARN'} ${words[verdict]({ tool: oneLine(tool), rules })}\n`)
      return
    }
    case 'context.limited':
      progress.clear()
      io.stderr(`INFO ${texts.context.limited(event.data)}\n`)
      return
    case 'context.summarised':
      progress.clear()
      io.stderr(`INFO ${event.data.text === '' ? texts.context.leftOut : texts.context.summarised}\n`)
      return
    case 'injection.released':
      progress.clear()
      io.stderr(`WARN ${texts.release.done({ tool: oneLine(event.data.tool) })}\n`)
      return
    case 'call.reviewed':
      // Otherwise the question says it.
      if (event.data.decision !== 'allow') return
      progress.clear()
      io.stderr(`${styleText('dim', reviewWords(event.data, io.lang), { stream: process.stderr })}\n`)
      return
    case 'confirm.answered':
      for (const line of rememberedLines(event, io)) io.stderr(`${line}\n`)
      return
    case 'confirm.edited':
      io.stderr(`${questionTexts(io.lang).changed({ tool: oneLine(event.data.tool) })}\n`)
      return
    case 'tool.result':
      progress.clear()
      io.stderr(`${resultLine(event, { io, name: calls.get(event.data.callId) ?? event.data.tool })}\n`)
      return
    default:
  }
}

function rememberedLines({ data: { remembered } }: EventOf<'confirm.answered'>, io: Io): string[] {
  if (remembered === undefined) return []
  const texts = questionTexts(io.lang)
  const { scope, failed } = remembered
  if (failed !== undefined) return [`WARN ${texts.notStored({ why: oneLine(failed) })}`]
  return [
    styleText('dim', texts.remembered[scope]({ rule: oneLine(offerWords(remembered, io.lang)) }), {
      stream: process.stderr,
    }),
  ]
}

function resultLine({ data }: EventOf<'tool.result'>, { io, name }: { io: Io; name: string }): string {
  const texts = cliTexts(io.lang).watch
  const { outcome, text, code, hint, elapsedMs } = data.observation
  const stream = { stream: process.stderr }
  const took = styleText('dim', texts.ms({ ms: elapsedMs }), stream)
  if (outcome === 'ok') return `${styleText('green', '✓', stream)} ${name} ${took}`
  if (code === 'SKIPPED') return `${styleText('dim', '-', stream)} ${name} ${texts.skipped}`
  const why = withCode(fit(oneLine(text), 200), code, io.lang)
  if (code === 'RUN_OVER')
    return `${styleText('dim', '-', stream)} ${name} ${texts.notRun({ why: fit(oneLine(text), 200) })}`
  const cross = styleText('red', '✗', stream)
  const advice = hint === undefined ? '' : `\n  ${messages(io.lang).cli.hint({ text: oneLine(hint) })}`
  return outcome === 'denied'
    ? `${cross} ${name} ${texts.denied({ why })}${advice}`
    : `${cross} ${name} ${took} ${texts.failed({ why })}${advice}`
}

export function nameOf({ data }: EventOf<'tool.call'>): string {
  return `${oneLine(data.tool)} ${summaryOf(data.args)}`.trim()
}

/** The argument that identifies a call best. */
export function summaryOf(args: unknown): string {
  if (!isObject(args)) return ''
  const key = SUMMARY_KEYS.find((name) => args[name] !== undefined)
  const value = key === undefined ? args : args[key]
  if (key === undefined && Object.keys(args).length === 0) return ''
  const text = typeof value === 'string' ? value : Array.isArray(value) ? listOf(value) : JSON.stringify(value)
  return fit(oneLine(text), SUMMARY_WIDTH)
}

function listOf(items: readonly unknown[]): string {
  return items.map((item) => (isObject(item) ? String(item.task ?? JSON.stringify(item)) : String(item))).join(' ')
}

/** Streams the answer to a terminal; a file or a pipe gets only the final answer. */
function liveText({ io, json, onlyOutput, progress }: Viewer): { see(event: Event): void; end(): string } {
  let written = ''
  const close = () => {
    if (written !== '' && !written.endsWith('\n')) io.stdout('\n')
    const text = written
    written = ''
    return text
  }
  return {
    see(event) {
      if (json || onlyOutput === true || !io.isTty) return
      if (event.type !== 'model.delta') {
        // Text before a call stays on the screen; the reply follows it.
        if (event.type === 'tool.call' || event.type === 'model.requested') close()
        return
      }
      if (event.data.restart) close()
      if (event.data.text === '') return
      if (written === '') progress.clear()
      written += event.data.text
      io.stdout(visible(event.data.text))
    },
    end: close,
  }
}

/** `shown`: what is already on the screen. */
function showResult(result: RunResult, { io, onlyOutput }: Viewer, shown: string): void {
  const { reply, output } = result
  // Escape sequences in a reply come from a model or a web page; only a file or a pipe gets them unchanged.
  const text = io.isTty ? visible(reply) : reply
  // A program that waits for JSON on standard output must not read a sentence there.
  const print = onlyOutput === true && output === undefined ? io.stderr : io.stdout
  if (shown === '' || shown !== reply) print(text.endsWith('\n') ? text : `${text}\n`)
  for (const notice of noticesOf(result, io.lang))
    io.stderr(`${styleText('dim', oneLine(notice), { stream: process.stderr })}\n`)
}

/** A cancelled run has no answer, so it is not said who gave it. */
export function noticesOf({ notices, stopReason }: RunResult, lang: Lang): readonly string[] {
  const footer = messages(lang).notice.rulesFooter
  return stopReason === 'aborted' ? notices.filter((notice) => notice !== footer) : notices
}
