/** What a conversation hands to its next turn, folded from the journals of its runs. */
import type { Event } from '../protocol/event.ts'
import type { Message, Usage } from '../protocol/message.ts'
import { render } from '../protocol/observation.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import { apply, approvalsAfter, begin } from './fold.ts'

export interface SessionState {
  history: Message[]
  /** Where the results among them came from. */
  origins: Origin[]
  approvals: string[]
  spent: Usage
  turns: number
}

/** `beforeRun` leaves out that run and all after it: what it began with. */
export function foldSession(events: readonly Event[], beforeRun?: string): SessionState {
  const session: SessionState = {
    history: [],
    origins: [],
    approvals: [],
    spent: { inputTokens: 0, outputTokens: 0 },
    turns: 0,
  }
  let run: RunState | undefined
  for (const event of events) {
    if (event.runId === beforeRun) break
    if (event.scoutId !== null || (event.mode !== 'chat' && event.mode !== 'routine')) continue
    if (event.type === 'run.started') run = begin(event, session)
    else if (run !== undefined && event.runId === run.runId) apply(run, event)
    else if (event.type === 'confirm.answered') session.approvals = approvalsAfter(session.approvals, event.data)
    if (event.type === 'turn.committed' && run !== undefined) {
      close(session, run, event.data.reply)
      run = undefined
    }
  }
  if (run !== undefined) close(session, run, '')
  return session
}

function close(session: SessionState, run: RunState, reply: string): void {
  const messages = [...run.messages]
  // A call cut off by a crash or a stop still needs its result: providers refuse an orphan.
  for (const call of run.pending) {
    const content = render({
      outcome: 'error',
      code: 'INTERRUPTED',
      text: 'the run ended before this call',
      elapsedMs: 0,
    })
    messages.push({ role: 'tool', callId: call.id, tool: call.tool, content })
  }
  const last = messages.at(-1)
  if (reply !== '' && !(last?.role === 'assistant' && last.content === reply)) {
    messages.push({ role: 'assistant', content: reply })
  }
  session.history = messages
  session.origins = run.origins
  session.approvals = run.approvals
  session.turns++
  session.spent = {
    inputTokens: session.spent.inputTokens + run.usage.inputTokens,
    outputTokens: session.spent.outputTokens + run.usage.outputTokens,
  }
}
