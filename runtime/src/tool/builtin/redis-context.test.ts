import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { runRedis, startRedis, type TestRedis } from '../../../test/support/redis.ts'
import { LOCAL, type Principal } from '../../protocol/principal.ts'
import { type RedisLink, redisLink } from '../../storage/redis.ts'
import { Registry } from '../registry.ts'
import type { Tool, World } from '../tool.ts'
import { redisContextTool } from './redis-context.ts'

const world: World = { workspace: '/', protectedPaths: [], blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'off' }
let redis: TestRedis
let url: string
let link: RedisLink
let tool: Tool

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())
beforeEach(() => {
  url = redis.createDatabase()
  link = redisLink(url)
  tool = redisContextTool(link)
})
afterEach(() => link.close())

async function use(args: Record<string, unknown>): Promise<unknown> {
  const output = await tool.execute(args, callIn(world))
  if (!output.ok) throw new Error(output.error)
  return JSON.parse(output.text)
}
const facts = (args: Record<string, unknown>) => tool.preValidate?.(args, world, { sessionId: 's', owner: LOCAL })

test('S3-163: it is listed with a strict schema, as an external tool of the memory family', () => {
  expect(() => new Ajv2020({ strict: true }).compile(tool.schema)).not.toThrow()
  expect(tool).toMatchObject({ name: 'redis_context', family: 'memory', trust: 'external', idempotent: false })
})

describe('the operations', () => {
  test('get returns what was set and appended, and nothing for an unknown key', async () => {
    expect(await use({ operation: 'get', key: 'k' })).toEqual({ found: false })
    expect(await use({ operation: 'set', key: 'k', value: '你好' })).toEqual({ stored: true })
    expect(await use({ operation: 'append', key: 'k', value: '，世界' })).toEqual({ bytes: 15 })
    expect(await use({ operation: 'get', key: 'k' })).toEqual({ found: true, value: '你好，世界' })
    expect(await use({ operation: 'append', key: 'new', value: 'x' })).toEqual({ bytes: 1 })
    expect(await use({ operation: 'set', key: 'empty', value: '' })).toEqual({ stored: true })
    expect(await use({ operation: 'get', key: 'empty' })).toEqual({ found: true, value: '' })
  })

  test('a value expires', async () => {
    const left = async () => Number(await runRedis(url, 'TTL', 'writ:context:k'))
    await use({ operation: 'set', key: 'k', value: 'v', ttl_seconds: 100 })
    expect(await left()).toBeGreaterThan(90)
    await use({ operation: 'set', key: 'k', value: 'v' })
    expect(await left()).toBe(-1)
    expect(await use({ operation: 'expire', key: 'k', ttl_seconds: 1000 })).toEqual({ found: true })
    expect(await left()).toBeGreaterThan(900)
    await use({ operation: 'append', key: 'k', value: 'w', ttl_seconds: 5000 })
    expect(await left()).toBeGreaterThan(4000)
    expect(await use({ operation: 'expire', key: 'absent', ttl_seconds: 5 })).toEqual({ found: false })
  })

  test('S3-163: a deleted value is gone, for its owner alone, and can be set again', async () => {
    const [ada, bob] = ['ada', 'bob'] as Principal[] as [Principal, Principal]
    const useFor = async (owner: Principal, args: object) => {
      const output = await tool.execute(args, callIn(world, { owner }))
      return output.ok ? JSON.parse(output.text) : output
    }
    await runRedis(url, 'SET', 'k', 'another program')
    for (const owner of [ada, bob]) await useFor(owner, { operation: 'set', key: 'k', value: owner })
    expect(await useFor(ada, { operation: 'delete', key: 'k' })).toEqual({ deleted: true })
    expect(await useFor(ada, { operation: 'get', key: 'k' })).toEqual({ found: false })
    expect(await useFor(ada, { operation: 'delete', key: 'k' })).toEqual({ deleted: false })
    expect(await useFor(bob, { operation: 'get', key: 'k' })).toEqual({ found: true, value: 'bob' })
    expect(await runRedis(url, 'GET', 'k')).toBe('another program')
    await useFor(ada, { operation: 'set', key: 'k', value: 'again', ttl_seconds: 100 })
    expect(await useFor(ada, { operation: 'delete', key: 'k' })).toEqual({ deleted: true })
    expect(await useFor(ada, { operation: 'append', key: 'k', value: 'new' })).toEqual({ bytes: 3 })
  })

  test('a long value is shown in part, cut between characters, and cannot grow without limit', async () => {
    await runRedis(url, 'SET', 'writ:context:k', '😀'.repeat(40_000))
    const { value } = (await use({ operation: 'get', key: 'k' })) as { value: string }
    expect(value.endsWith('😀…(+8000)')).toBe(true)
    await runRedis(url, 'SET', 'writ:context:k', 'x'.repeat(1024 * 1024 - 1))
    expect(await use({ operation: 'append', key: 'k', value: 'y' })).toEqual({ bytes: 1024 * 1024 })
    await expect(use({ operation: 'append', key: 'k', value: 'y' })).rejects.toMatchObject({ code: 'VALUE_TOO_LONG' })
  })

  test('concurrent appends lose nothing', async () => {
    const other = redisLink(url)
    const second = redisContextTool(other)
    const append = (by: Tool, value: string) => by.execute({ operation: 'append', key: 'k', value }, callIn(world))
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => append(i % 2 === 0 ? tool : second, i % 2 === 0 ? 'a' : 'b')),
    )
    const { value } = (await use({ operation: 'get', key: 'k' })) as { value: string }
    expect([...value].sort().join('')).toBe('a'.repeat(20) + 'b'.repeat(20))
    await other.close()
  })
})

