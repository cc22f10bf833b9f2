/** The one way to wait in a test: for what must come, never for a time in which it should have. */
import { setTimeout as delay } from 'node:timers/promises'

/** Far longer than anything takes, even on a machine ten times slower; only a test that fails waits that long. */
export const PATIENCE_MS = 120_000
const POLL_MS = { first: 20, last: 100 }

/** What `look` finds, once it finds something. A failure means not yet: a database may be away meanwhile. */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, false | undefined | null>> {
  const start = Date.now()
  for (;;) {
    let cause: unknown
    try {
      const found = await look()
      if (found !== false && found !== undefined && found !== null) {
        return found as Exclude<T, false | undefined | null>
      }
    } catch (error) {
      cause = error
    }
    const waited = Date.now() - start
    if (waited > PATIENCE_MS) throw new Error(`waited in vain for ${look}`, { cause })
    // A look can cost a process or a connection: it is repeated less often in a long wait.
    await delay(Math.min(POLL_MS.last, Math.max(POLL_MS.first, waited / 20)))
  }
}
