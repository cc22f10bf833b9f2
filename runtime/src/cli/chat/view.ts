/** A turn as it is seen in a conversation: the text as it arrives, a line for every call, then what else is to say. */
import { styleText } from 'node:util'
import type { RunResult } from '../../assembly/agent.ts'
import { messages } from '../../i18n/locale.ts'
import type { Event } from '../../protocol/event.ts'
import type { DenialReason } from '../../protocol/verdict.ts'
import { oneLine, visible } from '../../protocol/visible-text.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { scoutBoard } from '../scout-lines.ts'
import { cliTexts } from '../texts.ts'
import { nameOf, show, showRefusal, type Viewer } from '../watch.ts'

export interface TurnViewer extends Viewer {
  /** Without a line that moves, what is under way is said in one that stays. */
  still: boolean
  /** Aborted when somebody asks the turn to stop. */
  signal: AbortSignal
}

export async function showTurn(events: AsyncGenerator<Event, RunResult>, viewer: TurnViewer): Promise<number> {
  const { io, progress, signal } = viewer
  const text = liveText(io)
  const say = (line: string) => {
    progress.clear()
    text.endLine()
    io.stderr(`${line}\n`)
  }
  const beside: Viewer = {
    ...viewer,
    io: { ...io, stderr: (line) => say(line.trimEnd()) },
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
  const sayStopping = () => say(dim(texts.stopping))
  signal.addEventListener('abort', sayStopping, { once: true })
  const refusals = new Set<DenialReason>()
  const calls = new Map<string, string>()
  const scouts = scoutBoard(beside)
  try {
    for (;;) {
      const next = await events.next()
      if (next.done) {
        progress.clear()
        showEnd(next.value, text, io)
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
            say(dim(texts.restart))
            text.begin()
          } else text.add(event.data.text)
          break
        case 'confirm.asked':
          text.endLine()
          break
        case 'confirm.answered':
          if (event.data.answer === 'a') say(dim(messages(io.lang).confirm.remembered({ keys: event.data.keys })))
          break
        case 'tool.call':
          if (viewer.still && event.data.allowed) say(`- ${nameOf(event)}`)
          break
        case 'tool.result':
          if (event.data.denial !== undefined) refusals.add(event.data.denial.reason)
          break
        default:
      }
      show(event, { ...beside, calls })
    }
  } finally {
    signal.removeEventListener('abort', sayStopping)
    progress.clear()
    text.endLine()
  }
}

function showEnd({ reply, notices }: RunResult, text: LiveText, io: Io): void {
  text.endLine()
  if (text.said().trim() !== reply.trim()) io.stdout(`${visible(reply).trimEnd()}\n`)
  for (const notice of notices) io.stderr(`${dim(oneLine(notice))}\n`)
}

interface LiveText {
  begin(): void
  add(delta: string): void
  /** Whatever comes next begins a line of its own. */
  endLine(): void
  said(): string
}

/** Only ever appended to: the terminal wraps it, and may wrap it anew, as it pleases. */
function liveText(io: Io): LiveText {
  let said = ''
  let held = ''
  let atStart = true
  const write = (text: string) => {
    if (text === '') return
    io.stdout(text)
    atStart = text.endsWith('\n')
  }
  return {
    begin() {
      said = ''
      held = ''
    },
    add(delta) {
      said += delta
      const text = held + delta
      // Half of a line end, or of a character beyond the first plane, waits for its other half.
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? ''
      write(visible(text.slice(0, text.length - held.length)))
    },
    endLine() {
      if (!atStart) write('\n')
    },
    said: () => said,
  }
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stderr })
}
