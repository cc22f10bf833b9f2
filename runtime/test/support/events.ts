/** Events as a store gets them, with the fields a test does not care about filled in. */
import { GENESIS, hashEvent } from '../../src/journal/journal.ts'
import type { Event, EventData, EventType, StoredEvent } from '../../src/protocol/event.ts'
import type { Profile } from '../../src/protocol/profile.ts'
import type { StopReason } from '../../src/protocol/stop.ts'

interface Place {
  runId: string
  seq: number
  sessionId?: string
  timestamp?: number
  reason?: string
}

export function makeEvent<T extends EventType>(place: Place, type: T, data: EventData[T]): StoredEvent {
  const event = {
    seq: place.seq,
    type,
    sessionId: place.sessionId ?? 'session',
    turnId: 'turn',
    runId: place.runId,
    scoutId: null,
    timestamp: place.timestamp ?? 1_700_000_000_000 + place.seq,
    mode: 'chat',
    reason: place.reason ?? '',
    data,
  } as Event
  return { ...event, hash: hashEvent(GENESIS, event) }
}

/** Ordinary events from `place` on, which neither start nor stop the run. */
export function makeEvents(place: Place, count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, i) => {
    const seq = place.seq + i
    return makeEvent({ ...place, seq }, 'turn.started', { input: `input ${seq}` })
  })
}

export function makeStart(place: Omit<Place, 'seq'> & { parentRunId?: string }): StoredEvent {
  return makeEvent({ ...place, seq: 1 }, 'run.started', {
    task: 'a task',
    profile: {} as Profile,
    model: 'rules',
    lang: 'en',
    route: 'RuleBased',
    tools: [],
    history: 0,
    approvals: [],
    ...(place.parentRunId !== undefined && { parentRunId: place.parentRunId }),
  })
}

export function makeStop(place: Place, reason: StopReason = 'final'): StoredEvent {
  const usage = { inputTokens: 0, outputTokens: 0 }
  return makeEvent(place, 'run.stopped', { stop: { reason, text: '' }, steps: 1, toolCalls: 0, usage })
}
