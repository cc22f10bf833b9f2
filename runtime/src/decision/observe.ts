/** One window of this computer, observed now. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { StructuredContext } from '../protocol/action.ts'
import { openCollector, type Watched } from './collector.ts'
import { foldContext } from './context.ts'
import type { Machine } from './machine.ts'
import type { DecisionTexts } from './texts.ts'

interface Observing {
  machine: Machine
  clock: Clock
  newId: IdSource
  texts: DecisionTexts
  signal: AbortSignal
}

export async function observeWindow(watched: Watched, ms: number, at: Observing): Promise<StructuredContext> {
  const from_ms = at.clock.now()
  const collector = await openCollector(watched, at)
  try {
    await delay(ms, undefined, { signal: at.signal }).catch(() => {})
    const events = await collector.events()
    return foldContext(events, { window_id: at.newId('win'), from_ms, until_ms: at.clock.now() + 1 })
  } finally {
    collector.close()
  }
}
