/** Shows a turn in a chat: the text as it arrives, one line per call, then the notices. */
import { styleText } from 'node:util'
import type { RunResult } from '../../assembly/turns.ts'
import { messages } from '../../i18n/locale.ts'
import type { Event } from '../../protocol/event.ts'
import type { DenialReason } from '../../protocol/verdict.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { scoutBoard } from '../scout-lines.ts'
import { cliTexts } from '../texts.ts'
import { nameOf, noticesOf, show, showRefusal, type Viewer } from '../watch.ts'

export interface TurnViewer extends Viewer {
  /** Without a progress line, running calls get a permanent line. */
  still: boolean
  /** Aborted to stop the turn. */
  signal: AbortSignal
  /** What the chat has said and does not repeat. */
  said: Set<string>
}

export async function showTurn(events: AsyncGenerator<Event, RunResult>, viewer: TurnViewer): Promise<number> {
  const { io, progress, signal } = viewer
  const text = liveText(io)
  const printLine = (line: string) => {
    progress.clear()
    text.endLine()
    io.stderr(`${line}\n`)
  }
  const beside: Viewer = {
    ...viewer,
    io: { ...io, stderr: (line) => printLine(line.trimEnd()) },
    progress: {
      show(what) {
        text.endLine()
        progress.show(what)
      },
      showLines(lines) {
        text.endLine()
        progress.showLines(lines)
      },
      clear: progress.clear,
    },
  }
  const texts = cliTexts(io.lang).chat
  const printStopping = () => printLine(dim(texts.stopping))
  signal.addEventListener('abort', printStopping, { once: true })
  const refusals = new Set<DenialReason>()
  const calls = new Map<string, string>()
  const scouts = scoutBoard(beside)
  try {
    for (;;) {
      const next = await events.next()
      if (next.done) {
        progress.clear()
        showEnd(next.value, text, viewer)
        return exitCode(next.value.stopReason, refusals)
      }
      const event = next.value
      if (event.scoutId !== null) {
        scouts.see(event)
        showRefusal(event, { io: beside.io, calls })
        continue
      }
      switch (event.type) {
        case 'model.requested':
          if (event.data.attempt === 1) text.begin()
          break
        case 'model.delta':
          progress.clear()
          if (event.data.restart === true) {
            printLine(dim(texts.restart))
            text.begin()
          } else text.add(event.data.text)
          break
        case 'confirm.asked':
          text.endLine()
          break
        case 'confirm.answered':
          if (event.data.answer === 'a') printLine(dim(messages(io.lang).confirm.remembered({ keys: event.data.keys })))
          break
        case 'tool.call':
          if (viewer.still && event.data.allowed) printLine(`- ${nameOf(event)}`)
          break
        case 'tool.result':
          if (event.data.denial !== undefined) refusals.add(event.data.denial.reason)
          break
        default:
      }
      show(event, { ...beside, calls })
    }
  } finally {
    signal.removeEventListener('abort', printStopping)
    progress.clear()
    text.endLine()
  }
}

function showEnd(result: RunResult, text: LiveText, { io, said }: TurnViewer): void {
  const { reply } = result
  text.endLine()
  if (text.written().trim() !== reply.trim()) io.stdout(`${visible(reply).trimEnd()}\n`)
  const footer = messages(io.lang).notice.rulesFooter
  for (const notice of noticesOf(result, io.lang)) {
    if (notice === footer && said.has(notice)) continue
    said.add(notice)
    io.stderr(`${dim(oneLine(notice))}\n`)
  }
}

interface LiveText {
  begin(): void
  add(delta: string): void
  /** The next output starts on a new line. */
  endLine(): void
  written(): string
}

/** Append-only, so that the terminal can wrap it again after a resize. */
function liveText(io: Io): LiveText {
  let written = ''
  let held = ''
  let atStart = true
  const write = (text: string) => {
    if (text === '') return
    io.stdout(text)
    atStart = text.endsWith('\n')
  }
  return {
    begin() {
      written = ''
      held = ''
    },
    add(delta) {
      written += delta
      const text = held + delta
      // Half of a CRLF or of a surrogate pair waits for its other half.
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? ''
      write(visible(text.slice(0, text.length - held.length)))
    },
    endLine() {
      if (!atStart) write('\n')
    },
    written: () => written,
  }
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stderr })
}
