/** What a turn inherits from its session, folded from the journals of its runs. */
import { type Lang, messages } from '../i18n/locale.ts'
import type { EarlierTurns, Event } from '../protocol/event.ts'
import type { Message, Told, Usage } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { Mode } from '../protocol/profile.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import { isApology } from '../protocol/stop.ts'
import { apply, begin } from './fold.ts'
import { approvalsAfter, rulesAfter } from './fold-answers.ts'
import { isWeakTurn } from './weak-turn.ts'

export interface SessionState {
  history: Message[]
  /** Origins of the tool results in the messages. */
  origins: Origin[]
  /** Memories in earlier prompts. */
  recalled: Told[]
  approvals: string[]
  /** A turn could not be recorded for undo, and said so. */
  unrecorded?: true
  /** Rules remembered for the session. */
  rules: LayeredRule[]
  spent: Usage
  turns: number
  /** Intent and end of the last turn. */
  last?: EarlierTurns['last']
  /** Tokens used by its scouts, and the last turn, counted from 1, that started any. */
  scouts: { tokens: number; lastTurn?: number }
  /** Consecutive weak turns, and whether scouts were recommended because of them. */
  weak: { turns: number; rescued: boolean }
}

/** Modes whose runs are turns of a conversation. */
const CONVERSING: readonly Mode[] = ['chat', 'routine', 'guard']

/** `beforeRun` leaves out that run and all later ones. */
export function foldSession(events: readonly Event[], beforeRun?: string): SessionState {
  const session: SessionState = {
    history: [],
    origins: [],
    recalled: [],
    approvals: [],
    rules: [],
    spent: { inputTokens: 0, outputTokens: 0 },
    turns: 0,
    scouts: { tokens: 0 },
    weak: { turns: 0, rescued: false },
  }
  let run: RunState | undefined
  let toolFailed = false
  let lang: Lang = 'en'
  for (const event of events) {
    if (event.runId === beforeRun) break
    if (event.scoutId !== null) applyScout(session, event)
    if (event.scoutId !== null || !CONVERSING.includes(event.mode)) continue
    if (event.type === 'turn.started') toolFailed = false
    else if (event.type === 'tool.result') toolFailed = hasFailed(event.data.observation)
    if (event.type === 'run.started') {
      run = begin(event, session)
      lang = event.data.lang
    } else if (run !== undefined && event.runId === run.runId) apply(run, event)
    else if (event.type === 'confirm.answered') {
      session.approvals = approvalsAfter(session.approvals, event.data)
      session.rules = rulesAfter(session.rules, event.data)
    }
    if (event.type === 'workspace.restored' && run === undefined) addUndo(session, event.data.restored.length, lang)
    if (event.type === 'workspace.unrecorded') session.unrecorded = true
    if (event.type === 'scout.policy' && event.data.reason === RESCUE) session.weak.rescued = true
    if (event.type === 'turn.committed' && run !== undefined) {
      if (isWeakTurn({ ...event.data, toolFailed })) session.weak.turns++
      else session.weak = { turns: 0, rescued: false }
      // Read as the model's own words, an apology would be repeated.
      close(session, run, isApology(event.data.stopReason) ? '' : event.data.reply)
      session.last = { intent: run.taskIntent, stopReason: event.data.stopReason }
      run = undefined
    }
  }
  if (run !== undefined) close(session, run, '')
  return session
}

/** The model would rely on what it wrote. */
function addUndo(session: SessionState, files: number, lang: Lang): void {
  if (files === 0) return
  const content = messages(lang).prompt.undone({ files })
  session.history = [...session.history, { role: 'user', content, by: 'runtime' }]
}

/** The reason of a recommendation after two weak turns; it is given once. */
export const RESCUE = 'weak_turns'

function hasFailed({ outcome, code }: Observation): boolean {
  return (outcome === 'failed' || outcome === 'error') && code !== 'SKIPPED'
}

function applyScout(session: SessionState, event: Event): void {
  // The turn is not committed yet.
  if (event.type === 'SCOUT_TRIGGERED') session.scouts.lastTurn = session.turns + 1
  if (event.type !== 'run.stopped') return
  const { inputTokens, outputTokens } = event.data.usage
  session.scouts.tokens += inputTokens + outputTokens
}

function close(session: SessionState, run: RunState, reply: string): void {
  const messages = [...run.messages]
  // A call without a result gets one: providers reject an orphaned call.
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
  session.recalled = run.recalled
  session.approvals = run.approvals
  session.rules = run.rules ?? []
  session.turns++
  session.spent = {
    inputTokens: session.spent.inputTokens + run.usage.inputTokens,
    outputTokens: session.spent.outputTokens + run.usage.outputTokens,
  }
}
