/** Which deeds a text requests, and how many of each. The same patterns read the user's task and untrusted texts. */

import { NEGATED_VERB } from '../language/negation.ts'
import { timesPerVerb } from '../language/quantity.ts'
import { isQuestion } from '../language/questions.ts'
import { CJK_REQUEST, GERMAN_REQUEST_START, OBLIGATION, REQUEST_START, THANKS } from '../language/requests.ts'
import { sentencesOf } from '../language/sentences.ts'
import type { Deed } from '../protocol/facts.ts'
import { DEED_WORDS, DELEGATES, type DeedWords } from './deed-words.ts'

export type RequestedDeeds = ReadonlyMap<Deed, number>

/** Something must follow: "Refund" alone in a list of subjects is no request. */
const AND_MORE = '(?=\\s+[^\\s,;:}\\]])'

/** "Debit card C-771", "contact jo@corp.example": in a record such a word is a label, unless it is used as a verb. */
const AND_OBJECT =
  '(?=\\s+(?:\\S*[^\\s.!?;,:]\\s+){0,6}?(?:the|an?|my|your|our|his|her|its|their|this|that|these|those|it|them|him|me|us|all|every|each|both|any|to|into|from|with|for|at|on|in|about|of|under|as|now|immediately|today|too|again|also|please|via|by)\\b)'

/** Stems of other languages also begin English words: "cancelled" and "installation" are no requests. */
const NOT_ENGLISH = '(?<!ed|ing|ions?|ments?)(?!\\p{L})'

/** "The delete function", "my refund": named, not requested. */
const NOT_NAMED = '(?<!\\b(?:the|an?|my|your|this|that|our|last|latest|any|each)\\s)'

interface DeedReader {
  deed: Deed
  anywhere: RegExp
  atStart: RegExp
  signs: RegExp
}

/** Compiled on first use: most runs never need them. */
let readers: readonly DeedReader[] | undefined

function compileReaders(): readonly DeedReader[] {
  return Object.entries(DEED_WORDS).map(([deed, words]) => ({
    deed: deed as Deed,
    anywhere: deedPattern(words, 'anywhere'),
    atStart: deedPattern(words, 'at-start'),
    // 支付了, 支付过, 支付的, 已支付: already done, or a noun.
    signs: new RegExp(`(?<![已被])(?:${(words.signs ?? '').split(' ').join('|')})(?![了过的])`, 'gu'),
  }))
}

/** What a user's own text requests. */
export function requestedDeeds(text: string): RequestedDeeds {
  const requests = new Map<Deed, number>()
  for (const original of sentencesOf(text)) {
    // "Would you mind asking …", "it needs cancelling".
    const sentence = original.replace(/\b(mind|needs?|about) (\p{L}{2,}?)(?:([lnptgmb])\3)?ing\b/giu, '$1 to $2$3')
    // A question only mentions deeds; a request within it ("…, and mail it to Jo") still counts.
    addRequests(sentence, isQuestion(sentence) ? 'atStart' : 'anywhere', requests)
    if (DELEGATES.test(sentence)) requests.set('write', Number.POSITIVE_INFINITY)
  }
  return requests
}

/** Deeds that were requested as data, once each. A request to share also covers a message about it. */
export function requestsFor(deeds: readonly Deed[]): RequestedDeeds {
  const requests = new Map<Deed, number>()
  // Reading needs no request.
  for (const deed of deeds) if (deed !== 'read') requests.set(deed, 1)
  if (requests.has('share')) requests.set('send', Math.max(1, requests.get('send') ?? 0))
  return requests
}

/** The requests of several messages together. */
export function combineRequests(all: readonly RequestedDeeds[]): RequestedDeeds {
  const [only, ...more] = all
  if (only !== undefined && more.length === 0) return only
  const sum = new Map<Deed, number>()
  for (const requests of all) for (const [deed, times] of requests) sum.set(deed, (sum.get(deed) ?? 0) + times)
  return sum
}

/** What a sentence of an untrusted text orders: only what reads as an order. */
export function orderedDeeds(sentence: string): RequestedDeeds {
  const orders = new Map<Deed, number>()
  addRequests(sentence, 'atStart', orders)
  if (orders.size === 0 && OBLIGATION.test(sentence)) orders.set('write', 1)
  return orders
}

function addRequests(sentence: string, where: 'anywhere' | 'atStart', requests: Map<Deed, number>): void {
  const text = sentence.replace(THANKS, ' ').replace(NEGATED_VERB, ' ')
  const countsSigns = where === 'anywhere' || CJK_REQUEST.test(text)
  readers ??= compileReaders()
  for (const reader of readers) {
    const found = count(text, reader[where]) + (countsSigns ? count(text, reader.signs) : 0)
    if (found === 0) continue
    requests.set(reader.deed, (requests.get(reader.deed) ?? 0) + found * timesPerVerb(text))
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function deedPattern({ verbs, nouns = '', phrases = [], stems = '' }: DeedWords, where: 'anywhere' | 'at-start') {
  const list = (words: string) => words.split(' ').filter((word) => word !== '')
  const always = list(verbs).join('|')
  const sometimes = list(nouns).join('|')
  // Überweisung is a noun, not a request.
  const stem = `(?!\\p{L}*ung)(?:${list(stems).join('|')})`
  // The word is matched before what leads to it: looking back from every letter would be slow.
  const bound = (words: string, more: string) =>
    words === '' ? [] : [`\\b(?=(?:${words})\\b)${REQUEST_START}(?:${words})\\b${more}`]
  const parts = [
    ...(where === 'anywhere'
      ? [`${NOT_NAMED}\\b(?:${always})\\b`, ...bound(sometimes, AND_MORE)]
      : [...bound(always, AND_MORE), ...bound(sometimes, AND_OBJECT)]),
    ...(where === 'anywhere' ? phrases : phrases.map((phrase) => `\\b(?=${phrase})${REQUEST_START}${phrase}`)),
    ...(stems === ''
      ? []
      : [`(?<!\\p{L})(?=${stem})${where === 'anywhere' ? '' : GERMAN_REQUEST_START}${stem}\\p{L}*${NOT_ENGLISH}`]),
  ]
  return new RegExp(parts.join('|'), 'giu')
}
