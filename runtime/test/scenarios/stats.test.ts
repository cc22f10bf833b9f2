/** `writ stats`: run counts, latency, cost and failures from the journal. */
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
  for (const model of ['openai/gpt-4o-mini', 'openai/no-price']) {
    place.file('model.json', { agent: { model, baseURL: `${stub.url}/v1`, routing: { enabled: false } } })
    await place.writ(['run', 'say hello', '--config', 'model.json'], { env })
  }
})
afterAll(async () => {
  await stub?.close()
  place.remove()
})

describe('writ stats', () => {
  test('S3-129 S3-130 S3-131 S3-133: counts what ran, how it ended and what it cost', async () => {
    const [stats] = (await place.writ(['stats', '--json'])).json()
    expect(stats).toMatchObject({
      runs: { started: 4, open: 0, ended: 4, failed: 1, failureRate: 0.25 },
      finishReasons: { final: 3, provider_error: 1 },
      tools: { file_read: { count: 2, failed: 1, denied: 1 } },
      denials: { total: 1, byReason: { PRE_VALIDATE_REJECTED: 1 }, byStage: { content: 1 } },
    })
    const { models, cost } = stats as { models: Record<string, { cost: object }>; cost: { unpriced: string[] } }
    expect(models['openai/gpt-4o-mini']?.cost).toMatchObject({ unpriced: [] })
    expect(models['openai/no-price']?.cost).toEqual({ usd: null, unpriced: ['openai/no-price'] })
    expect(cost.unpriced).toEqual(['openai/no-price'])
  })

  test('prints tables in English and Chinese, and never shows an unknown price as zero', async () => {
    const english = (await place.writ(['stats'])).stdout
    expect(english).toContain('4 runs: 4 ended, 0 open')
    expect(english).toMatch(/openai\/no-price .* unknown\n/)
    expect(english).toContain('list prices of 2026-09-26')
    expect(english).toContain('No price known for openai/no-price')
    const chinese = (await place.writ(['stats', '--lang', 'zh'])).stdout
    expect(chinese).toContain('4 次运行')
    expect(chinese).toMatch(/openai\/no-price .* 未知\n/)
    expect(chinese).toMatch(/合计 +对话\n/)
    expect(chinese).toContain('已完成（final）')
    expect(chinese).toContain('路径、主机或命令不被允许（PRE_VALIDATE_REJECTED）')
    expect(chinese).toContain('路径、主机、命令（content）')
  })

  test('a configured price overrides the built-in table', async () => {
    const config = place.file('prices.json', { agent: { prices: { 'openai/no-price': { input: 1, output: 2 } } } })
    const [stats] = (await place.writ(['stats', '--json', '--config', config])).json()
    expect(stats).toMatchObject({ cost: { unpriced: [] } })
  })

  test('a time range without runs is reported as empty', async () => {
    const future = await place.writ(['stats', '--since', '2999-01-01'])
    expect(future).toMatchObject({ code: 0, stdout: 'No runs in that time.\n' })
    expect(await place.writ(['stats', '--since', 'yesterday'])).toMatchObject({ code: 2 })
  })
})
