import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'

/**
 * A store whose writer stops when its lease was taken over: having slept through it, he would else go on beside whoever
 * has the session now. What two may write of one run, the journal itself decides.
 */
export function fenced(store: Store, lease: { isOurs(): Promise<boolean> }): Store {
  async function demandOurs(events: readonly StoredEvent[]): Promise<void> {
    if (await lease.isOurs()) return
    throw new WritError('RUN_TAKEN', `another worker has the session of run ${events[0]?.runId ?? ''} now`, {
      hint: takenHint(events),
    })
  }
  return {
    ...store,
    async append(events) {
      await demandOurs(events)
      await store.append(events)
      // One may sleep between storing a call and learning of it too, and would else make it after another gave it up.
      await demandOurs(events)
    },
  }
}

/** What is true of a step that could not be stored: a result among its events means that a call was made. */
export function takenHint(events: readonly StoredEvent[]): string {
  const wasMade = events.some((event) => event.type === 'tool.result' && event.data.observation.outcome !== 'denied')
  return wasMade
    ? 'A call of this step was made, and its result could not be stored. Check what it did before you repeat it.'
    : 'Nothing of this step was done; follow the run, or start a new one.'
}
