import { describe, expect, test } from 'vitest'
import type { ScoutStatus } from '../protocol/scout.ts'
import { aggregate, explorationText } from './aggregate.ts'
import type { ScoutTaskResult } from './contracts.ts'

let made = 0
const result = (status: ScoutStatus, own: Partial<ScoutTaskResult> = {}): ScoutTaskResult => ({
  scoutId: `scout_${++made}`,
  task: `task ${made}`,
  status,
  summary: status === 'success' ? 'found' : '',
  evidence: [],
  confidence: status === 'success' ? 0.8 : 0,
  grounding: { kept: 0, dropped: 0 },
  toolRuns: [],
  ...(status === 'success' ? {} : { error: { code: status.toUpperCase(), message: 'why' } }),
  ...own,
})
const read = [{ source: 'a', note: 'n' }]
const all = (...results: ScoutTaskResult[]) => aggregate(results, { lang: 'en', aborted: false })

describe('combined results', () => {
  test.each([
    ['all found', ['success', 'success'], 'success'],
    ['one out of time, with nothing', ['timeout'], 'partial'],
    ['one failed', ['success', 'failed'], 'partial'],
    ['all failed', ['failed', 'failed'], 'failed'],
    ['one partial, with nothing read', ['partial'], 'partial'],
    ['one partial, one failed', ['partial', 'failed'], 'partial'],
    ['one failed, one cancelled', ['failed', 'aborted'], 'failed'],
    ['failed and out of time', ['failed', 'timeout'], 'partial'],
    ['all cancelled', ['aborted', 'aborted'], 'aborted'],
    ['one cancelled', ['aborted', 'success'], 'partial'],
  ] as const)('S4-42 S4-100: %s', (_name, statuses, status) => {
    expect(all(...statuses.map((one) => result(one))).status).toBe(status)
  })
  test('a cancelled exploration is aborted, whatever the scouts returned', () => {
    expect(aggregate([result('aborted'), result('timeout')], { lang: 'en', aborted: true }).status).toBe('aborted')
  })
  test('S4-44: confidence is the mean of usable results times their share; failures do not raise it', () => {
    expect(all(result('success'), result('success', { confidence: 0.4 })).confidence).toBe(0.6)
    expect(all(result('success'), result('failed', { confidence: 1 })).confidence).toBe(0.4)
    expect(all(result('success'), result('partial', { evidence: read, confidence: 0.3 })).confidence).toBe(0.55)
    expect(all(result('failed')).confidence).toBe(0)
  })
  test('S4-108 S4-41: every result but a success has a note, in both languages', () => {
    const results = [result('success'), result('failed'), result('timeout')]
    expect(all(...results).failures.map(({ status }) => status)).toEqual(['failed', 'timeout'])
    expect(all(...results).summary).toMatch(/^found\nNot answered: .*\(why\)\nNot answered/)
    expect(aggregate(results, { lang: 'zh', aborted: false }).summary).toContain('未得到回答')
  })
})

test('S4-94: a result too long for the main session loses evidence first, and stays JSON', () => {
  const evidence = Array.from({ length: 10 }, () => ({ source: 'a', quote: 'q'.repeat(500), note: 'n' }))
  const explored = all(...[1, 2, 3, 4, 5].map(() => result('success', { evidence })))
  const text = explorationText(explored, 8000)
  expect(text.length).toBeLessThanOrEqual(8000)
  const read = JSON.parse(text)
  expect(read.results).toHaveLength(5)
  expect(read.results.every((one: ScoutTaskResult) => one.evidence.length > 0)).toBe(true)
  expect(explored.results[0]?.evidence).toHaveLength(10)
  expect(explorationText(explored, 1_000_000)).toBe(JSON.stringify(explored))
})
