/** Lists that forbid something: a file can make them longer, and never shorter by leaving an entry out. */
import { type Raw, valueAt, withValue } from './keys.ts'
import { SECRET_PLACES } from './schema.ts'

const BLOCKED = 'agent.security.blockedPaths'
export const UNBLOCKED = 'agent.security.unblockedPaths'

/** The built-in secret paths without those that were unblocked by name, then every path that was listed. */
export function withSecretPlaces(raw: Raw): Raw {
  const opened = listAt(raw, UNBLOCKED)
  const kept = SECRET_PLACES.filter((place) => !opened.includes(place))
  return withValue(raw, BLOCKED, [...new Set([...kept, ...listAt(raw, BLOCKED).map(plainPlace)])])
}

/** `./x`, `~/x` and `x/**` are how people write `x`; a name without a slash holds anywhere, in the home folder too. */
function plainPlace(entry: string): string {
  return entry.replace(/^(?:\.\/+|~\/+)+/, '').replace(/(?:\/+\*{1,2})+\/*$/, '') || entry
}

/** Built-in entries a file leaves out of its own list. Before, leaving one out opened it. */
export function leftOut(raw: Raw): string[] {
  if (valueAt(raw, BLOCKED) === undefined) return []
  const named = [...listAt(raw, BLOCKED), ...listAt(raw, UNBLOCKED)]
  return SECRET_PLACES.filter((place) => !named.includes(place))
}

/** What the configuration opens on purpose, and entries that open nothing because they are not built in. */
export function unblocked(raw: Raw): { open: string[]; idle: string[] } {
  const { open = [], idle = [] } = Object.groupBy(listAt(raw, UNBLOCKED), (entry) =>
    SECRET_PLACES.includes(entry) ? 'open' : 'idle',
  )
  const blocked = listAt(raw, BLOCKED)
  return { open: open.filter((entry) => !blocked.includes(entry)), idle }
}

function listAt(raw: Raw, path: string): string[] {
  const value = valueAt(raw, path)
  return Array.isArray(value) ? value : []
}
