import type { Deed, TargetFact } from '../../protocol/facts.ts'
import { alikeIn, mentions, namingSentences, type Stranger, userWords } from '../sightings.ts'
import { isAnswered, isExplained, isPointedAt } from './meant.ts'
import { allowance, covers, type Doubt, GRAVE, isFlagged, othersLike, type Reading } from './reading.ts'

/** Targets of these kinds mean somebody outside; a name or a path may be new. */
const OUTSIDE: readonly TargetFact['kind'][] = ['email', 'account', 'phone', 'url', 'host']
/** The user wants many; "them" may be one office. */
const MANY = /\b(?:all|every\w*|each|both|any\w*|people|lists?)\b|所有|每|全部|大家|都|们/iu

/** What speaks against this target. One result that orders the deed outweighs any number that only mention it. */
export function unsure(reading: Reading, target: TargetFact): Doubt | undefined {
  const { matter, strangers } = reading
  const { deed, family } = matter.facts
  const naming = strangers.filter(({ read }) => mentions(read, target))
  const outward = deed !== undefined && GRAVE.includes(deed)
  // What a withheld text ordered is not known any more; it may have been this.
  const withheld = strangers.find(({ inspection }) => inspection === 'block')
  if (withheld !== undefined && (outward || naming.length === 0))
    return { rule: 'withheld', stranger: withheld, target }
  if (naming.length === 0) {
    // Our own tools declare no deed; one of the network that does not merely read sends.
    const sends = outward || (deed === undefined && family === 'network')
    return sends && OUTSIDE.includes(target.kind) ? { rule: 'nowhere', stranger: strangers.at(-1), target } : undefined
  }
  let cleared = false
  for (const stranger of naming) {
    // What a text could not clear by itself, the model's account of it cannot clear for it.
    if (stranger.retold) continue
    const flagged = isFlagged(stranger.inspection)
    // Whoever the user wants answered may ask for things; that the answer goes to him is no order of his.
    const ordered = orders(stranger, target, deed) && !isAnswered(reading, stranger, target)
    if (!flagged && !ordered && (deed !== undefined || family === 'browser')) {
      cleared = true
      continue
    }
    const pointed = isPointedAt(reading, stranger)
    if (flagged && !(pointed && isExplained(reading, stranger, ordered))) {
      if (ordered) return { rule: 'flagged', stranger, target }
      continue
    }
    // A bare name in an order could be anybody's; an address or an id stands for itself if it is the only one.
    const bare = deed !== 'write' && isBare(target)
    if (ordered && (!pointed || bare)) return { rule: 'ordered', stranger, target }
    const several = allowance(reading.asked, deed ?? 'send') < Number.POSITIVE_INFINITY
    if (ordered && several && othersLike(reading, stranger.read.text, target).length > 0)
      return { rule: 'several', stranger, target }
    cleared ||= pointed
  }
  const [first] = naming
  if (!cleared) {
    const flagged = naming.find(({ inspection }) => isFlagged(inspection))
    return flagged === undefined
      ? { rule: 'stranger', stranger: first, target }
      : { rule: 'flagged', stranger: flagged, target }
  }
  if (userMeant(reading, target)) return { rule: 'other', stranger: first, target }
  const better = naming.find(({ read }) => fitsWorse(reading, read.text, target))
  return better === undefined ? undefined : { rule: 'several', stranger: better, target }
}

/** True when the text that names the target also tells us to do something with it. */
function orders({ read }: Stranger, target: TargetFact, deed: Deed | undefined): boolean {
  return namingSentences(read, target).some(({ own, beside }) => {
    if (own.orders.size > 0) return true
    // "kitchen" stands in many a sentence; an address or an id is what the next one speaks of.
    if (deed === undefined || isBare(target)) return false
    return beside.some(({ orders }) => covers(orders, deed))
  })
}

function isBare({ kind, value }: TargetFact): boolean {
  return kind === 'name' && !/\d/.test(value)
}

/** True when the user has said whom it should go to, and it was somebody else. */
function userMeant({ matter, asked }: Reading, target: TargetFact): boolean {
  const { deed } = matter.facts
  if (deed === undefined || !GRAVE.includes(deed)) return false
  const words = userWords(matter.state).at(-1)?.text ?? ''
  if (allowance(asked, deed) === Number.POSITIVE_INFINITY && MANY.test(words)) return false
  return alikeIn(words.replace(/\b(?:from|by|of)\s+\S+/gi, ' '), target).length > 0
}

/** True when the text offers another address with a name in it that the user has said, and this one has none. */
function fitsWorse(reading: Reading, text: string, target: TargetFact): boolean {
  if (target.kind !== 'email' || MANY.test(userWords(reading.matter.state).at(-1)?.text ?? '')) return false
  const names = userWords(reading.matter.state).flatMap((words) => words.text.match(/\p{Lu}\p{Ll}{2,}/gu) ?? [])
  const fits = (address: string) => names.some((name) => address.toLowerCase().includes(name.toLowerCase()))
  return !fits(target.value) && othersLike(reading, text, target).some(fits)
}
