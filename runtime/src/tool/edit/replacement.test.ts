import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WritError } from '../../errors/writ-error.ts'
import { type Replacement, replaceText } from './replacement.ts'

const edit = (text: string, args: Omit<Replacement, 'path'>) => replaceText(text, { path: 'a.txt', ...args })
const failure = (text: string, args: Omit<Replacement, 'path'>): WritError => {
  try {
    edit(text, args)
  } catch (error) {
    if (error instanceof WritError) return error
    throw error
  }
  throw new Error('the edit was applied')
}

describe('replacing text', () => {
  test('text is literal: neither patterns nor `$` have a meaning', () => {
    expect(edit('a.c abc', { old: 'a.c', new: "$& $1 $' $$" })).toBe("$& $1 $' $$ abc")
    expect(edit('x', { old: 'x', new: '\\n' })).toBe('\\n')
  })

  test('text that occurs several times is replaced only with `all`', () => {
    const error = failure('one\ntwo\none\n', { old: 'one', new: '1' })
    expect(error.code).toBe('EDIT_AMBIGUOUS')
    expect(error.message).toBe('a.txt contains the old text 2 times (lines 1, 3)')
    expect(edit('one\ntwo\none\n', { old: 'one', new: '1', all: true })).toBe('1\ntwo\n1\n')
  })

  test('overlapping places are ambiguous, and are replaced from the left', () => {
    expect(failure('aaa', { old: 'aa', new: 'b' }).code).toBe('EDIT_AMBIGUOUS')
    expect(edit('aaa', { old: 'aa', new: 'b', all: true })).toBe('ba')
  })

  test('an edit that changes nothing is an error', () => {
    expect(failure('a\n', { old: 'a', new: 'a' }).code).toBe('EDIT_WITHOUT_CHANGE')
    expect(failure('a\r\nb', { old: 'a\nb', new: 'a\r\nb' }).code).toBe('EDIT_WITHOUT_CHANGE')
  })

  test.each([
    ['old lines match returns', 'a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'a\nx\ny' }, 'a\r\nx\r\ny\r\nc\r\n'],
    ['new returns do not get into a plain file', 'a\nb\n', { old: 'a', new: 'x\r\ny' }, 'x\ny\nb\n'],
    [
      'untouched lines keep their mixed endings',
      'a\r\nb\nc\r\nd\n',
      { old: 'a\nb\nc\nd', new: 'a\nb\nC\nd' },
      'a\r\nb\nC\r\nd\n',
    ],
    ['a new line gets the ending of its place', 'a\nb\r\nc\n', { old: 'b', new: 'b\nb' }, 'a\nb\r\nb\r\nc\n'],
    ['the last line gets the ending before it', 'a\r\nb', { old: 'b', new: 'b\nc' }, 'a\r\nb\r\nc'],
    ['a single line takes the new text as it is', 'a', { old: 'a', new: 'x\r\ny\r\n' }, 'x\r\ny\r\n'],
    ['a byte order mark stays', '\ufeffa\n', { old: 'a', new: 'b' }, '\ufeffb\n'],
    ['a line can be removed with its return', 'a\r\nb\r\nc', { old: 'b\n', new: '' }, 'a\r\nc'],
  ])('%s', (_, text, args, expected) => {
    expect(edit(text, args)).toBe(expected)
  })

  test('text that is not there is answered with the nearest lines', () => {
    const text = 'import a\n\nfunction add(a, b) {\n\treturn a + b\n}\n'
    const { code, hint } = failure(text, { old: 'function add(a, b) {\n    return a+b\n}', new: '' })
    expect(code).toBe('EDIT_NOT_FOUND')
    expect(hint).toContain('3 | function add(a, b) {\n4 | \treturn a + b\n5 | }')
    expect(failure(text, { old: 'functoin add(a, b)', new: '' }).hint).toContain('3 | function add(a, b) {')
    expect(failure(text, { old: '完全不同', new: '' }).hint).toBe('Read the file again.')
  })

  test('for 1,000 generated edits, everything outside the edit keeps its bytes', () => {
    const ending = fc.constantFrom('\n', '\r\n')
    const line = fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '😀', '$&', ' '), maxLength: 4 }), ending)
    const file = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(line, { maxLength: 8 }), fc.constantFrom('', 'end'))
    const plain = (text: string) => text.replaceAll('\r\n', '\n')
    let edits = 0
    fc.assert(
      fc.property(
        file,
        fc.nat(),
        fc.nat({ max: 12 }),
        fc.string({ unit: fc.constantFrom('x', '\n', '\r\n', '$1') }),
        ([bom, lines, end], at, length, fresh) => {
          const text = lines.map((parts) => parts.join('')).join('') + end
          const whole = plain(text)
          const from = whole.length === 0 ? 0 : at % whole.length
          const old = whole.slice(from, from + length + 1)
          const isOnly = old !== '' && whole.indexOf(old) === from && whole.indexOf(old, from + 1) < 0
          if (!isOnly || plain(fresh) === old) return
          edits++
          const changed = edit(bom + text, { old, new: fresh })
          const [head, tail] = [whole.slice(0, from), whole.slice(from + old.length)]
          expect(changed.startsWith(bom)).toBe(true)
          expect(plain(changed.slice(bom.length))).toBe(head + plain(fresh) + tail)
          // Lines before and after the edited ones are the same bytes, endings included.
          const kept = (part: string) => part.split('\n').length - 1
          const before = text.split('\n').slice(0, kept(head))
          const after = kept(tail) === 0 ? [] : text.split('\n').slice(-kept(tail))
          const result = changed.slice(bom.length).split('\n')
          expect(result.slice(0, before.length)).toEqual(before)
          expect(after.length === 0 ? [] : result.slice(-after.length)).toEqual(after)
        },
      ),
      { numRuns: 6_000 },
    )
    expect(edits).toBeGreaterThan(1_000)
  })

  test.each([
    ['a text of one letter', 'a'.repeat(2_000_000), `${'a'.repeat(400_000)}b${'a'.repeat(400_000)}`],
    ['equal lines', 'x\n'.repeat(300_000), `${'x\n'.repeat(100_000)}y\n`],
    ['blank lines', '\n'.repeat(1_000_000), `\n\n\ny${'\n'.repeat(1_000)}`],
    ['similar lines', 'abcdefgh ijkl\n'.repeat(300_000), 'abcdefgh ijkm'],
  ])('a search in %s ends', (_, text, old) => {
    expect(failure(text, { old, new: '' }).code).toBe('EDIT_NOT_FOUND')
  })

  test('a result larger than the largest file is refused before it exists', () => {
    const { code } = failure('a '.repeat(10_000), { old: 'a', new: 'b'.repeat(100_000), all: true })
    expect(code).toBe('FILE_TOO_LARGE')
    expect(failure('a'.repeat(200_000), { old: 'a', new: 'b', all: true }).code).toBe('EDIT_TOO_MANY')
  })
})
