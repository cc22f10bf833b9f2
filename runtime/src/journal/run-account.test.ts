/** Statistics and traces read from stored accounts and windows equal those of all events. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeEvent, makeStart, makeStop } from '../../test/support/events.ts'
import type { StoredEvent } from '../protocol/event.ts'
import { openStore } from '../storage/open.ts'
import { collectStats } from './collect-stats.ts'
import { RunLog } from './journal.ts'
import { PRICES } from './prices.ts'
import { countedRuns, RunAccount } from './run-account.ts'
import { StatsAccount } from './stats.ts'
import type { Store } from './store.ts'
import { traceOf } from './trace.ts'
import { readEarlierCalls, readNewestTrace } from './trace-window.ts'

const GOLDEN = `${import.meta.dirname}/../../test/golden`
const recorded = readdirSync(GOLDEN)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name): [string, StoredEvent[]] => {
    const lines = readFileSync(`${GOLDEN}/${name}`, 'utf8').trimEnd().split('\n')
    return [name, lines.map((line) => JSON.parse(line))]
  })

const runsIn = (events: readonly StoredEvent[]) => [...Map.groupBy(events, ({ runId }) => runId).values()]

function statsOf(events: Iterable<StoredEvent>) {
  const account = new StatsAccount()
  for (const event of events) account.add(event)
  return account.stats(PRICES)
}

/** Counts the events that are read. */
function counting(store: Store): { store: Store; read(): number } {
  let read = 0
  return {
    store: {
      ...store,
      async readRun(...given) {
        const events = await store.readRun(...given)
        read += events.length
        return events
      },
      async readBefore(...given) {
        const events = await store.readBefore(...given)
        read += events.length
        return events
      },
    },
    read: () => read,
  }
}

describe.each(recorded)('%s', (_name, events) => {
  test('X-SCALE-1: its statistics are the same, wherever in each run the account ends', async () => {
    const expected = statsOf(events)
    for (const share of [0, 0.3, 0.6, 0.9, 1]) {
      const store = await openStore({ kind: 'memory' })
      for (const run of runsIn(events)) {
        const cut = Math.round(run.length * share)
        const account = RunAccount.of(run.slice(0, cut)).kept(run[0]?.runId ?? '')
        await store.append(run, cut === 0 ? undefined : account)
      }
      const found = (await collectStats(store)).stats(PRICES)
      await store.close()
      expect(found).toEqual(expected)
    }
  })

  test('X-SCALE-2: its trace is the same, read in windows of any size', async () => {
    const store = await openStore({ kind: 'memory' })
    for (const run of runsIn(events)) await store.append(run)
    for (const run of runsIn(events)) {
      for (const atLeast of [1, 2, 5]) expect(await inWindows(store, run, atLeast)).toEqual(traceOf(run))
    }
    await store.close()
  })
})

async function inWindows(store: Store, run: readonly StoredEvent[], atLeast: number) {
  const runId = run[0]?.runId ?? ''
  const { trace, results, before } = await readNewestTrace(store, runId, { standing: undefined, atLeast })
  for (let next = before; next !== undefined; ) {
    const page = await readEarlierCalls(store, runId, { before: next, atLeast })
    trace.trace.unshift(...page.entries)
    results.unshift(...page.results)
    next = page.before
  }
  const seqs = run.filter((event) => event.type === 'tool.result' && event.data.observation.code !== 'SKIPPED')
  expect(results).toEqual(seqs.map(({ seq }) => seq))
  return trace
}

/** A run of one call a step. Only the first reply has text, and the run ends without an answer. */
function longRun(runId: string, steps: number): StoredEvent[] {
  const events = [makeStart({ runId })]
  for (let step = 1; step <= steps; step++) {
    const call = {
      callId: `c${step}`,
      tool: step % 3 === 0 ? 'look' : 'file_read',
      family: 'filesystem',
      step,
    } as const
    const text = step === 1 ? 'A first thought.' : ''
    const at = () => ({ runId, seq: events.length + 1 })
    events.push(
      makeEvent(at(), 'model.replied', {
        purpose: 'main',
        reply: { kind: 'calls', calls: [{ id: call.callId, tool: call.tool, args: {} }], text },
        usage: { inputTokens: 10, outputTokens: 1 },
        elapsedMs: 5,
      }),
    )
    events.push(
      makeEvent(at(), 'tool.call', {
        ...call,
        args: { step },
        argsHash: '',
        allowed: true,
        soft: false,
        idempotent: true,
      }),
    )
    const observation = { outcome: step % 5 === 0 ? 'error' : 'ok', text: `seen ${step}`, elapsedMs: step } as const
    events.push(makeEvent(at(), 'tool.result', { ...call, trust: 'internal', observation }))
  }
  events.push(makeStop({ runId, seq: events.length + 1 }, 'max_steps'))
  return events
}

test('X-SCALE-2: a long run opens with its newest calls, reading a bounded number of events', async () => {
  const run = longRun('long', 3000)
  const whole = await openStore({ kind: 'memory' })
  await whole.append(run, RunAccount.of(run).kept('long'))
  const { store, read } = counting(whole)
  const { trace, before } = await readNewestTrace(store, 'long', { standing: undefined, atLeast: 100 })
  expect(read()).toBeLessThan(1100)

  const full = traceOf(run)
  expect(trace).toEqual({ ...full, trace: full.trace.slice(-100) })
  expect(trace.final_answer).toBe('A first thought.')
  const page = await readEarlierCalls(store, 'long', { before: before ?? '', atLeast: 50 })
  expect(page.entries).toEqual(full.trace.slice(-150, -100))
  expect(await inWindows(store, run, 700)).toEqual(full)
  await whole.close()
})

test('X-SCALE-1: a log stores its account at the end of the run and during a long one; statistics read no events', async () => {
  const whole = await openStore({ kind: 'memory' })
  const deps = { store: whole, clock: { now: () => 1_700_000_000_000 }, redact: <T>(value: T) => value }
  const place = { sessionId: 'session', turnId: 'turn', scoutId: null, mode: 'chat' } as const
  for (const [runId, committed] of [
    ['done', true],
    ['open', false],
  ] as const) {
    const log = new RunLog(deps, { ...place, runId })
    for (const { type, data } of longRun(runId, 700).slice(0, committed ? undefined : -1)) {
      log.note(type, data)
      if (type === 'tool.result') await log.flush()
    }
    if (committed) log.note('turn.committed', { reply: '', notices: [], stopReason: 'max_steps', runId })
    await log.flush()
  }
  const events = [...(await whole.readRun('done')), ...(await whole.readRun('open'))]
  const { store, read } = counting(whole)
  expect((await collectStats(store)).stats(PRICES)).toEqual(statsOf(events))
  // Of the open run, those since its last account.
  expect(read()).toBeLessThan(1000)
  await whole.close()
})

test('X-SCALE-1: an account of another version, or a damaged one, is not used', async () => {
  const run = longRun('r', 5)
  for (const text of ['', 'null', '{}', '{"version":0,"sums":{}}']) {
    const store = await openStore({ kind: 'memory' })
    await store.append(run, { runId: 'r', seq: 3, text })
    expect((await collectStats(store)).stats(PRICES)).toEqual(statsOf(run))
    const found = []
    for await (const each of countedRuns(store, ['r', 'unknown'])) found.push(each)
    expect(found).toHaveLength(1)
    expect(found[0]?.sums).toMatchObject({ steps: 5, toolCalls: 5, usage: { inputTokens: 50 }, draft: 2 })
    await store.close()
  }
})
