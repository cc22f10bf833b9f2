import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeSplitter, type Piece } from './pieces.ts'

const BEGIN = '\x1b[200~'
const END = '\x1b[201~'

function through(...chunks: string[]): Piece[] {
  const split = makeSplitter()
  return chunks.flatMap(split)
}

describe('terminal input', () => {
  test('typed keys pass as they are, arrow keys and a lone Escape too', () => {
    expect(through('a', '\x1b[A', '\x1b')).toEqual([{ typed: 'a' }, { typed: '\x1b[A' }, { typed: '\x1b' }])
  })
  test('a paste is one piece, in whatever chunks it arrives', () => {
    const paste = `x${BEGIN}one\r\ntwo\r三${END}y`
    fc.assert(
      fc.property(fc.integer({ min: 3, max: paste.length }), (cut) => {
        // A cut right after the Escape would make it a separate key.
        expect(through(paste.slice(0, cut), paste.slice(cut))).toEqual([
          { typed: 'x' },
          { pasted: 'one\ntwo\n三' },
          { typed: 'y' },
        ])
      }),
    )
  })
  test('control characters in a paste press no keys', () => {
    expect(through(`${BEGIN}a\x03b\x1b[Ac\td\n${END}`)).toEqual([{ pasted: 'ab[Ac\td' }])
  })
  test('Alt-Enter starts a new line instead of sending', () => {
    expect(through('a\x1b\rb')).toEqual([{ typed: 'a' }, { pasted: '\n' }, { typed: 'b' }])
  })
})
