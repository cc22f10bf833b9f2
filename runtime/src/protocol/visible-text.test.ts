import { describe, expect, test } from 'vitest'
import { clipPreview, foldBlanks, hostOf, previewParts } from './preview.ts'
import { visible } from './visible-text.ts'

describe('visible text', () => {
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
    ['a division slash in an address', 'https://a.example\u2215x@b.example/', 'https://a.example\\u{2215}x@b.example/'],
    ['a fraction slash', 'https://a.example\u2044x@b.example/', 'https://a.example\\u{2044}x@b.example/'],
    ['a box-drawing slash in a host', 'https://a.example\u2571@b.example/', 'https://a.example\\u{2571}@b.example/'],
    ['a Chinese full stop in a host', 'https://a\u3002example/', 'https://a\\u{3002}example/'],
    ['a blank Braille cell', 'ls\u2800x', 'ls\\u{2800}x'],
    ['a space that does not break', 'rm\u00a0x', 'rm\\u{a0}x'],
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
    '好。请看：https://例子.example/路径。',
  ])('%s stays as it is', (text) => expect(visible(text)).toBe(text))
})

describe('long previews', () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `line ${i}`).join('\n')

  test('show both ends, keep the lines between, and add up earlier cuts', () => {
    const { head, middle, tail, cut } = previewParts(text, 200)
    expect([head.length, middle.length, tail.length, cut]).toEqual([100, 9_800, 100, 0])
    expect([...head, ...middle, ...tail].join('\n')).toBe(text)
    const clipped = previewParts(clipPreview(text, 8_000), 200)
    expect(clipped.head.length + clipped.middle.length + clipped.tail.length + clipped.cut).toBe(10_000)
  })

  test('are shown whole when they fit', () => {
    expect(previewParts(clipPreview('a\nb', 100), 200)).toEqual({ head: ['a', 'b'], middle: [], tail: [], cut: 0 })
  })

  test('long runs of blank lines or spaces are counted instead', () => {
    expect(foldBlanks(`git status${'\n'.repeat(61)}rm -rf x`)).toBe('git status\n⏎×60\nrm -rf x')
    expect(foldBlanks(`git status${'\n \t'.repeat(61)}\nrm -rf x`)).toBe('git status\n⏎×61\nrm -rf x')
    expect(foldBlanks(`ls;${' '.repeat(500)}rm -rf x`)).toBe('ls; ␠×500 rm -rf x')
    expect(foldBlanks('a\n\n\nb\n    c')).toBe('a\n\n\nb\n    c')
  })

  test.each([
    ['https://github.com\u2215x@evil.example/', 'evil.example'],
    ['https://github.com:443@evil.example/', 'evil.example'],
    ['http://127.0.0.1:8080/a', '127.0.0.1:8080'],
    ['notes.txt', undefined],
  ])('the host of %s is %s', (url, host) => expect(hostOf(url)).toBe(host))
})