describe('its keys', () => {
  test('have a prefix of their own: nothing else can be read or overwritten', async () => {
    await runRedis(url, 'SET', 'secret', 'canary')
    await runRedis(url, 'SET', 'writ:transcript:s', 'canary')
    for (const key of ['secret', '../secret', 'writ:transcript:s', '../transcript:s', '*', '\nGET secret']) {
      expect(await use({ operation: 'get', key }), key).toEqual({ found: false })
      await use({ operation: 'set', key, value: 'mine' })
    }
    expect(await runRedis(url, 'GET', 'secret')).toBe('canary')
    expect(await runRedis(url, 'GET', 'writ:transcript:s')).toBe('canary')
    const keys = (await runRedis(url, 'KEYS', '*')) as string[]
    const own = keys.filter((key) => key !== 'secret' && key !== 'writ:transcript:s')
    expect(own.filter((key) => !key.startsWith('writ:context:'))).toEqual([])
  })

  test('may contain anything, and different keys never collide', async () => {
    const odd = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(odd, odd, fc.string({ unit: 'grapheme' }), async (one, other, value) => {
        fc.pre(one !== other)
        await use({ operation: 'set', key: other, value: 'other' })
        await use({ operation: 'set', key: one, value })
        expect(await use({ operation: 'get', key: one })).toEqual({ found: true, value })
        expect(await use({ operation: 'get', key: other })).toEqual({ found: true, value: 'other' })
      }),
      { numRuns: 40 },
    )
  })
})

describe('before it acts', () => {
  test('H4: a value of one principal is not visible to another', async () => {
    const useFor = async (owner: Principal, args: object) => {
      const output = await tool.execute(args, callIn(world, { owner }))
      return output.ok ? JSON.parse(output.text) : output
    }
    const [ada, bob] = ['ada', 'bob'] as Principal[] as [Principal, Principal]
    await useFor(ada, { operation: 'set', key: 'code', value: '7741' })
    for (const other of [bob, LOCAL])
      expect(await useFor(other, { operation: 'get', key: 'code' })).toEqual({ found: false })
    expect(await useFor(ada, { operation: 'get', key: 'code' })).toEqual({ found: true, value: '7741' })
    expect(new Registry([tool]).misfits(tool, { operation: 'get', key: 'code\0ada' })).not.toEqual([])
  })

  test('get is Low and read-only; the rest is Medium, with a preview', async () => {
    expect(await facts({ operation: 'get', key: 'k' })).toEqual({ risk: 'Low', readOnly: true })
    expect(await facts({ operation: 'set', key: 'k', value: 'v', ttl_seconds: 60 })).toEqual({
      risk: 'Medium',
      preview: 'redis set k (for 60 s)\nv',
      approvalKeys: ['set'],
    })
    for (const args of [
      { operation: 'append', key: 'k', value: 'v' },
      { operation: 'expire', key: 'k', ttl_seconds: 1 },
    ]) {
      expect(await facts(args)).toMatchObject({ risk: 'Medium' })
    }
    expect(await facts({ operation: 'delete', key: 'k' })).toEqual({
      risk: 'Medium',
      preview: 'redis delete k',
      approvalKeys: ['delete'],
      deed: 'delete',
    })
  })

  test.each([
    [{ operation: 'set', key: 'k' }, 'set: value is required'],
    [{ operation: 'append', key: 'k', ttl_seconds: 1 }, 'append: value is required'],
    [{ operation: 'expire', key: 'k' }, 'expire: ttl_seconds is required'],
    [{ operation: 'get', key: 'k', value: 'v' }, 'get does not take value'],
    [{ operation: 'get', key: 'k', ttl_seconds: 1 }, 'get does not take ttl_seconds'],
    [{ operation: 'expire', key: 'k', ttl_seconds: 1, value: 'v' }, 'expire does not take value'],
    [{ operation: 'delete', key: 'k', value: 'v' }, 'delete does not take value'],
    [{ operation: 'delete', key: 'k', ttl_seconds: 1 }, 'delete does not take ttl_seconds'],
  ])('%j is refused: %s', async (args, problem) => {
    expect(() => facts(args)).toThrow(problem)
    await expect(use(args)).rejects.toThrow(problem)
  })

  test.each([
    [{ operation: 'del', key: 'k' }, 'operation'],
    [{ operation: 'get' }, 'key'],
    [{ operation: 'get', key: '' }, 'key'],
    [{ operation: 'get', key: 5 }, 'key'],
    [{ operation: 'expire', key: 'k', ttl_seconds: 0 }, 'ttl_seconds'],
    [{ operation: 'expire', key: 'k', ttl_seconds: 1.5 }, 'ttl_seconds'],
    [{ operation: 'set', key: 'k', value: 'x'.repeat(64_001) }, 'value'],
    [{ operation: 'get', key: 'k', database: 3 }, 'database'],
  ])('S3-72 S3-73 S3-74 S3-75: the schema refuses %#', (args, field) => {
    expect(new Registry([tool]).misfits(tool, args).join()).toContain(field)
  })
})

test('an aborted run does not wait for the answer', async () => {
  const abort = new AbortController()
  abort.abort(new Error('over'))
  await expect(tool.execute({ operation: 'get', key: 'k' }, callIn(world, { signal: abort.signal }))).rejects.toThrow(
    'over',
  )
})
