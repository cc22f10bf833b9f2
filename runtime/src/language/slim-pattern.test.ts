import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CUES } from '../intent/phrases.ts'
import { slimmed } from './slim-pattern.ts'

function partsOf(text: string): Set<string> {
  return new Set(
    Array.from({ length: text.length }, (_, at) => at).flatMap((at) =>
      [1, 2, 3, 4].map((size) => text.slice(at, at + size)),
    ),
  )
}

test.each([
  ['\\b(?:mov(?:e|es)|copy|zip)\\b|(?:复制|移动)', 'move it', '\\b(?:mov(?:e|es))\\b'],
  ['\\b(?:file|folder)(?:s|es)?\\b|^go|[ab]c', 'a file', '\\b(?:file)(?:s|es)?\\b|^go|[ab]c'],
  ['(?:web )?browser|site', 'no words', '(?:web )?browser'],
  ['do?g|ca{2}t|x', 'dg', 'do?g'],
  ['one|two', 'three', '(?!)'],
  ['(a)|b', 'b', '(a)|b'],
  ['\\b(?:a[|)]b|c\\|d)\\b', 'c|d', '\\b(?:c\\|d)\\b'],
])('of %s, for the text %j, %s is left', (source, text, left) => {
  expect(slimmed(source, partsOf(text))).toBe(left)
})

const patterns = Object.values(CUES)
  .flat()
  .flatMap(({ all, beside = [], without = [], none = [] }) => [...all, ...beside, ...without, ...none])
const ordinary = [...new Map(patterns.map(({ source }) => [source, new RegExp(source, 'u')])).values()]

test('the cues of intents match the same words with and without those that cannot match', () => {
  const words = [...new Set(ordinary.flatMap((pattern) => pattern.source.split(/[^\p{L}' -]+/u)))].filter(Boolean)
  const part = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom('s', 'es', 'ing', 'ed', '\ue002', 'a', 'b', '😀', '移'),
    fc.string({ maxLength: 4 }),
  )
  const text = fc.tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom('', ' '))
  fc.assert(
    fc.property(text, ([written, between]) => {
      const text = written.join(between)
      const parts = partsOf(text)
      for (const pattern of ordinary) {
        const due = pattern.exec(text)
        const found = new RegExp(slimmed(pattern.source, parts), 'u').exec(text)
        if (found?.[0] !== due?.[0] || found?.index !== due?.index) expect(found, `${pattern} in ${text}`).toEqual(due)
      }
    }),
    { numRuns: 150 },
  )
})
