/** What kind of action a call is, and how much depends on it. */
import { identifierWords } from '../../language/words.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { SPECIAL_KINDS, type SpecialKind } from '../action-words.ts'
import { argumentValues } from '../argument-values.ts'
import type { ToolInput } from '../gate-input.ts'
import { hostOf } from '../targets-in-text.ts'

/**
 * `look`: reads what is already the user's. `open`: fetches an address. `change`: a plain change of something here. `act`:
 * reaches others or cannot be undone.
 */
export type Weight = 'look' | 'open' | 'change' | 'act'

export interface Action {
  deed: Deed | undefined
  weight: Weight
  /** A change that is more than a note: people ask for it in words of its own. */
  special: SpecialKind | undefined
  /** The words of the tool's name. */
  words: readonly string[]
}

/** These reach others or cannot be undone; a plain write does neither. */
export const CONSEQUENTIAL: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']

const MAX_NAME = 200
/** "cancel", "approve": what one of the values of a call selects. */
const SHORT_WORD = /^[\p{L}_-]{2,20}$/u

export function actionOf({ facts, proposal }: ToolInput, targets: readonly TargetFact[]): Action {
  const { deed, readOnly, family } = facts
  const words = identifierWords(proposal.tool, MAX_NAME)
  const opens = targets.some((target) => hostOf(target) !== undefined)
  if (readOnly || deed === 'read' || deed === 'browse')
    return { deed, weight: opens ? 'open' : 'look', special: undefined, words }
  if (deed !== undefined && CONSEQUENTIAL.includes(deed)) return { deed, weight: 'act', special: undefined, words }
  const choices = argumentValues(proposal.args).filter((value) => SHORT_WORD.test(value))
  const special =
    deed === undefined
      ? undefined
      : SPECIAL_KINDS.find(({ tool }) => [...words, ...choices].some((word) => tool.test(word)))
  // Our own tools declare no deed; a network tool that does not only read sends.
  const isAct = special !== undefined || (deed === undefined && family === 'network')
  return { deed, weight: isAct ? 'act' : 'change', special, words }
}
