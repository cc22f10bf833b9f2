import { WritError } from '../errors/writ-error.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'

/**
 * A store whose writer stops once its lease was taken over. A process that was suspended past its lease would otherwise
 * write beside the new holder. The journal decides which of two writers extends a run.
 */
export function fenced(store: Store, lease: { isOurs(): true | Promise<boolean> }): Store {
  const taken = (events: readonly StoredEvent[]) =>
    new WritError('RUN_TAKEN.session', { run: events[0]?.runId ?? '', acted: hasActed(events) })
  return {
    ...store,
    async append(events, account) {
      const before = lease.isOurs()
      if (before !== true && !(await before)) throw taken(events)
      await store.append(events, account)
      // The process may also be suspended right after the write: it must not make a call that the new holder has given
      // up.
      const after = lease.isOurs()
      if (after !== true && !(await after)) throw taken(events)
    },
  }
}

/** True when a call of the step was made: a result is among the events that could not be stored. */
export function hasActed(events: readonly StoredEvent[]): boolean {
  return events.some((event) => event.type === 'tool.result' && event.data.observation.outcome !== 'denied')
}
