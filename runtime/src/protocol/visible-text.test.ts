import { describe, expect, test } from 'vitest'
import { clipPreview, previewLines } from './preview.ts'
import { visible } from './visible-text.ts'

describe('what a person is shown of a call', () => {
  test.each([
    ['a mark that turns the order', 'python3 run\u202Eyp.txt', 'python3 run\\u{202e}yp.txt'],
    ['isolates, as in a trojan source', 'if (a\u2066 // x\u2069', 'if (a\\u{2066} // x\\u{2069}'],
    ['a space without width', 'rm\u200b -rf', 'rm\\u{200b} -rf'],
    ['a joiner between Latin letters', 'pay\u200dpal', 'pay\\u{200d}pal'],
    ['a soft hyphen', 'pay\u00adpal', 'pay\\u{ad}pal'],
    ['letters of the tag block', 'hi\u{e0041}', 'hi\\u{e0041}'],
    ['a variation selector behind a letter', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal.com', 'p\\u{430}ypal.com'],
    [
      'a host of Cyrillic letters',
      'https://\u0430\u0440\u0440\u04cf\u0435.com/',
      'https://\\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com/',
    ],
    ['the same without a scheme', '\u0430\u0440\u0440\u04cf\u0435.com', '\\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com'],
    ['a Greek letter in a name', 'README.m\u0501', 'README.m\\u{501}'],
    ['full-width letters in a Latin word', 'rm \uff52m', 'rm \\u{ff52}m'],
    ['mathematical letters', '\u{1d41a}bc', '\\u{1d41a}bc'],
  ])('%s is spelt out', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  test.each([
    'plain',
    '中文 and English',
    '测试abc',
    'Привет, мир',
    'файл.md',
    'Ελληνικά',
    '👩‍💻 ❤️ 👍🏽',
    'می‌خواهم',
    'क्‍ष',
    'naïve café',
  ])('%s stays as it is', (text) => expect(visible(text)).toBe(text))
})

describe('a preview that is too long', () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `line ${i}`).join('\n')

  test('says how many lines of all there are not shown, however often it was cut', () => {
    const { lines, hidden } = previewLines(clipPreview(text, 8_000), 200)
    expect([lines.length, lines.length + hidden]).toEqual([200, 10_000])
    expect(previewLines(text, 200)).toEqual({ lines: text.split('\n').slice(0, 200), hidden: 9_800 })
  })

  test('one that fits is whole', () => {
    expect(previewLines(clipPreview('a\nb', 100), 200)).toEqual({ lines: ['a', 'b'], hidden: 0 })
  })
})
