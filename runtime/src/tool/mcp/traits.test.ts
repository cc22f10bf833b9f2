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
    expect(traits.targets({ who: 'bob', link: 'https://a.example/' })).toEqual([{ kind: 'name', value: 'bob' }])
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
