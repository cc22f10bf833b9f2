/** What kind of action a call is, and how much depends on it. */
import { fitting } from '../../language/fitting-pattern.ts'
import { identifierWords } from '../../language/words.ts'
import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { SPECIAL_KINDS, type SpecialKind } from '../action-words.ts'
import type { ToolInput } from '../gate-input.ts'
import { requestedDeeds } from '../requested-deeds.ts'
import { hostOf } from '../targets-in-text.ts'

/**
 * `look`: reads what is already the user's. `open`: fetches an address. `change`: a plain change of something here. `act`:
 * speaks to others, or binds the user. `grave`: costs money, gives away access, runs programs, or cannot be undone.
 */
export type Weight = 'look' | 'open' | 'change' | 'act' | 'grave'

export interface Action {
  deed: Deed | undefined
  weight: Weight
  /** A change that is more than a note: people ask for it in words of its own. */
  special: SpecialKind | undefined
  /** The arguments that select something: `action: "remove"`. */
  selected: readonly string[]
  /** In which deeds. */
  choices: () => readonly Deed[]
  /** The words of the tool's name. */
  words: readonly string[]
}

/** These reach others or cannot be undone; a plain write does neither. */
export const CONSEQUENTIAL: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']

const GRAVE: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order']

const MAX_NAME = 200
/** "cancel", "approve": what one of the values of a call selects. */
const SHORT_WORD = /^[\p{L}_-]{2,20}$/u

export function actionOf(
  { facts, proposal }: ToolInput,
  { targets, values }: { targets: readonly TargetFact[]; values: readonly string[] },
): Action {
  const { deed, readOnly, family } = facts
  const words = identifierWords(proposal.tool, MAX_NAME)
  const opens = targets.some((target) => hostOf(target) !== undefined) || (deed === 'browse' && targets.length > 0)
  const selected = values.filter((value) => fitting(value, SHORT_WORD).test(value))
  const choices = () => selected.flatMap((value) => [...requestedDeeds(`${value} it`).keys()])
  const common = { deed, words, choices, selected: selected.map((value) => value.toLowerCase()) }
  if (readOnly || deed === 'read' || deed === 'browse')
    return { ...common, weight: opens ? 'open' : 'look', special: undefined }
  const all = [...words, ...selected, ...selected.flatMap((value) => identifierWords(value, MAX_NAME))]
  const special =
    deed === undefined
      ? undefined
      : SPECIAL_KINDS.find(
          ({ tool, deeds }) => deeds.includes(deed) && all.some((word) => fitting(word, tool).test(word)),
        )
  if (special?.name === 'lasting' || (deed !== undefined && GRAVE.includes(deed)))
    return { ...common, weight: 'grave', special }
  // Our own tools declare no deed; a network tool that does not only read sends.
  // What is aimed at an account, a mailbox or a phone outside reaches others, whatever it is called.
  const isAimedOut = targets.some(({ kind }) => kind === 'account' || kind === 'email' || kind === 'phone')
  const isAct = isAimedOut || special !== undefined || deed === 'send' || (deed === undefined && family === 'network')
  return { ...common, weight: isAct ? 'act' : 'change', special }
}
