/** What a word can mean to the rules. Each language says which of its words mean what; the rules know concepts only. */

const CONCEPTS = [
  'VOID', // ignore, disregard, forget
  'PRIOR', // previous, above
  'ALL',
  'ORDERS', // instructions, rules, tasks
  'AI', // the model itself: assistant, agent, GPT
  'YOU',
  'YOUR',
  'MY',
  'USER', // the person served, as a third person
  'SEND',
  'PAY',
  'WIPE',
  'GRANT', // open up: access, locks, permissions
  'RUN', // execute, install, visit, click
  'FETCH',
  'SHAPE', // what an answer is made with: say, write, translate, explain
  'CHANGE', // any other act on a thing: update, schedule, book
  'SECRET',
  'ASSET', // things a person has: files, inbox, account, door
  'REPLY', // the model's answer
  'ADMIN', // who claims authority
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

/** Ready-made turns of phrase. */
const CUES = [
  'precondition', // before you can answer, first …
  'persona', // you are now …
  'role', // act as: said of things too
  'model', // surely a machine, not a human agent
  'condition', // if you are …
  'notice', // a note, a message: to somebody
  'verbatim', // word for word
  'toward', // to, for, dear: what a label says before it names whom it is for
  'charter', // what a model was told at first: instructions, rules, prompt
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
  'machine', // spoken to a model, not to a person
  'obstruct', // do not answer the question
  'spokesman', // the user also wants …
  'topic', // the text is about attacks
  'report', // what follows is quoted
  'human', // what follows is asked of people: file an issue, contact us
  'speaker', // system:, user:, assistant:
  'subject', // who does it: I, to, can
  'device', // a thing that may read: program, software, robot
  'reads', // what such a thing does: reading this, sorts the mail
  'rot13',
  'reversed',
] as const

export type Cue = (typeof CUES)[number]

/** Words and phrases separated by spaces; `_` joins the words of a phrase. */
export interface Lexicon {
  concepts: Partial<Record<Concept, string>>
  cues: Partial<Record<Cue, string>>
}

type Bits = Readonly<Record<Concept, number>>

export const BIT = Object.fromEntries(CONCEPTS.map((name, i) => [name, 1 << i])) as Bits

export const CUE = Object.fromEntries(CUES.map((name, i) => [name, 1 << i])) as Readonly<Record<Cue, number>>

export const HARM = BIT.SEND | BIT.PAY | BIT.WIPE | BIT.GRANT
export const TARGET = BIT.MAIL | BIT.LINK
export const ACT = HARM | BIT.RUN | BIT.FETCH | BIT.CHANGE
export const VERB = ACT | BIT.SHAPE | BIT.VOID | BIT.TELL
