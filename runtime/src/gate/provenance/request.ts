/** What the user asked for, as far as their words say it. */
import { asksOnlyForAnswer } from '../../language/actions.ts'
import { namesIn, recipientsIn } from '../../language/names.ts'
import { subjectsIn } from '../../language/subjects.ts'
import type { Deed } from '../../protocol/facts.ts'
import type { RunState } from '../../protocol/state.ts'
import { delegates } from '../deed-words.ts'
import { allSaid, saidText, userTexts } from '../message-texts.ts'
import type { ReadText } from '../read-text.ts'
import { combineRequests, type RequestedDeeds, requestsFor } from '../requested-deeds.ts'

const RECENT_MESSAGES = 3
/** Of a long message. */
const MAX_WORDS = 200

interface Parts {
  /** Whom and what the words are about, in small letters. */
  names: readonly string[]
  /** Those among them to whom something is to go. */
  recipients: readonly string[]
  /** Other words that say what they are about. */
  subjects: readonly string[]
  /** "Do what it says": a text decides what is to be done. */
  delegates: boolean
  onlyReads: boolean
}

export interface Request extends Parts {
  deeds: RequestedDeeds
  /** The last messages. */
  texts: readonly ReadText[]
}

const cached = new WeakMap<ReadText, Parts>()

/** From the user's last messages, and from the deeds that a workflow's author requested as data. */
export function requestOf(state: Readonly<RunState>): Request {
  const texts = userTexts(state).slice(-RECENT_MESSAGES)
  const asData: readonly Deed[] | undefined = state.given.deeds
  const deeds = combineRequests([
    ...texts.map(({ requests }) => requests),
    ...allSaid(state).flatMap((said) => (said.except === undefined ? [saidText(said).requests] : [])),
    ...(asData === undefined ? [] : [requestsFor(asData)]),
  ])
  const parts = texts.map(partsOf)
  return {
    deeds,
    texts,
    onlyReads:
      [...deeds.keys()].every((deed) => deed === 'browse') &&
      (asData?.includes('read') === true || parts.every(({ onlyReads }) => onlyReads)),
    delegates: parts.some((one) => one.delegates),
    names: parts.flatMap(({ names }) => names),
    recipients: parts.flatMap(({ recipients }) => recipients),
    subjects: parts.flatMap(({ subjects }) => subjects),
  }
}

function partsOf(read: ReadText): Parts {
  let parts = cached.get(read)
  if (parts === undefined) {
    const names = namesIn(read.text).slice(0, MAX_WORDS)
    parts = {
      names,
      recipients: recipientsIn(read.text),
      subjects: subjectsIn(read.text)
        .filter((word) => !names.includes(word))
        .slice(0, MAX_WORDS),
      delegates: read.sentences.some(({ folded }) => delegates(folded)),
      onlyReads: asksOnlyForAnswer(read.text),
    }
    cached.set(read, parts)
  }
  return parts
}
