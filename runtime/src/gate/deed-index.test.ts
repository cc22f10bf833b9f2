/** The index against the plain way of reading the same lists: one pattern for all words of a deed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../language/letter-case.ts'
import { GERMAN_REQUEST_LEAD, REQUEST_START } from '../language/requests.ts'
import { sentencesOf } from '../language/sentences.ts'
import { AND_MORE, AND_OBJECT, countDeeds, countSigns, NAMED, type Reading } from './deed-index.ts'
import { DEED_WORDS, type DeedWords } from './deed-words.ts'

const list = (words = '') => words.split(' ').filter((word) => word !== '')
const bound = (words: string, more: string) => `\\b(?=(?:${words})\\b)${REQUEST_START}(?:${words})\\b${more}`

function plainPattern({ verbs, nouns, phrases = [], stems }: DeedWords, reading: Reading): RegExp {
  const always = list(verbs).join('|')
  const sometimes = list(nouns).join('|')
  const stem = `(?!\\p{L}*ung)(?:${list(stems).join('|')})`
  const anywhere = reading === 'anywhere'
  const parts = [
    anywhere ? `(?<!${NAMED.source.slice(4)}\\b(?:${always})\\b` : bound(always, AND_MORE.source),
    ...(sometimes === '' ? [] : [bound(sometimes, (anywhere ? AND_MORE : AND_OBJECT).source)]),
    ...phrases.map((phrase) => (anywhere ? phrase : `\\b(?=${phrase})${REQUEST_START}${phrase}`)),
    ...(stems === undefined
      ? []
      : [
          `(?<!\\p{L})(?=${stem})${anywhere ? '' : `(?:${REQUEST_START}|${GERMAN_REQUEST_LEAD})`}${stem}\\p{L}*(?<!ed|ing|ions?|ments?)(?!\\p{L})`,
        ]),
  ]
  return new RegExp(parts.join('|'), 'gu')
}

const plain = Object.entries(DEED_WORDS).map(([deed, words]) => ({
  deed,
  anywhere: plainPattern(words, 'anywhere'),
  'at-start': plainPattern(words, 'at-start'),
  signs: new RegExp(`(?<![已被])(?:${list(words.signs).join('|')})(?![了过的])`, 'gu'),
}))

const inOrder = (counts: Iterable<readonly [string, number]>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

function expectSameCounts(original: string): void {
  const text = foldCase(original)
  const count = (kind: Reading | 'signs') =>
    inOrder(
      plain.flatMap((one) => {
        const found = text.match(one[kind])?.length ?? 0
        return found === 0 ? [] : [[one.deed, found] as const]
      }),
    )
  for (const reading of ['anywhere', 'at-start'] as const)
    expect(inOrder(countDeeds(text, reading)), `${reading}: ${text}`).toEqual(count(reading))
  expect(inOrder(countSigns(text)), text).toEqual(count('signs'))
}

describe('the index finds what one pattern of all words would find', () => {
  test('in real sentences of both languages', () => {
    const root = join(import.meta.dirname, '../../..')
    const guides = readdirSync(join(root, 'docs/guides')).map((name) => join(root, 'docs/guides', name))
    const intents = join(root, 'runtime/test/fixtures/intents.jsonl')
    const files = [
      ...guides.filter((name) => name.endsWith('.md')).slice(0, 12),
      intents,
      join(root, 'README.zh-CN.md'),
    ]
    const sentences = new Set(files.flatMap((file) => sentencesOf(readFileSync(file, 'utf8'))))
    expect(sentences.size).toBeGreaterThan(1000)
    for (const sentence of sentences) expectSameCounts(sentence)
  })

  test('in any mixture of its words with words that lead to a request, name a thing or follow', () => {
    const known = Object.values(DEED_WORDS).flatMap(({ verbs, nouns, stems, signs, phrases = [] }) => [
      ...list(verbs),
      ...list(nouns),
      ...list(stems).map((stem) => stem.replace(/\\b|[()?|]/g, '')),
      ...list(signs).map((sign) => sign.replace(/\\S\{[^}]*\}|\(\?[!:]|[()?|\\+]/g, '')),
      ...phrases.flatMap((phrase) => phrase.match(/[a-z']+/g) ?? []),
    ])
    const between =
      'the my an please and to you bitte it Bob D-31 money access password back him up on two zu é ß İ ſ - _ 3 "I \'d gone 了 已 请 把 的 $5 . , : ; ! 。'.split(
        ' ',
      )
    const ending = fc.constantFrom('', '', '', 'ed', 'ing', 'ung', 's', 'en', 'ment')
    const word = fc.oneof(
      fc.tuple(fc.constantFrom(...known), ending).map((parts) => parts.join('')),
      fc.constantFrom(...between),
    )
    const gap = fc.constantFrom(' ', ' ', ' ', '', '-', '\n')
    const text = fc.array(fc.tuple(word, gap), { maxLength: 10 }).map((parts) => parts.flat().join(''))
    fc.assert(fc.property(text, expectSameCounts), { numRuns: 2000 })
  })
})
