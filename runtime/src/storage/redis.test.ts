import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runRedis, startRedis, type TestRedis } from '../../test/support/redis.ts'
import { redisLink } from './redis.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())

async function failure(
  url: string | undefined,
): Promise<{ code: string; message: string; hint?: string; cause?: unknown }> {
  const link = redisLink(url)
  try {
    await link.call('GET', 'x')
    throw new Error('it worked')
  } catch (error) {
    return error as { code: string; message: string }
  } finally {
    await link.close()
  }
}

describe('a Redis that cannot be used', () => {
  test.each([undefined, ''])('%j: there is none', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'REDIS_UNSET', hint: expect.stringContaining('WRIT_REDIS_URL') })
  })

  test.each(['http://127.0.0.1:1', 'canary-4417', 'redis:canary-4417'])('%s is not a Redis address', async (url) => {
    const error = await failure(url)
    expect(error.code).toBe('REDIS_UNREACHABLE')
    expect(JSON.stringify([error.message, error])).not.toContain('canary')
  })

  test('an unreachable server is named without its password', async () => {
    const error = await failure('redis://:canary-4417@127.0.0.1:1/3')
    expect(error.code).toBe('REDIS_UNREACHABLE')
    expect(error.message).toContain('127.0.0.1:1/3')
    expect(error.message).toContain('ECONNREFUSED')
    expect(JSON.stringify([error.message, error, error.cause])).not.toContain('canary')
  })

  test('a wrong password is rejected and not shown', async () => {
    const error = await failure(`redis://:canary-4417@${redis.host}/1`)
    expect(error.message).toMatch(/WRONGPASS|NOAUTH/)
    expect(JSON.stringify([error.message, error, error.cause])).not.toContain('canary')
  })
})

test('a closed or lost connection is opened again when needed', async () => {
  const url = redis.createDatabase()
  const link = redisLink(url)
  await link.call('SET', 'x', '1')
  await link.close()
  expect(await link.call('GET', 'x')).toBe('1')
  await runRedis(url, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  // The loss may be noticed before the next command or by it; the command after that works.
  await link.call('PING').catch(() => {})
  expect(await link.call('GET', 'x')).toBe('1')
  await link.close()
})
