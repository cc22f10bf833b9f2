import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeEvent, makeStart, makeStop } from '../../test/support/events.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { SummaryBuilder } from '../replay/summary.ts'
import { Durations } from './durations.ts'
import { costOf, PRICES, type PriceTable } from './prices.ts'
import { StatsAccount } from './stats.ts'

const GOLDEN = `${import.meta.dirname}/../../test/golden`
const golden = new Map(
  readdirSync(GOLDEN)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => [name, readEvents(`${GOLDEN}/${name}`)]),
)

function readEvents(file: string): StoredEvent[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

function statsOf(events: Iterable<StoredEvent>, prices: PriceTable = PRICES) {
  const account = new StatsAccount()
  for (const event of events) account.add(event)
  return account.stats(prices)
}

const call = (seq: number, tool: string, observation: { outcome: 'ok' | 'failed' | 'denied'; elapsedMs: number }) =>
  makeEvent({ runId: 'r', seq }, 'tool.result', {
    callId: `c${seq}`,
    tool,
    family: 'task',
    trust: 'internal',
    step: 1,
    observation: { text: '', ...observation },
  })
const reply = (seq: number, elapsedMs: number, usage = { inputTokens: 100, outputTokens: 10 }) =>
  makeEvent({ runId: 'r', seq }, 'model.replied', {
    purpose: 'main',
    reply: { kind: 'final', text: '' },
    usage,
    elapsedMs,
  })
const asked = (seq: number, model: string) =>
  makeEvent({ runId: 'r', seq }, 'model.requested', { purpose: 'main', model, messages: 1, tools: 0, attempt: 1 })

describe('the statistics of a journal', () => {
  test('S3-128: the duration of a step is that of its reply and calls, without waiting', () => {
    const { steps } = statsOf([
      makeStart({ runId: 'r' }),
      reply(2, 100),
      call(3, 'look', { outcome: 'ok', elapsedMs: 20 }),
      call(4, 'look', { outcome: 'denied', elapsedMs: 9000 }),
      reply(5, 30),
      makeStop({ runId: 'r', seq: 6, timestamp: 1_800_000_000_000 }),
    ])
    expect(steps).toMatchObject({ count: 2, total_ms: 150, avg_ms: 75, max_ms: 120 })
  })

  test('S3-129 S3-132: per tool, the number of calls, their average duration and the number of denials', () => {
    const { tools, calls } = statsOf([
      makeStart({ runId: 'r' }),
      reply(2, 1),
      call(3, 'look', { outcome: 'ok', elapsedMs: 10 }),
      call(4, 'look', { outcome: 'failed', elapsedMs: 31 }),
      call(5, 'look', { outcome: 'denied', elapsedMs: 0 }),
    ])
    expect(tools.look).toMatchObject({ count: 2, total_ms: 41, avg_ms: 21, failed: 1, failureRate: 0.5, denied: 1 })
    expect(calls).toEqual({ ran: 2, failed: 1, denied: 1 })
  })

  test('S3-130 S3-131: every finish_reason by mode, and the share of runs that failed', () => {
    const runs = (['final', 'final', 'max_steps', 'provider_error'] as const).flatMap((reason, i) => [
      makeStart({ runId: `r${i}` }),
      makeStop({ runId: `r${i}`, seq: 2 }, reason),
    ])
    const { runs: counted, finishReasons, stops } = statsOf([...runs, makeStart({ runId: 'still' })])
    expect(counted).toEqual({ started: 5, open: 1, ended: 4, failed: 2, failureRate: 0.5 })
    expect(finishReasons).toEqual({ final: 2, max_steps: 1, provider_error: 1 })
    expect(stops).toEqual({ chat: finishReasons })
  })

  test('a decision without a model adds no model to the table', () => {
    const decision = (event: StoredEvent) => ({ ...event, mode: 'decision' }) as StoredEvent
    const { models } = statsOf([makeStart({ runId: 'r' }), makeStop({ runId: 'r', seq: 2 })].map(decision))
    expect(models).toEqual({})
  })

  test('S3-133: tokens and cost per model; without a price the cost is unknown, not zero', () => {
    const prices = { 'some/priced': { input: 2, output: 10 } }
    const { models, tokens, cost } = statsOf(
      [makeStart({ runId: 'r' }), asked(2, 'some/priced'), reply(3, 5), asked(4, 'some/other'), reply(5, 5)],
      prices,
    )
    expect(models['some/priced']).toMatchObject({ inputTokens: 100, cost: { usd: 0.0003, unpriced: [] } })
    expect(models['some/other']?.cost).toEqual({ usd: null, unpriced: ['some/other'] })
    expect(tokens).toEqual({ inputTokens: 200, outputTokens: 20 })
    expect(cost).toEqual({ usd: 0.0003, unpriced: ['some/other'] })
  })

  test('scouts are counted by how they ended', () => {
    const end = (status: string) => makeEvent({ runId: 'r', seq: 1 }, 'SCOUT_COMPLETED', { result: { status } })
    const { scouts } = statsOf([
      makeEvent({ runId: 'r', seq: 1 }, 'SCOUT_STARTED', {}),
      end('success'),
      end('partial'),
      makeEvent({ runId: 'r', seq: 1 }, 'SCOUT_TIMEOUT', {}),
    ])
    expect(scouts).toEqual({ started: 1, byStatus: { success: 1, partial: 1, timeout: 1 } })
  })

  test('S3-131: there is no failure rate before a run has ended, and no statistics without runs', () => {
    expect(statsOf([])).toMatchObject({ from: null, to: null, runs: { failureRate: null }, cost: { usd: 0 } })
  })

  test.each([...golden.keys()])('S2-85: of %s agree with its replay, to the count', (name) => {
    const events = golden.get(name) ?? []
    const account = new SummaryBuilder()
    for (const run of Map.groupBy(events, ({ runId }) => runId).values()) account.addRun(run)
    const summary = account.summary()
    const stats = statsOf(events)
    expect(stats.events).toBe(summary.events)
    expect(stats.runs.started).toBe(summary.runs)
    expect(stats.tokens).toEqual(summary.tokens)
    expect(stats.denials.byReason).toEqual(summary.denied)
    expect(stats.verdicts).toEqual(summary.verdicts)
    const { open = 0, ...stops } = summary.stops
    expect(stats.finishReasons).toEqual(stops)
    expect(stats.runs.open).toBe(open)
  })

  test('add up: merged accounts of different runs equal the account of all of them', () => {
    const runs = [...golden.values()].flatMap((events, i) =>
      [...Map.groupBy(events, ({ runId }) => runId).values()].map((run) =>
        run.map((event) => ({ ...event, runId: `${i}-${event.runId}` })),
      ),
    )
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: runs.length, maxLength: runs.length }), (side) => {
        const accounts = [new StatsAccount(), new StatsAccount()] as const
        runs.forEach((run, i) => {
          for (const event of run) accounts[side[i] ? 0 : 1].add(event)
        })
        accounts[0].merge(accounts[1].packed())
        expect(accounts[0].stats(PRICES)).toEqual(statsOf(runs.flat()))
      }),
      { numRuns: 20 },
    )
  })
})

