/** What the events of a settled call say. */
import { present } from '../base/present.ts'
import type { Event, EventOf } from '../protocol/event.ts'
import { render } from '../protocol/observation.ts'
import type { Observed } from './verdict.ts'

export async function collect<R>(settling: AsyncGenerator<Event, R>, events: Event[]): Promise<R> {
  for (;;) {
    const next = await settling.next()
    if (next.done) return next.value
    events.push(next.value)
  }
}

export function decidedIn(events: readonly Event[]): EventOf<'gate.decided'>['data'] | undefined {
  return events.findLast((event) => event.type === 'gate.decided')?.data
}

const INSPECTIONS = { Block: 'block', Review: 'review', Warn: 'warn' } as const

export function observedIn(events: readonly Event[]): Observed {
  const flagged = events.find((event) => event.type === 'injection.flagged')
  if (flagged === undefined) return { verdict: 'pass', findings: [] }
  const verdict = INSPECTIONS[flagged.data.verdict]
  const result = events.findLast((event) => event.type === 'tool.result')
  const text = verdict === 'block' && result !== undefined ? render(result.data.observation) : undefined
  return { verdict, findings: flagged.data.findings, ...present({ text }) }
}
