/** `writ stats`: what the journal says about time, calls, failures and money. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { type StubModel, startStubModel } from '../support/stub-model.ts'

let place: Place
let stub: StubModel

beforeAll(async () => {
  place = makePlace()
  place.file('notes.txt', 'words\n')
  const calls = [
    { tool: 'file_read', args: { path: 'notes.txt' } },
    { tool: 'file_read', args: { path: 'missing.txt' } },
    { tool: 'file_read', args: { path: '../outside.txt' } },
  ]
  place.script('script.json', [
    { purpose: 'main', calls },
    { purpose: 'main', text: 'done' },
  ])
  place.script('short.json', [{ purpose: 'main', error: { message: 'broken' }, times: 3 }])
  await place.writ(['run', 'tidy up', '--script', 'script.json'])
  await place.writ(['run', 'tidy up', '--script', 'short.json'])
  stub = await startStubModel({ reply: () => ({ text: 'hello', usage: { inputTokens: 1000, outputTokens: 500 } }) })
  const env = { OPENAI_API_KEY: 'sk-a-test-key-of-no-worth' }
  for (const model of ['openai/gpt-4o-mini', 'openai/nobody-knows']) {
    place.file('model.json', { agent: { model, baseURL: `${stub.url}/v1`, routing: { enabled: false } } })
    await place.writ(['run', 'say hello', '--config', 'model.json'], { env })
  }
})
afterAll(async () => {
  await stub?.close()
  place.remove()
})

describe('writ stats', () => {
  test('S3-128 S3-129 S3-130 S3-131 S3-132 S3-133: counts what ran, how it ended and what it cost', async () => {
    const [stats] = (await place.writ(['stats', '--json'])).json()
    expect(stats).toMatchObject({
      runs: { started: 4, open: 0, ended: 4, failed: 1, failureRate: 0.25 },
      finishReasons: { final: 3, provider_error: 1 },
      tools: { file_read: { count: 2, failed: 1, denied: 1 } },
      denials: { total: 1, byReason: { PRE_VALIDATE_REJECTED: 1 }, byStage: { content: 1 } },
    })
    const { models, cost } = stats as { models: Record<string, { cost: object }>; cost: { unpriced: string[] } }
    expect(models['openai/gpt-4o-mini']?.cost).toMatchObject({ unpriced: [] })
    expect(models['openai/nobody-knows']?.cost).toEqual({ usd: null, unpriced: ['openai/nobody-knows'] })
    expect(cost.unpriced).toEqual(['openai/nobody-knows'])
  })

  test('reads as tables in English and in Chinese, and never shows an unknown price as nothing', async () => {
    const english = (await place.writ(['stats'])).stdout
    expect(english).toContain('4 runs: 4 ended, 0 open')
    expect(english).toMatch(/openai\/nobody-knows .* unknown\n/)
    expect(english).toContain('list prices as read 2026-09-26')
    expect(english).toContain('No price is known for openai/nobody-knows')
    const chinese = (await place.writ(['stats', '--lang', 'zh'])).stdout
    expect(chinese).toContain('4 次运行')
    expect(chinese).toMatch(/openai\/nobody-knows .* 未知\n/)
    expect(chinese).toContain('PRE_VALIDATE_REJECTED')
  })

  test('a price of one’s own comes before the table', async () => {
    const config = place.file('prices.json', { agent: { prices: { 'openai/nobody-knows': { input: 1, output: 2 } } } })
    const [stats] = (await place.writ(['stats', '--json', '--config', config])).json()
    expect(stats).toMatchObject({ cost: { unpriced: [] } })
  })

  test('of a time in which nothing happened there is nothing to say', async () => {
    const future = await place.writ(['stats', '--since', '2999-01-01'])
    expect(future).toMatchObject({ code: 0, stdout: 'Nothing happened in that time.\n' })
    expect(await place.writ(['stats', '--since', 'yesterday'])).toMatchObject({ code: 2 })
  })
})
