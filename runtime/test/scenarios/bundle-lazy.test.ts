import { expect, test } from 'vitest'
import { madeLater } from '../../../scripts/bundle-lazy.ts'

/** Runs code that fills `exports`. */
function run(code: string): Record<string, () => unknown> {
  const exports: Record<string, () => unknown> = {}
  new Function('exports', code)(exports)
  return exports
}

test('in the bundle a pattern is made at its first use, and only once', () => {
  const code = String.raw`
    const LETTERS = /\p{L}+/gu;
    const PAIR = new RegExp(LETTERS.source + '-' + LETTERS.source, 'u');
    const table = { LETTERS: 'LETTERS', list: () => [...[LETTERS], table.LETTERS] };
    exports.list = table.list; exports.same = () => LETTERS === LETTERS; exports.pair = () => PAIR.exec('é-b')?.[0];`
  const later = madeLater(code)
  expect(later).not.toContain('const LETTERS')
  for (const name of ['list', 'same', 'pair']) expect(run(later)[name]?.()).toEqual(run(code)[name]?.())
  expect(run(later).same?.()).toBe(true)
  expect(() => run(madeLater("const BROKEN = new RegExp('('); exports.f = () => BROKEN;"))).not.toThrow()
})

test('where a text decides between a pattern and its twin for ASCII, the bundle makes only the chosen one', () => {
  const code = String.raw`
    const NAME = /^\p{Lu}\p{L}+$/u;
    const fitting$1 = (text, pattern) => 'ascii' in pattern ? pattern[text] : () => pattern;
    exports.chosen = () => ['ascii', 'whole'].map((text) => fitting$1(text, NAME)().source);
    exports.used = () => NAME.test('Zoë');`
  const later = run(madeLater(code))
  expect(later.chosen?.()).toEqual(['^[A-Z][A-Za-z]+$', String.raw`^\p{Lu}\p{L}+$`])
  expect(later.used?.()).toBe(true)
  expect(run(code).chosen?.()).not.toEqual(later.chosen?.())
})

test.each([
  ['a parameter of the same name', 'const A = /a/; exports.f = ((A) => A + 1)(1);'],
  ['a variable of the same name', 'const A = /a/; { const A = 1; exports.f = A }'],
  ['a part of an object of the same name', 'const A = /a/; exports.f = (({ A }) => A)({ A: 2 });'],
  ['a renamed part', 'const A = /a/; exports.f = (({ b: A }) => A)({ b: 3 });'],
  ['a short form', 'const A = /a/; exports.f = { A };'],
  ['no constant of the whole file', 'function f() { const A = /a/; return A } exports.f = f();'],
])('%s leaves the code as it is', (_, code) => {
  expect(madeLater(code)).toBe(code)
})
