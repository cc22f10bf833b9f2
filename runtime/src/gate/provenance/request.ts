/** What the user asked for, as far as their words say it. */

import { namesIn } from '../../language/names.ts'
import { asksForInformation } from '../../language/questions.ts'
import type { Deed } from '../../protocol/facts.ts'
import type { RunState } from '../../protocol/state.ts'
import { delegates } from '../deed-words.ts'
import { allSaid, saidText, userTexts } from '../message-texts.ts'
import type { ReadText } from '../read-text.ts'
import { combineRequests, type RequestedDeeds, requestsFor } from '../requested-deeds.ts'

const RECENT_MESSAGES = 3

export interface Request {
  deeds: RequestedDeeds
  /** No deed is requested, and the words only ask for information. */
  onlyReads: boolean
  /** "Do what it says": a text decides what is to be done. */
  delegates: boolean
  /** The last messages. */
  texts: readonly ReadText[]
  /** Whom and what they are about, in small letters. */
  names: readonly string[]
}

const cached = new WeakMap<ReadText, { names: readonly string[]; delegates: boolean }>()

/** From the user's last messages, and from the deeds that a workflow's author requested as data. */
export function requestOf(state: Readonly<RunState>): Request {
  const texts = userTexts(state).slice(-RECENT_MESSAGES)
  const asData: readonly Deed[] | undefined = state.given.deeds
  const deeds = combineRequests([
    ...texts.map(({ requests }) => requests),
    ...allSaid(state).flatMap((said) => (said.except === undefined ? [saidText(said).requests] : [])),
    ...(asData === undefined ? [] : [requestsFor(asData)]),
  ])
  const asksOnlyToRead = asData?.includes('read') === true || texts.every(({ text }) => asksForInformation(text))
  const parts = texts.map(partsOf)
  return {
    deeds,
    onlyReads: deeds.size === 0 && asksOnlyToRead,
    delegates: parts.some((one) => one.delegates),
    texts,
    names: parts.flatMap(({ names }) => names),
  }
}

function partsOf(read: ReadText): { names: readonly string[]; delegates: boolean } {
  let parts = cached.get(read)
  if (parts === undefined) {
    parts = { names: namesIn(read.text), delegates: read.sentences.some(({ folded }) => delegates(folded)) }
    cached.set(read, parts)
  }
  return parts
}
