import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitting, twinOf } from './fitting-pattern.ts'

/** Every pattern with the flag `u` that is written in these folders. */
const LITERAL =
  /(?<=[=(:,]\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/([gimsy]*u[gimsy]*)(?=[,);.\n])/g
const folder = join(import.meta.dirname, '..')
const files = globSync('{gate,language}/**/*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'))
const patterns = files.flatMap((name) =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(LITERAL)].map(
    ([, source = '', flags = '']) => new RegExp(source, flags),
  ),
)
const pairs = patterns.flatMap((pattern) => {
  const twin = twinOf(pattern)
  return twin === undefined ? [] : [[anywhere(pattern), anywhere(twin)] as const]
})

function anywhere({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
}

test('in a text of ASCII characters a pattern and its twin find the same', () => {
  expect(pairs.length).toBeGreaterThan(100)
  const words = patterns.flatMap(({ source }) => source.match(/[A-Za-z']+/g) ?? [])
  const part = fc.oneof(
    fc.constantFrom(...new Set(words)),
    fc.constantFrom(...' .,;:!?\'"()[]{}<>@#/\\-_+%&*|\n\t0123456789AZaksz'.split('')),
    fc.constantFrom('bob@corp.example', 'T-12', 'Dr. Ann Lee', 'No. 7', 'http://a.example/b?c=1', '[email]', "I've"),
  )
  const text = fc.array(fc.tuple(part, fc.constantFrom(' ', ' ', '')), { maxLength: 12 })
  fc.assert(
    fc.property(text, (parts) => {
      const words = parts.flat().join('')
      for (const [pattern, twin] of pairs) {
        const [found, due] = [twin, pattern].map((one) => JSON.stringify([...words.matchAll(one)]))
        if (found !== due) expect(found, `${pattern} in ${words}`).toBe(due)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a text with another character is read by the pattern itself', () => {
  const name = /^\p{Lu}\p{L}+$/u
  expect(fitting('Zoë', name)).toBe(name)
  expect(fitting('Zoe', name).source).toBe('^[A-Z][A-Za-z]+$')
  expect(['Zoë', 'Zoe', 'zoe'].map((text) => fitting(text, name).test(text))).toEqual([true, true, false])
})

test('of twins that are not made yet only the fitting one is made', () => {
  const made: string[] = []
  const maker = (name: string, pattern: RegExp) => () => {
    made.push(name)
    return pattern
  }
  const twins = { whole: maker('whole', /^\p{L}+$/u), ascii: maker('ascii', /^[A-Za-z]+$/) }
  expect(fitting('Zoe', twins).test('Zoe')).toBe(true)
  expect(made).toEqual(['ascii'])
  expect(fitting('Zoë', twins).test('Zoë')).toBe(true)
  expect(made).toEqual(['ascii', 'whole'])
})

test('a pattern is as if it had never been tried when it is compiled', () => {
  const words = /\w+/g
  words.lastIndex = 2
  expect(fitting('ab cd', words).exec('ab cd')?.[0]).toBe('cd')
  expect('ab cd'.match(fitting('ab cd', words))).toEqual(['ab', 'cd'])
})

test('a pattern whose twin is not known is used itself', () => {
  for (const pattern of [/\P{L}/u, /\p{Sc}/u, /\u{1f600}|a/u]) expect(fitting('a', pattern)).toBe(pattern)
})
