/** Did the user want this kind of action? */
import type { Warrant } from '../../i18n/gate.ts'
import type { UntrustedText } from '../untrusted-texts.ts'
import { covers, type Evidence, isFlagged, OUTSIDE } from './evidence.ts'

/**
 * `asked`: the user's words ask for this kind of action. `implied`: for one that includes it, or for something they do not
 * name. `delegated`: they leave the choice to a text. `none`: they ask for something else, or only for information.
 */

export function warrantOf({ action, request, input, targets, unknownTargets }: Evidence): Warrant {
  const { deed, special, weight, words } = action
  const { deeds, texts, onlyReads } = request
  // Our own tools are judged by their targets.
  if (deed === undefined) return 'asked'
  if (special === undefined ? deeds.has(deed) : !onlyReads && texts.some(({ folded }) => special.asked.test(folded)))
    return 'asked'
  // A workflow is written down completely.
  if (input.state.profile.mode === 'workflow') return covers(deeds, deed) ? 'implied' : 'none'
  if (!onlyReads && words.some((word) => word.length > 3 && texts.some(({ folded }) => opensWith(folded, word))))
    return 'asked'
  if (request.delegates) return 'delegated'
  if (special === undefined && covers(deeds, deed)) return 'implied'
  if (onlyReads) return 'none'
  // Whoever gives an address or an account wants something done with it.
  if (targets.length > 0 && unknownTargets.length === 0 && targets.some(({ kind }) => OUTSIDE.includes(kind)))
    return 'asked'
  return weight === 'change' || deeds.size === 0 ? 'implied' : 'none'
}

/** "publish" in "publishing". */
function opensWith(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/\p{L}/u.test(text.charAt(at - 1))) return true
  }
  return false
}

/** A text that could have suggested an action that the user's words do not ask for by name. */
export function suggestingText({ untrusted, action }: Evidence): UntrustedText | undefined {
  const { deed = 'send', weight } = action
  return untrusted.find(
    (text) => isFlagged(text) || covers(text.read.orders, deed) || (text.unseen === true && weight === 'act'),
  )
}
