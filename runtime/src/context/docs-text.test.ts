import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePdf } from '../../test/support/pdf.ts'
import { sectionsOf } from './docs-sections.ts'
import { snippetOf } from './docs-snippet.ts'
import { decode, readContent, readPlain } from './docs-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sections = (text: string, path = 'a.md') =>
  sectionsOf(readPlain(text, path), path).map(({ line, heading, text: body }) => [line, heading, body])

describe('Markdown', () => {
  test('is split at its headings, and each section knows its place', () => {
    const text = '# Store\nintro\n\n## SQLite\none file\n\n### WAL\nfast\n\n## Postgres\nmany workers'
    expect(sections(text)).toEqual([
      [1, '', '# Store\nintro\n'],
      [4, 'SQLite', '## SQLite\none file\n'],
      [7, 'SQLite › WAL', '### WAL\nfast\n'],
      [10, 'Postgres', '## Postgres\nmany workers'],
    ])
    expect(readPlain(text, 'docs/a.md').title).toBe('Store')
  })

  test('a heading without text is joined with the one below', () => {
    expect(sections('# Store\n\n## SQLite\n\none file\n\n## Last')).toEqual([
      [1, 'SQLite', '# Store\n\n## SQLite\n\none file\n'],
      [7, 'Last', '## Last'],
    ])
  })

  test('headings are read without their markup, underlined ones too', () => {
    const { title, marks } = readPlain('The *big* [plan](p.md)\n====\n\nPart\n---\n\n## `code` ##', 'a.md')
    expect(title).toBe('The big plan')
    expect(marks.map(({ level, heading }) => [level, heading])).toEqual([
      [1, 'The big plan'],
      [2, 'Part'],
      [2, 'code'],
    ])
  })

  test('front matter may give the title', () => {
    expect(readPlain('---\nid: 7\ntitle: "The plan"\n---\n\n# Other', 'a.md').title).toBe('The plan')
    expect(readPlain('---\ntitle: no end of it\n\n# Other', 'a.md').title).toBe('Other')
  })

  test('lines in code, tables and front matter are not headings', () => {
    const text =
      '---\ntitle: x\n# no\n---\n\n```sh\n# no\n```\n\n| a |\n---\n\n- item\n---\n\n~~~\n```\n# no\n~~~\n# yes'
    expect(readPlain(text, 'a.md').marks).toEqual([{ line: 19, level: 1, heading: 'yes' }])
  })
})

test('a long section is split at blank lines, and nothing is lost', () => {
  const text = Array.from({ length: 60 }, (_, i) => `paragraph ${i} ${'word '.repeat(20)}`).join('\n\n')
  const parts = sections(text, 'a.txt')
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.map(([, , body]) => body).join('\n')).toBe(text)
  for (const [line, , body] of parts) expect(text.split('\n')[Number(line) - 1]).toBe(String(body).split('\n')[0])
})

test('a line too long to show is split, and nothing is lost', () => {
  for (const line of ['长句。'.repeat(2000), 'x'.repeat(5000), '👍'.repeat(3000), 'some words '.repeat(1000)]) {
    const { lines } = readPlain(line, 'a.txt')
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).toBe(line)
    for (const part of lines) expect(part.isWellFormed() && part.length <= 1000).toBe(true)
  }
})

test('HTML gives its text: blocks are lines, without scripts and hidden parts', async () => {
  const page =
    '<html><head><title>My  Page</title><style>p{}</style></head><body><h1>Head</h1><script>alert(1)</script>' +
    '<p>Hello <b>bold</b> world.</p><ul><li>one<li>two</ul><pre>a\n  b</pre><table><tr><td>x</td><td>y</td></tr></table>' +
    '<div hidden>unseen</div><h2>Next</h2>tail<br>end &amp; more &#0;</body></html>'
  const content = await readContent(bytes(page), 'a.html')
  expect(content).toEqual({
    title: 'My Page',
    lines: [
      ...['Head', '', 'Hello bold world.', '', '- one', '- two', '', 'a', '  b', '', 'x y', ''],
      ...['Next', '', 'tail', 'end & more \ufffd'],
    ],
    marks: [
      { line: 0, level: 1, heading: 'Head' },
      { line: 12, level: 2, heading: 'Next' },
    ],
  })
  expect((await readContent(bytes('just <p>a fragment'), 'b.htm'))?.lines).toEqual(['just', 'a fragment'])
})

