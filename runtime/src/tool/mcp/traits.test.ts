import { describe, expect, test } from 'vitest'
import { definitionOf } from './definition.ts'
import { traitsOf } from './traits.ts'

const plain = definitionOf({ name: 'x', inputSchema: { type: 'object' } })
const reader = definitionOf({ name: 'x', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })

describe('what a server’s tool does', () => {
  test('an undeclared one is neither a read nor Low', () => {
    expect(traitsOf('mcp__s__x', plain)).toMatchObject({ family: 'unknown', risk: 'Medium', readOnly: false })
  })

  test('one with a read-only hint is treated as a read', () => {
    expect(traitsOf('mcp__s__read_file', reader)).toMatchObject({ family: 'filesystem', risk: 'Low', readOnly: true })
  })

  test('what the user declared takes precedence over every hint', () => {
    const declared = { family: 'network', risk: 'High', readOnly: false, targetParams: ['who'] } as const
    const traits = traitsOf('mcp__s__read_file', reader, { ...declared, targetParams: ['who'] })
    expect(traits).toMatchObject({ family: 'network', risk: 'High', readOnly: false })
    expect(traits.targets({ who: 'bob', note: 'see you' })).toEqual([{ kind: 'name', value: 'bob' }])
  })

  test.each([
    ['source', 'https://other.example/k4411', 'url'],
    ['source', 'other.example/k4411', 'url'],
    ['href', '//other.example/k4411', 'url'],
    ['src', 'https:other.example/k4411', 'url'],
    ['query', 'k4411.other.example', 'host'],
    ['at', '203.0.113.7:8080', 'host'],
    ['at', 'me@other.example:22/k4411', 'url'],
    ['at', 'k4411。other。example', 'host'],
  ])('an address is one, whatever the parameter is called and whatever is declared: %s %s', (param, value, kind) => {
    for (const declared of [{}, { targetParams: ['who'] }])
      expect(traitsOf('mcp__s__x', reader, declared).targets({ [param]: value })).toContainEqual({ kind, value })
  })

  test('a file that could be an address is judged as both', () => {
    const value = 'other.example/../../etc/passwd'
    expect(traitsOf('mcp__s__read_file', reader).targets({ path: value })).toEqual([
      { kind: 'path', value },
      { kind: 'url', value },
    ])
  })

  test('addresses, paths and people among the arguments are targets, other words are not', () => {
    const { targets } = traitsOf('mcp__s__x', plain)
    const args = { to: ['a@b.example'], url: 'https://c.example/x', note: 'see you', paths: ['/etc/passwd'], n: 3 }
    expect(targets(args)).toEqual([
      { kind: 'email', value: 'a@b.example' },
      { kind: 'url', value: 'https://c.example/x' },
      { kind: 'path', value: '/etc/passwd' },
    ])
  })
})
