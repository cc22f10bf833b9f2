/** Sites that people call by name: "my Tallyroot login", "the Tirana visa appointment". */
import { namesIn } from '../../language/names.ts'
import { holdsSubject } from '../../language/subjects.ts'
import type { RunState } from '../../protocol/state.ts'
import { userTexts } from '../message-texts.ts'

/** Parts of a host's name that tell nothing about whose it is. */
const GENERIC = new Set(['www', 'my', 'app', 'login', 'account', 'accounts', 'portal', 'shop', 'mail', 'web', 'online'])
const MIN_LABEL = 5

/**
 * Each part of the host's own name is a word of the user's, one of them a proper name, and no text that was read names the
 * host. A common word may be anyone's address.
 */
export function isSiteOfWords(host: string, state: Readonly<RunState>): boolean {
  const labels = host.split('.').slice(0, -1)
  const parts = labels.flatMap((label) => label.split('-')).filter((part) => !GENERIC.has(part))
  if (parts.join('').length < MIN_LABEL) return false
  const users = userTexts(state)
  if (!parts.every((part) => users.some(({ folded }) => holdsSubject(folded, part)))) return false
  if (!parts.some((part) => part.length > 3 && users.some(({ text }) => namesIn(text).includes(part)))) return false
  return !state.messages.some(({ role, content }) => role === 'tool' && content.toLowerCase().includes(host))
}