test('a PDF gives the text of its pages', async () => {
  const content = await readContent(
    makePdf([['The heron nests in spring.', 'It eats fish.'], ['About otters.']]),
    'a.pdf',
  )
  expect(content).toEqual({
    title: 'a.pdf',
    lines: ['The heron nests in spring.', 'It eats fish.', 'About otters.'],
    marks: [
      { line: 0, level: 2, heading: 'p. 1' },
      { line: 2, level: 2, heading: 'p. 2' },
    ],
  })
})

test('a PDF whose font maps characters to radicals gives what it shows', async () => {
  const content = await readContent(makePdf([['RMA']], { R: '⼈', M: '⺠', A: '报' }), 'a.pdf')
  expect(content?.lines).toEqual(['人民报'])
})

describe('bytes', () => {
  test.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x68, 0x69], 'hi'],
    ['UTF-16, little end first', [0xff, 0xfe, 0x87, 0x65, 0x63, 0x68], '文档'],
    ['UTF-16, big end first', [0xfe, 0xff, 0x65, 0x87, 0x68, 0x63], '文档'],
    ['GBK', [0xce, 0xc4, 0xb5, 0xb5, 0xcb, 0xd1, 0xcb, 0xf7], '文档搜索'],
    ['Latin-1, which is not guessed at', [0x72, 0xe9, 0x73, 0x75, 0x6d, 0xe9, 0x20, 0x6f], 'r\ufffdsum\ufffd o'],
    ['nothing', [], ''],
  ])('%s', (_, given, text) => {
    expect(decode(new Uint8Array(given))).toBe(text)
  })

  test('with a NUL are not text', () => {
    expect(decode(new Uint8Array([0x68, 0, 0x69]))).toBeUndefined()
  })

  test('any bytes give text that every database can store', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (given) => {
        const text = decode(given) ?? ''
        expect(text.isWellFormed() && !text.includes('\0')).toBe(true)
      }),
    )
  })
})

describe('a snippet', () => {
  const text = `${'filler line\n'.repeat(40)}The gate decides.\n${'more filler\n'.repeat(40)}The gate and the journal agree.\nend`

  test('shows where most of the words are close together, with the line', () => {
    const { text: shown, line, seen } = snippetOf(text, ['gate', 'journal'])
    expect(shown).toContain('The gate and the journal agree.')
    expect(text.split('\n')[line]).toBe('The gate and the journal agree.')
    expect(seen).toEqual(['gate', 'journal'])
  })

  test('matches whole words only, and Chinese anywhere', () => {
    expect(snippetOf('restart the art', ['art']).seen).toEqual(['art'])
    expect(snippetOf('restart', ['art']).seen).toEqual([])
    expect(snippetOf('她在东京机房工作', ['机房']).seen).toEqual(['机房'])
  })

  test('is a well-formed part of the text, for any text and query', () => {
    const word = fc.constantFrom('gate', '网关', '👍', 'İ', ' ', '\n', 'x'.repeat(300), 'e\u0301')
    fc.assert(
      fc.property(
        fc.array(word).map((parts) => parts.join('')),
        fc.array(word),
        (given, asked) => {
          const { text: shown, line } = snippetOf(given, asked)
          const core = shown.replace(/^…|…$/g, '')
          expect(given.replace(/\s+/g, ' ')).toContain(core)
          expect(shown.isWellFormed()).toBe(true)
          expect(line).toBeLessThan(given.split('\n').length)
        },
      ),
    )
  })
})
