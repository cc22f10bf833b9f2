import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offeredName } from './name.ts'

describe('the name of a server’s tool', () => {
  test('names its server', () => {
    expect(offeredName('fs', 'read_file', new Set())).toBe('mcp__fs__read_file')
  })

  test('is always valid for the registry, and the same every time', () => {
    const server = fc.stringMatching(/^[a-zA-Z0-9_-]{1,32}$/)
    fc.assert(
      fc.property(server, fc.string({ unit: 'grapheme', maxLength: 300 }), (name, tool) => {
        const offered = offeredName(name, tool, new Set())
        expect(offered).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/)
        expect(offeredName(name, tool, new Set())).toBe(offered)
      }),
    )
  })

  test('two tools with the same name get different ones', () => {
    const first = offeredName('a', 'b__c', new Set())
    const second = offeredName('a__b', 'c', new Set([first]))
    expect(second).not.toBe(first)
    expect(offeredName('s', 'a b', new Set())).not.toBe(offeredName('s', 'a.b', new Set()))
  })
})
