import { describe, expect, test } from 'vitest'
import { matchesWildcards } from './wildcards.ts'

describe('wildcards', () => {
  test.each([
    ['*', 'a', true],
    ['*', '', true],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'aXbY', false],
    ['?', 'ab', false],
    ['.[e]nv', '.ENV', true],
    ['[', '[', true],
    ['a[b', 'a[b', true],
    ['文*', '文件', true],
    ['?', '😀', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesWildcards(pattern, text)).toBe(expected)
  })

  test('a pattern with many stars is matched fast', () => {
    expect(matchesWildcards(`${'*a'.repeat(60)}*b`, 'a'.repeat(5000))).toBe(false)
    expect(matchesWildcards(`${'*'.repeat(5000)}Q`, 'a'.repeat(5000))).toBe(false)
  })
})