test('a percentile is within 5 % of the exact value, for any number of durations', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1 }), (ms) => {
      const durations = new Durations()
      for (const each of ms) durations.add(each)
      const sorted = ms.toSorted((a, b) => a - b)
      const exact = sorted[Math.ceil(ms.length * 0.95) - 1] ?? 0
      const { p95_ms, max_ms } = durations.timing()
      expect(Math.abs(p95_ms - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.5)
      expect(max_ms).toBe(sorted.at(-1))
    }),
  )
})

test('a percentile is never outside what was measured, also after accounts are merged', () => {
  const one = new Durations()
  one.add(2_999)
  const merged = new Durations()
  merged.merge(new Durations().packed())
  merged.merge(one.packed())
  merged.merge(one.packed())
  for (const durations of [one, merged]) expect(durations.timing()).toMatchObject({ p50_ms: 2_999, p95_ms: 2_999 })
})

test('an account of an earlier version, without its minimum, is read', () => {
  const durations = new Durations()
  durations.merge([1, 2_999, 2_999, [[84, 1]]])
  expect(durations.timing()).toMatchObject({ count: 1, p50_ms: 2_999 })
  expect(new Durations().timing()).toMatchObject({ count: 0, p50_ms: 0, max_ms: 0 })
})

describe('the price table', () => {
  test('has the date and the source of the price of every paid model', () => {
    for (const [model, { input, output, asOf, source }] of Object.entries(PRICES)) {
      if (input === 0 && output === 0) continue
      expect(asOf, model).toMatch(/^20\d\d-\d\d(-\d\d)?$/)
      expect(source, model).toMatch(/^https:\/\//)
    }
  })

  test('has no price for a model named like a property of Object.prototype', () => {
    expect(costOf('constructor', { inputTokens: 1, outputTokens: 1 }, PRICES).usd).toBeNull()
  })
})
