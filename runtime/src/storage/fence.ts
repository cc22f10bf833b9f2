import { WritError } from '../base/errors.ts'
import type { Store } from '../journal/store.ts'

/**
 * A store whose writer stops when its lease was taken over: having slept through it, he would else go on beside whoever
 * has the session now. What two may write of one run, the journal itself decides.
 */
export function fenced(store: Store, lease: { isOurs(): Promise<boolean> }): Store {
  return {
    ...store,
    async append(events) {
      if (!(await lease.isOurs())) {
        throw new WritError('RUN_TAKEN', `another worker has the session of run ${events[0]?.runId ?? ''} now`, {
          hint: 'Nothing of this step was stored or done; follow the run, or start a new one.',
        })
      }
      await store.append(events)
    },
  }
}
