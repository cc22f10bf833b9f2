/** The chat loop: reads a message, runs its command or sends it to the agent, and shows the result. */
import { styleText } from 'node:util'
import type { RunResult } from '../../assembly/turns.ts'
import { errorText } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { questionOf } from '../../journal/questions.ts'
import type { Event } from '../../protocol/event.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import type { CliTexts } from '../texts-en.ts'
import { fit } from '../visible.ts'
import { type ChatDeps, LEAVE } from './chat-deps.ts'
import type { Input } from './input.ts'
import { isSlash, runSlash } from './slash.ts'

const PROMPT = '> '
const MORE = '| '
const TASK_WIDTH = 60

export interface Talk {
  deps: ChatDeps
  input: Input
  texts: CliTexts['chat']
  /** A terminal on both sides: errors are shown instead of ending the chat. */
  person: boolean
  unfold(line: string): string
  /** Adds the message to the history of the arrow keys. */
  remember(message: string): void
  show(events: AsyncGenerator<Event, RunResult>, signal: AbortSignal): Promise<number>
  /** Called when Ctrl-C is pressed again before the turn has stopped. */
  quitNow(): void
}

/** The exit code: 0 at a terminal, otherwise that of the first failed turn. */
export async function converse(talk: Talk): Promise<number> {
  const { deps, person } = talk
  let code = 0
  if (person) await answerOpenQuestions(talk)
  for (;;) {
    const message = await readMessage(talk)
    if (message === undefined) return person ? 0 : code
    if (message.trim() === '') continue
    talk.remember(message)
    try {
      if (isSlash(message)) {
        if ((await runSlash(message, deps)) === LEAVE) return person ? 0 : code
      } else {
        const attachments = deps.attachments.splice(0)
        const end = await takeTurn(talk, (own) =>
          deps.agent.stream(message.trim(), attachments.length === 0 ? own : { ...own, attachments }),
        )
        code ||= end
      }
    } catch (error) {
      if (!person) throw error
      showFailure(error, { io: deps.io, isTurn: !isSlash(message) })
    }
    if (person) deps.io.stderr('\n')
  }
}

function showFailure(error: unknown, { io, isTurn }: { io: Io; isTurn: boolean }): void {
  const { message, hint } = errorText(error, io.lang)
  io.stderr(`${isTurn ? cliTexts(io.lang).chat.failed({ message }) : message}\n`)
  if (hint !== undefined) io.stderr(`${messages(io.lang).cli.hint({ text: hint })}\n`)
}

/** One line, or several joined by trailing backslashes. Undefined at the end of input. */
async function readMessage({ input, unfold, texts, deps }: Talk): Promise<string | undefined> {
  let lines: string[] = []
  let warned = false
  for (;;) {
    const read = await input.readLine(bold(lines.length === 0 ? PROMPT : MORE))
    if (read.kind === 'end') return lines.length === 0 ? undefined : lines.join('\n')
    if (read.kind === 'interrupt') {
      if (warned && read.empty) return undefined
      warned = read.empty && lines.length === 0
      lines = []
      if (warned) deps.io.stderr(`${texts.again}\n`)
      continue
    }
    const isContinued = (/\\*$/.exec(read.text)?.[0].length ?? 0) % 2 === 1
    lines.push(unfold(isContinued ? read.text.slice(0, -1) : read.text))
    if (!isContinued) return lines.join('\n')
  }
}

/** Before the first message, or the model would take it for the answer to a question left open by a crash. */
async function answerOpenQuestions(talk: Talk): Promise<void> {
  const { deps, texts } = talk
  const { agent, sessionId, io } = deps
  if (sessionId === undefined) return
  for (const { runId, parentRunId } of await agent.store.listRuns({ sessionId, open: true })) {
    if (parentRunId !== undefined || (await questionOf(agent.store, runId)) === undefined) continue
    const [started] = await agent.store.readOf([runId], ['run.started'])
    const task = started?.type === 'run.started' ? started.data.task : ''
    io.stderr(`${texts.questionOpen({ task: fit(oneLine(task), TASK_WIDTH) })}\n`)
    try {
      await takeTurn(talk, ({ signal }) => agent.resume(runId, { signal }))
    } catch (error) {
      showFailure(error, { io, isTurn: true })
    }
    io.stderr('\n')
  }
}

type Begin = (own: { signal: AbortSignal; sessionId?: string }) => AsyncGenerator<Event, RunResult>

async function takeTurn({ deps, input, show, quitNow }: Talk, begin: Begin): Promise<number> {
  const { sessionId } = deps
  const controller = new AbortController()
  const { signal } = controller
  input.setBusy(() => {
    if (signal.aborted) quitNow()
    else controller.abort()
  })
  const events = begin(sessionId === undefined ? { signal } : { signal, sessionId })
  try {
    return await show(withSession(events, deps), signal)
  } finally {
    input.setBusy(undefined)
  }
}

/** Remembers the session from the first event, however the turn ends. */
async function* withSession(
  events: AsyncGenerator<Event, RunResult>,
  deps: ChatDeps,
): AsyncGenerator<Event, RunResult> {
  for (;;) {
    const next = await events.next()
    if (next.done) return next.value
    deps.sessionId = next.value.sessionId
    yield next.value
  }
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stderr })
}
