/** A conversation as a pure fold of its events, so that a reconnect cannot show anything twice. */
import { isScoutEvent, type Lane, lanesAfter } from './lanes.ts'
import type { Event, EventOf, Observation, Question, SessionMessage, TaskIntent, Why } from './wire.ts'

export interface ToolCard {
  callId: string
  tool: string
  args: unknown
  state: 'judged' | 'asked' | 'running' | 'ok' | 'failed' | 'denied'
  /** The first decision of the gate; a resumed run judges the same call again. */
  verdict?: EventOf<'gate.decided'>['data']
  answer?: { answer: 'y' | 'n' | 'a'; by: string }
  review?: EventOf<'call.reviewed'>['data']
  flagged?: EventOf<'injection.flagged'>['data']
  observation?: Observation
  startedAt?: number
}

export type Attached = Pick<NonNullable<SessionMessage['attachments']>[number], 'name' | 'type' | 'sha256'>

export interface Turn {
  turnId: string
  runId: string
  input: string
  /** Files the user gave with the message. */
  attachments: readonly Attached[]
  at: number
  state: 'running' | 'waiting' | 'done'
  cards: ToolCard[]
  lanes: Lane[]
  /** Text the model is writing; it may not become the reply. */
  live: string
  /** The purpose of the current model request. */
  asking?: string
  /** When the model was last asked. */
  askedAt?: number
  /** Why the request is being retried. */
  retry?: Why
  intent?: TaskIntent
  question?: Question
  /** The number of the question's event. */
  asked?: number
  reply?: string
  notices: string[]
  stopReason?: string
}

export interface Chat {
  turns: Turn[]
  approvals: string[]
  /** The last applied event of each run, to skip duplicates. */
  seen: Readonly<Record<string, number>>
}

export type ChatAction =
  | { kind: 'loaded'; messages: SessionMessage[]; approvals: string[] }
  | { kind: 'sent'; text: string; at: number }
  | { kind: 'unsent' }
  /** Several at once: a conversation begins with all its events. */
  | { kind: 'events'; events: readonly Event[] }
  | { kind: 'snapshot'; runId: string; text: string }
  | { kind: 'revoked'; key: string }

export const NO_CHAT: Chat = { turns: [], approvals: [], seen: {} }

/** A sent message that is not in the journal yet. */
const UNBORN = ''

export function chatAfter(chat: Chat, action: ChatAction): Chat {
  switch (action.kind) {
    case 'loaded':
      return { ...chat, approvals: action.approvals, turns: mergedWith(chat.turns, action.messages) }
    case 'sent':
      return {
        ...chat,
        turns: [...chat.turns, newTurn({ turnId: UNBORN, runId: '', input: action.text, at: action.at })],
      }
    case 'unsent':
      return { ...chat, turns: chat.turns.filter((turn) => turn.turnId !== UNBORN) }
    case 'snapshot':
      return withTurn(chat, (turn) => turn.runId === action.runId && turn.state !== 'done', { live: action.text })
    case 'revoked':
      return { ...chat, approvals: chat.approvals.filter((key) => key !== action.key) }
    case 'events':
      return action.events.reduce(afterEvent, chat)
  }
}

function newTurn(about: Pick<Turn, 'turnId' | 'runId' | 'input' | 'at'>): Turn {
  return { ...about, attachments: [], state: 'running', cards: [], lanes: [], live: '', notices: [] }
}

/** Past turns from the server; turns known from events take precedence. */
function mergedWith(turns: readonly Turn[], messages: readonly SessionMessage[]): Turn[] {
  const merged = new Map(turns.map((turn) => [turn.turnId, turn]))
  for (const { role, text, runId, turnId, at, stopReason, notices, attachments = [] } of messages) {
    const turn = merged.get(turnId) ?? { ...newTurn({ turnId, runId, input: '', at }), state: 'done' as const }
    if (role === 'user') merged.set(turnId, { ...turn, input: turn.input || text, attachments })
    else {
      const end = stopReason === undefined ? {} : { stopReason }
      merged.set(turnId, { ...turn, runId, reply: turn.reply ?? text, notices: notices ?? turn.notices, ...end })
    }
  }
  return [...merged.values()].sort((a, b) => a.at - b.at)
}

function withTurn(chat: Chat, which: (turn: Turn) => boolean, change: Partial<Turn>): Chat {
  return { ...chat, turns: chat.turns.map((turn) => (which(turn) ? { ...turn, ...change } : turn)) }
}

function afterEvent(chat: Chat, event: Event): Chat {
  const { runId, seq, type } = event
  if (type !== 'model.delta') {
    if (seq <= (chat.seen[runId] ?? 0)) return chat
    chat = { ...chat, seen: { ...chat.seen, [runId]: seq } }
  }
  if (type === 'turn.started') return startTurn(chat, event)
  const at = chat.turns.findIndex((turn) => turn.turnId === event.turnId)
  const turn = chat.turns[at]
  if (turn === undefined) return chat
  const next = turnAfter(turn, event)
  const approvals = type === 'confirm.answered' ? approvalsAfter(chat.approvals, event) : chat.approvals
  return { ...chat, approvals, turns: chat.turns.with(at, next) }
}

