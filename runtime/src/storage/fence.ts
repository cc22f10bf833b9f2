import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'

/**
 * A store whose writer stops when its lease was taken over: having slept through it, he would else go on beside whoever
 * has the session now. What two may write of one run, the journal itself decides.
 */
export function fenced(store: Store, lease: { isOurs(): Promise<boolean> }): Store {
  async function demandOurs(runId = ''): Promise<void> {
    if (await lease.isOurs()) return
    throw new WritError('RUN_TAKEN', `another worker has the session of run ${runId} now`, {
      hint: 'Nothing of this step was done; follow the run, or start a new one.',
    })
  }
  return {
    ...store,
    async append(events) {
      await demandOurs(events[0]?.runId)
      await store.append(events)
      // One may sleep between storing a call and learning of it too, and would else make it after another gave it up.
      await demandOurs(events[0]?.runId)
    },
  }
}
