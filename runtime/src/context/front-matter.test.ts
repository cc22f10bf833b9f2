import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'

const fieldsOf = (head: string) => {
  const read = readFrontMatter(`---\n${head}\n---\nbody`)
  return 'fields' in read ? Object.fromEntries(read.fields) : read
}

describe('supported syntax', () => {
  test.each([
    ['name: weekly-report', { name: 'weekly-report' }],
    ['description: Use when: a report is due # not read', { description: 'Use when: a report is due' }],
    ['description: C# and F#', { description: 'C# and F#' }],
    ['a: "one: \\"two\\" # three" # four', { a: 'one: "two" # three' }],
    ["a: 'it''s'", { a: "it's" }],
    ['a: [x, "y, z", \'w\']', { a: ['x', 'y, z', 'w'] }],
    ['a: []', { a: [] }],
    ['a:\n  - x\n  - "y"\n\nb: 1', { a: ['x', 'y'], b: '1' }],
    ['a:\n- x\n- y', { a: ['x', 'y'] }],
    ['a: >-\n  one\n  two\n\nb: c', { a: 'one two', b: 'c' }],
    ['a: |\n  one\n  two', { a: 'one\ntwo' }],
    ['a: one\n  two', { a: 'one two' }],
    ['a:', { a: '' }],
    ['# note\n\na: b', { a: 'b' }],
    ['metadata:\n  author: me\n  deep:\n    er: 1\na: b', { metadata: undefined, a: 'b' }],
    ['描述: x', { problem: 'not-a-pair', line: 2 }],
  ])('%j', (head, fields) => {
    expect(fieldsOf(head)).toEqual(fields)
  })
})

test('the body begins after the front matter, with any line ending', () => {
  expect(readFrontMatter('---\r\na: b\r\n---\r\n\r\n# Title\r\n---\r\nrest\r\n')).toMatchObject({
    body: '# Title\n---\nrest',
  })
})

describe('unsupported syntax is reported by line', () => {
  test.each([
    ['no head', { problem: 'missing', line: 1 }],
    ['---\na: b\n', { problem: 'unclosed', line: 3 }],
    [`---\na: ${'b'.repeat(20_000)}\n---`, { problem: 'too-long', line: 3 }],
    ['---\na: b\njust words\n---', { problem: 'not-a-pair', line: 3 }],
    ['---\na: b\na: c\n---', { problem: 'repeated', line: 3 }],
    ['---\na: "b\n---', { problem: 'quotes', line: 2 }],
    ['---\na: [b\n---', { problem: 'quotes', line: 2 }],
    ['---\na: "\\x"\n---', { problem: 'quotes', line: 2 }],
    ['---\na: &anchor b\n---', { problem: 'unsupported', line: 2 }],
    ['---\na: {b: c}\n---', { problem: 'unsupported', line: 2 }],
    ['---\na:\n  - b\n  c\n---', { problem: 'not-a-pair', line: 2 }],
  ])('%j', (text, problem) => {
    expect(readFrontMatter(text)).toEqual(problem)
  })
})

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    'a:',
    ' ',
    '-',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '#',
    'x',
    '&',
    '\\',
    '\u2028',
    '\r',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      readFrontMatter(`---\n${pieces.join('')}\n---\n`)
    }),
    { numRuns: 500 },
  )
})
