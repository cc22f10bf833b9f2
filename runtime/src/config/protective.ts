/** Lists of forbidden things: a file can extend them, never shorten them. */
import { type Raw, valueAt, withValue } from './keys.ts'
import { SECRET_PLACES } from './security.ts'

const BLOCKED = 'agent.security.blockedPaths'
export const UNBLOCKED = 'agent.security.unblockedPaths'

/** The built-in secret paths except those unblocked by name, then all listed paths. */
export function withSecretPlaces(raw: Raw): Raw {
  const opened = listAt(raw, UNBLOCKED)
  const builtIn = SECRET_PLACES.filter((place) => !opened.includes(place))
  return withValue(raw, BLOCKED, [...new Set([...builtIn, ...listAt(raw, BLOCKED).map(plainPlace)])])
}

/** `./x`, `~/x` and `x/**` are notations of `x`; a name without a slash matches anywhere, also in the home folder. */
function plainPlace(entry: string): string {
  return entry.replace(/^(?:\.\/+|~\/+)+/, '').replace(/(?:\/+\*{1,2})+\/*$/, '') || entry
}

/** Built-in entries missing from a file's own list. In earlier versions a missing entry was unblocked. */
export function leftOut(raw: Raw): string[] {
  if (valueAt(raw, BLOCKED) === undefined) return []
  const named = [...listAt(raw, BLOCKED), ...listAt(raw, UNBLOCKED)]
  return SECRET_PLACES.filter((place) => !named.includes(place))
}

/** Unblocked paths, and entries without effect because they are not built in. */
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
