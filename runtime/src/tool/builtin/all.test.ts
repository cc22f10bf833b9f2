import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import type { ToolContext, ToolOutput, World } from '../tool.ts'
import { builtinTools } from './all.ts'
import { configTool } from './config.ts'
import { jsonTransformTool } from './json-transform.ts'
import { selfInfoTool } from './self-info.ts'

const world: World = { workspace: '/', protectedPaths: [], blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'off' }
const context: ToolContext = callIn(world)
const textOf = (output: ToolOutput): string => (output.ok ? output.text : `failed: ${output.error}`)

describe('the built-in tools', () => {
  const tools = builtinTools({ config: () => ({}), self: () => ({}) })

  test('S1-132, S3-163: each is listed once, with a schema that compiles and a description', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    expect(tools.map((tool) => tool.name)).toEqual([
      'file_read',
      'file_list',
      'file_search',
      'file_write',
      'file_edit',
      'apply_patch',
      'shell',
      'git',
      'http_request',
      'json_transform',
      'self_info',
      'config',
      'result_read',
    ])
    for (const tool of tools) {
      expect(() => ajv.compile(tool.schema), tool.name).not.toThrow()
      expect(tool.description.length, tool.name).toBeGreaterThan(20)
    }
  })

  test('S1-76, S1-77: outside content is external, the runtime’s own information is internal', () => {
    const internal = tools.filter((tool) => tool.trust === 'internal').map((tool) => tool.name)
    expect(internal).toEqual(['json_transform', 'self_info', 'config'])
  })
})

describe('json_transform', () => {
  const transform = async (input: unknown, expression: string) =>
    textOf(await jsonTransformTool.execute({ input: input as never, expression }, context))

  test('selects and reshapes, from text or from a value', async () => {
    expect(JSON.parse(await transform('{"a":[{"b":1},{"b":2}]}', 'a[*].b'))).toEqual([1, 2])
    expect(JSON.parse(await transform({ a: [{ b: 1, c: 'x' }] }, 'a[?b > `0`].{name: c}'))).toEqual([{ name: 'x' }])
    expect(await transform({ a: 1 }, 'missing')).toBe('null')
  })

  test('invalid JSON and invalid expressions are failures', async () => {
    expect(await transform('{', 'a')).toMatch(/^failed: the input is not JSON/)
    expect(await transform('{}', 'a[')).toMatch(/^failed: /)
  })

  test('an expression that grows without bound is stopped', async () => {
    expect(await transform({ a: 'x'.repeat(100) }, Array(60).fill('[@,@]').join(' | '))).toMatch(
      /^failed: the result is longer/,
    )
    expect(await transform('[1,2,3,4]', Array(60).fill('[@,@][]').join(' | '))).toMatch(/^failed: /)
  })

  test('however expensive an expression is, the process keeps serving', async () => {
    let turns = 0
    const beside = setInterval(() => turns++, 5)
    const doubled = Array(16).fill("[join('',[[0],[0]])]").join('|')
    const all = Array.from({ length: 4 }, () => transform(['a'.repeat(1000)], `${doubled}|reverse([0])|length(@)`))
    for (const text of await Promise.all(all)) expect(text).toMatch(/^(\d+|failed: the expression took longer)/)
    clearInterval(beside)
    expect(turns).toBeGreaterThan(3)
    expect(await transform({ a: 1 }, 'a'), 'and the next call is served').toBe('1')
  })

  test('an aborted call ends immediately', async () => {
    const signal = AbortSignal.abort()
    const output = await jsonTransformTool.execute({ input: {}, expression: '@' }, { ...context, signal })
    expect(output.ok).toBe(false)
  })

  test('`@` of any JSON value is the value itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(JSON.parse(await transform(JSON.stringify(value), '@'))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('self_info and config', () => {
  const live = {
    agent: {
      security: { autonomy: 'Supervised' },
      apiKey: 'canary-1',
      url: 'https://u:canary-2@host/',
      note: 'sk-canary3canary3',
    },
    limits: { tokens: 8000 },
  }

  test('S1-138: self_info describes the runtime and masks secrets', async () => {
    const text = textOf(await selfInfoTool(() => ({ model: 'rules', ...live })).execute({}, context))
    expect(JSON.parse(text)).toMatchObject({
      name: 'writ',
      version: expect.any(String),
      model: 'rules',
      sandbox: { active: false },
    })
    expect(text).not.toContain('canary')
  })

  test('config returns the effective configuration, whole or one key, without secrets', async () => {
    const config = configTool(() => live)
    expect(textOf(await config.execute({ action: 'get', key: 'agent.security.autonomy' }, context))).toBe(
      '"Supervised"',
    )
    expect(textOf(await config.execute({ action: 'get', key: 'limits.tokens' }, context))).toBe('8000')
    expect(textOf(await config.execute({ action: 'get' }, context))).not.toContain('canary')
    expect(textOf(await config.execute({ action: 'get', key: 'agent.securty' }, context))).toContain(
      'did you mean security',
    )
    expect(textOf(await config.execute({ action: 'get', key: 'agent.constructor' }, context))).toMatch(/^failed/)
  })

  test('S1-138: an attempt to change the configuration is a fact for the gate and has no effect', async () => {
    const config = configTool(() => live)
    const wish = { action: 'set', key: 'agent.security.autonomy', value: 'Full' } as const
    expect(await config.preValidate?.(wish, world, context)).toMatchObject({
      configKeys: ['agent.security.autonomy'],
      readOnly: false,
      risk: 'High',
    })
    expect(await config.preValidate?.({ action: 'get' }, world, context)).toEqual({ risk: 'Low', readOnly: true })
    expect(await config.execute(wish, context)).toMatchObject({ ok: false, code: 'CONFIG_LOCKED' })
    expect(live.agent.security.autonomy).toBe('Supervised')
  })
})
