import { describe, expect, test } from 'vitest'
import { PROFILES } from '../agent/profile.ts'
import { LOCAL } from '../protocol/principal.ts'
import { gatherFacts } from './gather.ts'
import { Registry } from './registry.ts'
import { defineTool } from './tool.ts'

const schema = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 }, kind: { enum: ['a', 'b'] } },
  required: ['n'],
  additionalProperties: false,
}
const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: name, schema, execute: () => '', ...more })
const world = {
  workspace: '/w',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
} as const
const at = { sessionId: 's', profile: PROFILES.chat }

describe('the registry', () => {
  test('names each schema violation with its path', () => {
    const one = tool('one')
    const registry = new Registry([one])
    expect(registry.misfits(one, { n: 1, kind: 'a' })).toEqual([])
    const errors = registry.misfits(one, { n: 0, kind: 'c', extra: 1 }).join('; ')
    expect(errors).toContain('n must be >= 1')
    expect(errors).toContain('kind must be equal to one of the allowed values (a, b)')
    expect(errors).toContain('("extra")')
    expect(registry.misfits(one, { n: 1, kin: 'a' }).join()).toContain('did you mean "kind"?')
    expect(registry.misfits(one, null)).toHaveLength(1)
  })
  test('in Chinese when the run is in Chinese', () => {
    const one = tool('one')
    const said = (args: unknown) => new Registry([one]).misfits(one, args, 'zh').join('；')
    expect(said({ n: 0, kin: 'a' })).toBe('参数含有未知的键 ("kin"; 是否想写 "kind"？)；n 必须 ≥ 1')
    expect(said({ n: 1, kind: 'c' })).toBe('kind 必须是允许的值之一 (a, b)')
    expect(said(null)).toBe('参数必须是对象')
  })
  test('schemas with the same id do not replace each other', () => {
    const named = (name: string, type: string) =>
      tool(name, { schema: { $id: 'https://same.example/tool', type: 'object', properties: { v: { type } } } })
    const [text, count] = [named('text', 'string'), named('count', 'integer')]
    const registry = new Registry([text, count])
    expect(registry.misfits(text, { v: 'x' })).toEqual([])
    expect(registry.misfits(count, { v: 'x' })).toHaveLength(1)
  })
  test('refuses two tools with one name, and invalid names', () => {
    expect(() => new Registry([tool('one'), tool('one')])).toThrow(expect.objectContaining({ code: 'TOOL_TWICE' }))
    expect(() => new Registry([tool('rm -rf')])).toThrow(expect.objectContaining({ code: 'TOOL_NAME' }))
  })
  test('shows a run only what its profile exposes', () => {
    const registry = new Registry([tool('one'), tool('report_findings')])
    expect(registry.exposedTo(PROFILES.chat).map(({ name }) => name)).toEqual(['one'])
    expect(registry.exposedTo(PROFILES.workflow)).toEqual([])
  })
})

describe('facts', () => {
  const asked: unknown[] = []
  const curious = tool('curious', {
    preValidate: (args: unknown) => {
      asked.push(args)
      return { risk: 'High' }
    },
  })
  const facts = (name: string, args: unknown, exposed = PROFILES.chat as typeof at.profile) =>
    gatherFacts(
      { id: 'c', tool: name, args },
      { registry: new Registry([curious]), world, state: { ...at, profile: exposed }, owner: LOCAL },
    )

  test('a tool says what its call would touch', async () => {
    expect(await facts('curious', { n: 1 })).toMatchObject({ registered: true, exposed: true, risk: 'High', form: [] })
  })
  test('invalid arguments and hidden tools are not examined', async () => {
    asked.length = 0
    expect((await facts('curious', { n: 'x' })).form).toHaveLength(1)
    expect(await facts('curious', { n: 1 }, PROFILES.workflow as never)).toMatchObject({ exposed: false })
    expect(await facts('ghost', {})).toMatchObject({ registered: false })
    expect(asked).toEqual([])
  })
  test('S0-33: an undeclared family comes from the name, a declared one takes precedence', () => {
    expect(tool('browser_open').family).toBe('browser')
    expect(tool('browser_open', { family: 'task' }).family).toBe('task')
    expect(tool('frobnicate').family).toBe('unknown')
  })
})

describe('a schema that is slow to check', () => {
  test.each([
    ['backtracks without end', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`],
    [
      'compares everything with everything',
      { type: 'array', uniqueItems: true },
      [...Array(60_000).keys()].map((n) => ({ n })),
    ],
    ['has slow names', { type: 'object', patternProperties: { '^(a|aa)+$': {} } }, { [`${'a'.repeat(80)}!`]: 1 }],
  ])('%s: the arguments are refused, and nothing hangs', (_, v, value) => {
    const slow = tool('slow', { schema: { type: 'object', properties: { v } } })
    expect(new Registry([slow]).misfits(slow, { v: value }).join()).toContain('timed out')
    expect(new Registry([slow]).misfits(slow, { v: value }, 'zh').join()).toContain('超时')
  })
})