function startTurn(chat: Chat, event: EventOf<'turn.started'>): Chat {
  const { turnId, runId, timestamp, data } = event
  const known = chat.turns.findIndex((turn) => turn.turnId === turnId)
  const unborn = chat.turns.findIndex((turn) => turn.turnId === UNBORN && turn.input === data.input)
  if (known >= 0) return withTurn(chat, (turn) => turn.turnId === turnId, { runId, input: data.input })
  const turn = newTurn({ turnId, runId, input: data.input, at: timestamp })
  return { ...chat, turns: unborn < 0 ? [...chat.turns, turn] : chat.turns.with(unborn, turn) }
}

function approvalsAfter(approvals: string[], { data }: EventOf<'confirm.answered'>): string[] {
  if (data.answer === 'a') return [...new Set([...approvals, ...data.keys])]
  return data.answer === 'n' ? approvals.filter((key) => !data.keys.includes(key)) : approvals
}

function turnAfter(turn: Turn, event: Event): Turn {
  if (event.scoutId !== null || isScoutEvent(event.type)) return { ...turn, lanes: lanesAfter(turn.lanes, event) }
  if (event.runId !== turn.runId && turn.runId !== '') return turn
  switch (event.type) {
    case 'run.started': {
      const attachments = (event.data.given?.attachments ?? []).map(({ file }) => file)
      return { ...without(turn, 'question'), runId: event.runId, state: 'running', attachments }
    }
    case 'run.resumed':
      return { ...without(turn, 'question'), runId: event.runId, state: 'running' }
    case 'intent.detected':
      return { ...turn, intent: event.data.intent }
    case 'model.requested':
      return { ...without(turn, 'retry'), asking: event.data.purpose, askedAt: event.timestamp }
    case 'model.failed':
      return { ...turn, live: '', retry: event.data.why ?? event.data.message }
    case 'model.delta':
      return { ...turn, live: event.data.restart ? '' : turn.live + event.data.text }
    case 'model.replied': {
      const { purpose, reply } = event.data
      // Text of a run in another process arrives only here.
      const live = reply.kind !== 'final' ? '' : purpose === 'main' ? reply.text : turn.live
      return { ...without(without(turn, 'asking'), 'retry'), live }
    }
    case 'run.parked':
      return { ...turn, state: 'waiting' }
    case 'budget.warned':
      return { ...turn, notices: [...turn.notices, event.data.text] }
    case 'turn.committed': {
      const { reply, notices, stopReason } = event.data
      const ended = without(without(turn, 'question'), 'asking')
      return { ...ended, state: 'done', live: '', reply, notices, stopReason }
    }
    case 'run.interrupted':
      // Only this call was interrupted; the run continues and may ask again.
      if (event.data.callId !== undefined) return turn
      return { ...turn, state: 'done', live: '', stopReason: 'interrupted' }
    default:
      return cardsAfter(turn, event)
  }
}

function cardsAfter(turn: Turn, event: Event): Turn {
  switch (event.type) {
    case 'gate.decided': {
      const { callId, tool, args, decision } = event.data
      if (turn.cards.some((card) => card.callId === callId)) return turn
      const state = decision === 'deny' ? 'denied' : 'judged'
      return { ...turn, cards: [...turn.cards, { callId, tool, args, state, verdict: event.data }] }
    }
    case 'confirm.asked':
      return {
        ...withCard(turn, event.data.question.callId, { state: 'asked' }),
        question: event.data.question,
        asked: event.seq,
      }
    case 'confirm.answered': {
      const { callId, answer, by } = event.data
      // A revoked "always" is recorded in the latest run, which may have ended or wait for another answer.
      if (turn.state === 'done' || callId === '') return turn
      const state = answer === 'n' ? 'denied' : 'judged'
      return { ...without(withCard(turn, callId, { state, answer: { answer, by } }), 'question'), state: 'running' }
    }
    case 'confirm.edited': {
      const { callId, after: args } = event.data
      return { ...without(withCard(turn, callId, { state: 'judged', args }), 'question'), state: 'running' }
    }
    case 'tool.call':
      if (!event.data.allowed) return turn
      return withCard(turn, event.data.callId, { state: 'running', startedAt: event.timestamp })
    case 'call.reviewed':
      return withCard(turn, event.data.callId, { review: event.data })
    case 'injection.flagged':
      return withCard(turn, event.data.callId, { flagged: event.data })
    case 'tool.result': {
      const { callId, observation } = event.data
      const { outcome } = observation
      const state = outcome === 'ok' || outcome === 'denied' ? outcome : 'failed'
      return withCard(turn, callId, { state, observation })
    }
    default:
      return turn
  }
}

function withCard(turn: Turn, callId: string, change: Partial<ToolCard>): Turn {
  return { ...turn, cards: turn.cards.map((card) => (card.callId === callId ? { ...card, ...change } : card)) }
}

function without<K extends 'question' | 'asking' | 'retry'>(turn: Turn, key: K): Turn {
  const { [key]: _, ...rest } = turn
  return rest as Turn
}
