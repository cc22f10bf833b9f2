/** The one way to wait in a test: for what must come, never for a time in which it should have. */
import { setTimeout as delay } from 'node:timers/promises'

/** Far longer than anything takes, even on a machine ten times slower; only a test that fails waits that long. */
export const PATIENCE_MS = 120_000
const POLL_MS = 20

/** What `look` finds, once it finds something. A failure means not yet: a database may be away meanwhile. */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, false | undefined | null>> {
  const deadline = Date.now() + PATIENCE_MS
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
    if (Date.now() > deadline) throw new Error(`waited in vain for ${look}`, { cause })
    await delay(POLL_MS)
  }
}
