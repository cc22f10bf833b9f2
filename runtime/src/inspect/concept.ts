/** What a word can mean to the rules. Each language maps its words to concepts; the rules know only concepts. */

const CONCEPTS = [
  'VOID', // ignore, disregard, forget
  'PRIOR', // previous, above
  'ALL',
  'ORDERS', // instructions, rules, tasks
  'AI', // the model itself: assistant, agent, GPT
  'YOU',
  'YOUR',
  'MY',
  'USER', // the model's user, in the third person
  'SEND',
  'PAY',
  'WIPE',
  'GRANT', // open up: access, locks, permissions
  'RUN', // execute, install, visit, click
  'FETCH',
  'SHAPE', // verbs that produce an answer: say, write, translate, explain
  'CHANGE', // any other act on a thing: update, schedule, book
  'SECRET',
  'ASSET', // a person's things: files, inbox, account, door
  'REPLY', // the model's answer
  'ADMIN', // a claim of authority
  'MUST',
  'PLEASE',
  'NOT',
  'NEW', // new, real, instead, following
  'URGENT',
  'MAIL', // an e-mail address
  'LINK', // a URL or a domain
  'TELL', // tell, mention, reveal
  'TEXT', // text, context, everything said so far
  'AMOUNT', // money, account numbers, identifiers
  'FILLER', // may stand before an imperative without ending it
] as const

export type Concept = (typeof CONCEPTS)[number]

/** Set phrases. */
const CUES = [
  'precondition', // before you can answer, first …
  'persona', // you are now …
  'role', // act as: said of things too
  'model', // certainly a machine, not a human agent
  'condition', // if you are …
  'notice', // a note, a message to a reader
  'verbatim', // word for word
  'toward', // to, for, dear: before the name of the addressee
  'charter', // the first instructions of a model: rules, prompt
  'late', // a Latin verb that may follow its object
  'unbound', // no restrictions
  'standing', // from now on
  'completion', // task complete. Next task:
  'new-orders', // new instructions
  'follow', // follow these steps: said to people too
  'own-prompt', // your system prompt
  'secrecy',
  'unchecked', // without confirmation
  'decode',
  'threat',
  'machine', // said to a model, not to a person
  'obstruct', // do not answer the question
  'spokesman', // the user also wants …
  'topic', // the text is about attacks
  'report', // a quotation follows
  'human', // a request to people follows: file an issue, contact us
  'speaker', // system:, user:, assistant:
  'subject', // the doer: I, to, can
  'device', // a machine that may read: program, software, robot
  'reads', // what such a machine does: reading this, sorts the mail
  'reading', // when you summarise this, before answering, in your reply
  'turned', // rot13 or backwards
] as const

export type Cue = (typeof CUES)[number]

/** Words and phrases separated by spaces; `_` joins the words of a phrase. */
export interface Lexicon {
  concepts: Partial<Record<Concept, string>>
  cues: Partial<Record<Cue, string>>
}

/**
 * What an agent can be told to do, in each language: the acts, the things they are done to, what was asked of the
 * reader, machines that process a text, and rules that bind them. `stem.class` is inflected (`lexicon-verbs.ts`).
 */
export type Language = Partial<Record<Concept | Cue, string>> & {
  /** "Note for automated processing". */
  processing?: string
}

type Bits = Readonly<Record<Concept, number>>

export const BIT = Object.fromEntries(CONCEPTS.map((name, i) => [name, 1 << i])) as Bits

export const CUE = Object.fromEntries(CUES.map((name, i) => [name, 1 << i])) as Readonly<Record<Cue, number>>

export const HARM = BIT.SEND | BIT.PAY | BIT.WIPE | BIT.GRANT
export const TARGET = BIT.MAIL | BIT.LINK
export const ACT = HARM | BIT.RUN | BIT.FETCH | BIT.CHANGE
export const VERB = ACT | BIT.SHAPE | BIT.VOID | BIT.TELL
/** What makes a clause worth reading whose only verb is a participle: "it was removed" asks for nothing. */
export const ASKED = BIT.PLEASE | BIT.MUST | BIT.MAIL | BIT.SECRET | BIT.AMOUNT | BIT.REPLY | BIT.VOID | BIT.TELL
