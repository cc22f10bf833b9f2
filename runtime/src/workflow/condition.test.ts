import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../base/json.ts'
import { ConditionFault, holds, parseCondition, referencesIn } from './condition.ts'
import { spell } from './variables.ts'

const KNOWN: Record<string, Json> = {
  'nodes.check.outputs.status': 200,
  'nodes.check.state': 'done',
  'external.limit': '150',
  'external.flag': true,
  'external.list': [1, 2],
  'external.nothing': null,
}
const says = (text: string) => holds(parseCondition(text), (reference) => KNOWN[spell(reference)])

describe('a condition', () => {
  test.each([
    ['{{nodes.check.outputs.status}} == 200', true],
    ['{{nodes.check.outputs.status}} != 200', false],
    ['{{nodes.check.outputs.status}} >= 200 and {{nodes.check.outputs.status}} < 300', true],
    ["{{nodes.check.state}} == 'done'", true],
    ['{{nodes.check.state}} == "failed" or {{external.flag}}', true],
    ['not {{external.flag}}', false],
    ['not not {{external.flag}}', true],
    ['not ({{external.flag}} and false)', true],
    ['false and false or true', true],
    ['false and (false or true)', false],
    ['exists({{external.flag}})', true],
    ['exists({{external.gone}})', false],
    ['exists({{external.nothing}})', false],
    ['{{external.gone}} == null', true],
    ['{{external.list}} == {{external.list}}', true],
    ["'a' < 'b'", true],
    ['-1.5 < 0', true],
  ])('%s → %s', (text, expected) => expect(says(text)).toBe(expected))

  test('beside a number, a text that is one counts as one', () => {
    expect(says('{{external.limit}} > 20')).toBe(true)
    expect(says('{{external.limit}} == 150')).toBe(true)
    expect(says("{{external.limit}} == '150'")).toBe(true)
  })

  test('values of different kinds are neither more nor less', () => {
    for (const text of ['{{external.flag}} < 5', '{{external.list}} > 1', '{{external.gone}} < 1', "'x' >= 1"])
      expect(says(text), text).toBe(false)
  })

  test('only true is true', () => {
    expect(says('{{nodes.check.outputs.status}}')).toBe(false)
    expect(says('{{nodes.check.state}}')).toBe(false)
  })

  test.each([
    ['', 1],
    ['{{external.a}} ==', 18],
    ['{{external.a}} = 1', 16],
    ['(true', 6],
    ['true)', 5],
    ['exists(1)', 8],
    ['{{process.exit}}', 1],
    ['constructor', 1],
    ['true && false', 6],
    ['`rm -rf`', 1],
    ["'open", 1],
  ])('%j is none, and column %d says where', (text, column) => {
    expect(() => parseCondition(text)).toThrow(ConditionFault)
    try {
      parseCondition(text)
    } catch (error) {
      expect(error).toMatchObject({ column })
    }
  })

  test('names every variable it reads', () => {
    const text = 'exists({{external.a}}) or not ({{env.B}} == {{nodes.c.outputs.d}} and {{nodes.e.state}} != 1)'
    expect(referencesIn(parseCondition(text)).map(spell)).toEqual([
      'external.a',
      'env.B',
      'nodes.c.outputs.d',
      'nodes.e.state',
    ])
  })

  test('any text is either understood or refused, and nothing else happens', () => {
    const word = fc.constantFrom(
      '(',
      ')',
      'and',
      'or',
      'not',
      'exists',
      '==',
      '<',
      '{{external.flag}}',
      '5',
      "'x'",
      'true',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 400 }).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(typeof says(text)).toBe('boolean')
        } catch (error) {
          expect(error).toBeInstanceOf(ConditionFault)
        }
      }),
    )
  })

  test('obeys the laws of logic', () => {
    const leaf = fc.constantFrom('true', 'false', '{{external.flag}}', '1 < 2', 'exists({{external.gone}})')
    fc.assert(
      fc.property(leaf, leaf, (a, b) => {
        expect(says(`not (${a} and ${b})`)).toBe(says(`not ${a} or not ${b}`))
        expect(says(`${a} or ${b}`)).toBe(says(a) || says(b))
      }),
    )
  })
})
