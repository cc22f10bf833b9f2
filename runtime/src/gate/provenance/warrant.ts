/** Did the user want this kind of action? */
import type { Warrant } from '../../i18n/gate.ts'
import { covers, type Evidence, OUTSIDE } from './evidence.ts'
import { isOwnResult } from './pointing.ts'

/**
 * `asked`: the user's words ask for this kind of action. `implied`: for one that includes it, or for something they do not
 * name. `delegated`: they leave the choice to a text. `unsaid`: they ask for something else. `none`: only for information.
 */
export function warrantOf(evidence: Evidence): Warrant {
  const { action, request, input, targets, unknownTargets, untrusted } = evidence
  const { deed, special, words, choices } = action
  const { deeds, texts } = request
  // Our own tools are judged by their targets.
  if (deed === undefined) return 'asked'
  const isNamed = deeds.has(deed) || choices().some((one) => deeds.has(one))
  // A workflow is written down completely.
  if (input.state.profile.mode === 'workflow') return isNamed ? 'asked' : covers(deeds, deed) ? 'implied' : 'none'
  // A plain "add" does not ask to approve or to follow, "update my account" not to forward its mail; other deeds are what
  // they are called.
  const isExact = special === undefined || (deed !== 'write' && special.name !== 'lasting')
  if (isNamed && isExact) return 'asked'
  if (special !== undefined && texts.some(({ wanted }) => wanted.says(special.asked)) && !request.onlyReads)
    return 'asked'
  if (request.onlyReads) return untrusted.every((text) => isOwnResult(input.state, text)) ? 'unsaid' : 'none'
  const saysSo = (word: string) => texts.some(({ wanted }) => wanted.isAbout(word))
  // "publish_report" for "publish it"; what is grave must be asked for by its kind.
  if (action.weight !== 'grave' && words.some((word) => word.length > 3 && saysSo(word))) return 'asked'
  // An address or an account is given because something is to be done with it.
  if (targets.length > 0 && unknownTargets.length === 0 && targets.some(({ kind }) => OUTSIDE.includes(kind)))
    return 'asked'
  if (special?.name === 'lasting') return 'unsaid'
  if (request.delegates) return 'delegated'
  return deeds.size === 0 || covers(deeds, deed) ? 'implied' : 'unsaid'
}
