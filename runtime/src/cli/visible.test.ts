import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { oneLine, visible } from '../protocol/visible-text.ts'
import { fit, padTo, widthOf } from './visible.ts'

describe('text for a terminal', () => {
  test('escape sequences and direction marks are shown, not obeyed', () => {
    expect(visible('a\x1b[2Jb')).toBe('a\\u{1b}[2Jb')
    expect(visible('rm \u202etxt.exe')).toBe('rm \\u{202e}txt.exe')
    expect(visible('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
  })

  test('an ellipsis in the place of a host is shown as it is; in a host it is not', () => {
    expect(visible('https://…/open-apis/bot/v2/hook/…')).toBe('https://…/open-apis/bot/v2/hook/…')
    expect(visible('https://bank.com…evil.com/x')).toBe('https://bank.com\\u{2026}evil.com/x')
  })

  test('a line stays one line', () => {
    expect(oneLine('  a\n\n b\r\nc ')).toBe('a b c')
  })

  test.each([
    ['abc', 3],
    ['中文', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['：', 2],
  ])('%s takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })

  test('what is fitted never takes more columns than there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(widthOf(fit(text, columns))).toBeLessThanOrEqual(columns)
      }),
    )
  })

  test('padding counts columns, not characters', () => {
    expect(widthOf(padTo('中', 4))).toBe(4)
  })
})
