import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CUES } from '../intent/phrases.ts'
import { beginningsOf, GuardedPattern } from './guarded-pattern.ts'

test.each([
  ['move|copy', ['copy', 'move']],
  ['\\b(?:mov(?:e|es|ing)|copy)\\b', ['copy', 'move', 'movi']],
  ['(?:web )?browsers?\\b(?! war)', ['brow', 'web ']],
  ['(?<!zip )code|^go', ['code', 'go']],
  ['[这那]个|\\(a\\)', ['(a)', '这个', '那个']],
  ['ab+c|de{2}|fg{0,2}h', ['ab', 'de', 'fg', 'fh']],
])('every match of %s begins with one of %j', (source, beginnings) => {
  expect(beginningsOf(source)?.toSorted()).toEqual(beginnings)
})

test('what cannot be said is not guessed', () => {
  for (const source of ['\\d+ files', 'a?', '(?:)|b', '[^a]b', '.x', 'word|\\p{L}+', '(?:a|)', 'x*']) {
    expect(beginningsOf(source), source).toBeUndefined()
  }
})

const patterns = Object.values(CUES)
  .flat()
  .flatMap(({ all, beside = [], without = [], none = [] }) => [...all, ...beside, ...without, ...none])
const plain = new Map(patterns.map((pattern) => [pattern, new RegExp(pattern.source, pattern.flags)]))

function expectSame(text: string): void {
  for (const [guarded, ordinary] of plain) {
    const [found, due] = [guarded.exec(text), ordinary.exec(text)]
    if (found?.[0] !== due?.[0] || found?.index !== due?.index) expect(found, `${guarded} in ${text}`).toEqual(due)
  }
}

test('the cues of intents match the same words in real sentences as without the guard', () => {
  const root = join(import.meta.dirname, '../../..')
  const texts = ['README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'runtime/src/intent/detect.test.ts']
  const lines = texts.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .toLowerCase()
      .split(/[\n.。]/),
  )
  expect(lines.length).toBeGreaterThan(500)
  for (const line of lines) expectSame(line)
})

test('the cues of intents match the same words in any mixture of their own words', () => {
  const words = [...new Set(patterns.flatMap((pattern) => pattern.source.split(/[^\p{L}' -]+/u)))].filter(Boolean)
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })), { maxLength: 6 })
  fc.assert(
    fc.property(text, fc.constantFrom('', ' '), (parts, between) => expectSame(parts.join(between))),
    { numRuns: 300 },
  )
})

test('splitting and replacing work as with an ordinary pattern', () => {
  const pattern = new GuardedPattern('and|or')
  expect('a and b or c'.split(pattern)).toEqual(['a ', ' b ', ' c'])
  expect('a and b'.replace(pattern, 'or')).toBe('a or b')
  expect('neither'.replace(pattern, 'or')).toBe('neither')
})
