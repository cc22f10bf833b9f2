/** What the user asked for, as far as their words say it. */
import { onceFor } from '../../base/once-for.ts'
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

const namesOf = onceFor(({ text }: ReadText) => namesIn(text).slice(0, MAX_WORDS))
const recipientsOf = onceFor(({ text }: ReadText) => recipientsIn(text))
const subjectsOf = onceFor((read: ReadText) =>
  subjectsIn(read.text)
    .filter((word) => !namesOf(read).includes(word))
    .slice(0, MAX_WORDS),
)
const delegatesIn = onceFor(({ sentences }: ReadText) => sentences.some(({ folded }) => delegates(folded)))
const onlyReadsIn = onceFor(({ text }: ReadText) => asksOnlyForAnswer(text))

/** Each part is found on first use: most verdicts need few. */
export class Request {
  readonly deeds: RequestedDeeds
  /** The last messages. */
  readonly texts: readonly ReadText[]
  readonly #asData: readonly Deed[] | undefined
  #names: readonly string[] | undefined
  #recipients: readonly string[] | undefined
  #subjects: readonly string[] | undefined

  constructor(deeds: RequestedDeeds, texts: readonly ReadText[], asData: readonly Deed[] | undefined) {
    this.deeds = deeds
    this.texts = texts
    this.#asData = asData
  }

  /** Whom and what the words are about, in small letters. */
  get names(): readonly string[] {
    this.#names ??= this.texts.flatMap(namesOf)
    return this.#names
  }

  /** Those among them to whom something is to go. */
  get recipients(): readonly string[] {
    this.#recipients ??= this.texts.flatMap(recipientsOf)
    return this.#recipients
  }

  /** Other words that say what they are about. */
  get subjects(): readonly string[] {
    this.#subjects ??= this.texts.flatMap(subjectsOf)
    return this.#subjects
  }

  /** "Do what it says": a text decides what is to be done. */
  get delegates(): boolean {
    return this.texts.some(delegatesIn)
  }

  get onlyReads(): boolean {
    return (
      [...this.deeds.keys()].every((deed) => deed === 'browse') &&
      (this.#asData?.includes('read') === true || this.texts.every(onlyReadsIn))
    )
  }
}

/** From the user's last messages, and from the deeds that a workflow's author requested as data. */
export function requestOf(state: Readonly<RunState>): Request {
  const texts = userTexts(state).slice(-RECENT_MESSAGES)
  const asData: readonly Deed[] | undefined = state.given.deeds
  const deeds = combineRequests([
    ...texts.map(({ requests }) => requests),
    ...allSaid(state).flatMap((said) => (said.except === undefined ? [saidText(said).requests] : [])),
    ...(asData === undefined ? [] : [requestsFor(asData)]),
  ])
  return new Request(deeds, texts, asData)
}
