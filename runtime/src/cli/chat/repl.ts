/** The conversation: read a message, obey it or hand it to the agent, show what comes of it, until there is no more. */
import { styleText } from 'node:util'
import type { RunResult } from '../../assembly/agent.ts'
import { messageOf } from '../../base/errors.ts'
import { questionOf } from '../../journal/questions.ts'
import type { Event } from '../../protocol/event.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { CliTexts } from '../texts-en.ts'
import { fit } from '../visible.ts'
import { type Desk, LEAVE } from './desk.ts'
import type { Input } from './input.ts'
import { isSlash, obeySlash } from './slash.ts'

const PROMPT = '> '
const MORE = '| '
const TASK_WIDTH = 60

export interface Talk {
  desk: Desk
  input: Input
  texts: CliTexts['chat']
  /** True: somebody sits there, and mistakes are theirs to see and mend. */
  person: boolean
  unfold(line: string): string
  /** Called with every message, as it is kept for the arrow keys. */
  keep(message: string): void
  show(events: AsyncGenerator<Event, RunResult>, signal: AbortSignal): Promise<number>
  /** Called when somebody will not wait for a turn to stop. */
  leaveAtOnce(): void
}

/** Answers with the exit code: for a program, that of the first turn that did not end well. */
export async function converse(talk: Talk): Promise<number> {
  const { desk, person, texts } = talk
  let code = 0
  if (person) await answerFirst(talk)
  for (;;) {
    const message = await readMessage(talk)
    if (message === undefined) return person ? 0 : code
    if (message.trim() === '') continue
    talk.keep(message)
    try {
      if (isSlash(message)) {
        if ((await obeySlash(message, desk)) === LEAVE) return person ? 0 : code
      } else {
        const end = await takeTurn(talk, (own) => desk.agent.stream(message.trim(), own))
        code ||= end
      }
    } catch (error) {
      if (!person) throw error
      desk.io.stderr(`${texts.failed({ message: messageOf(error) })}\n`)
    }
    if (person) desk.io.stderr('\n')
  }
}

/** One line, or several joined by a backslash at their ends. Undefined: there will be no more. */
async function readMessage({ input, unfold, texts, desk }: Talk): Promise<string | undefined> {
  let lines: string[] = []
  let warned = false
  for (;;) {
    const read = await input.readLine(bold(lines.length === 0 ? PROMPT : MORE))
    if (read.kind === 'end') return lines.length === 0 ? undefined : lines.join('\n')
    if (read.kind === 'interrupt') {
      if (warned && read.empty) return undefined
      warned = read.empty && lines.length === 0
      lines = []
      if (warned) desk.io.stderr(`${texts.again}\n`)
      continue
    }
    const goesOn = (/\\*$/.exec(read.text)?.[0].length ?? 0) % 2 === 1
    lines.push(unfold(goesOn ? read.text.slice(0, -1) : read.text))
    if (!goesOn) return lines.join('\n')
  }
}

/** The model would take a message sent past a question that a crash left open for the answer to it. */
async function answerFirst(talk: Talk): Promise<void> {
  const { desk, texts } = talk
  const { agent, sessionId, io } = desk
  if (sessionId === undefined) return
  for (const { runId, parentRunId } of await agent.store.listRuns({ sessionId, open: true })) {
    if (parentRunId !== undefined || (await questionOf(agent.store, runId)) === undefined) continue
    const [started] = await agent.store.readOf([runId], ['run.started'])
    const task = started?.type === 'run.started' ? started.data.task : ''
    io.stderr(`${texts.questionOpen({ task: fit(oneLine(task), TASK_WIDTH) })}\n`)
    try {
      await takeTurn(talk, ({ signal }) => agent.resume(runId, { signal }))
    } catch (error) {
      io.stderr(`${texts.failed({ message: messageOf(error) })}\n`)
    }
    io.stderr('\n')
  }
}

type Begin = (own: { signal: AbortSignal; sessionId?: string }) => AsyncGenerator<Event, RunResult>

async function takeTurn({ desk, input, show, leaveAtOnce }: Talk, begin: Begin): Promise<number> {
  const { sessionId } = desk
  const controller = new AbortController()
  const { signal } = controller
  input.setBusy(() => {
    if (signal.aborted) leaveAtOnce()
    else controller.abort()
  })
  const events = begin(sessionId === undefined ? { signal } : { signal, sessionId })
  try {
    return await show(noted(events, desk), signal)
  } finally {
    input.setBusy(undefined)
  }
}

/** The conversation is known by its session as soon as there is one, however the turn ends. */
async function* noted(events: AsyncGenerator<Event, RunResult>, desk: Desk): AsyncGenerator<Event, RunResult> {
  for (;;) {
    const next = await events.next()
    if (next.done) return next.value
    desk.sessionId = next.value.sessionId
    yield next.value
  }
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stderr })
}
