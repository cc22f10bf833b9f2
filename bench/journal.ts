/**
 * Long journals: the cost of another step and the time to open a run, with 1,000, 10,000 and 100,000 events in one run,
 * and statistics of many runs, on the disk of this checkout. With WRIT_DATABASE_URL set, also in PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { systemClock } from '../runtime/src/base/clock.ts'
import { collectStats } from '../runtime/src/journal/collect-stats.ts'
import { RunLog } from '../runtime/src/journal/journal.ts'
import { PRICES } from '../runtime/src/journal/prices.ts'
import { eventsOf, runsOf } from '../runtime/src/journal/read.ts'
import { type Stats, StatsAccount } from '../runtime/src/journal/stats.ts'
import type { Store } from '../runtime/src/journal/store.ts'
import { totalOf } from '../runtime/src/journal/totals.ts'
import { traceOf } from '../runtime/src/journal/trace.ts'
import { readNewestTrace } from '../runtime/src/journal/trace-window.ts'
import { audit } from '../runtime/src/journal/verify.ts'
import type { Profile } from '../runtime/src/protocol/profile.ts'
import { openStore, type StoreLocation } from '../runtime/src/storage/open.ts'
import { figureOf } from './figures.ts'

const SIZES = [1_000, 10_000, 100_000]
const EVENTS_PER_STEP = 8
const SAMPLES = 200
const OPENINGS = 5
/** As long as typical results of reads and commands. */
const RESULT = 'x'.repeat(400)
const OPEN_LIMIT_MS = 100
/** As the page of a run and `writ trace` show. */
const CALLS = 200
const EVENTS_SHOWN = 1000
/** For the statistics. */
const RUNS = 2000
const STEPS_EACH = 5

interface Row {
  events: number
  appendMs: number
  openMs: number
  tailMs: number
}

function openLog(store: Store, runId: string): RunLog {
  const place = { runId, sessionId: 'bench', turnId: 'turn', scoutId: null, mode: 'chat' } as const
  return new RunLog({ store, clock: systemClock, redact: (value) => value }, place)
}

function start(log: RunLog): void {
  log.note('run.started', {
    task: 'bench',
    profile: {} as Profile,
    model: 'bench',
    lang: 'en',
    route: 'CloudLlm',
    tools: [],
    history: 0,
    approvals: [],
  })
}

/** The events of one model reply with one tool call. */
async function step(log: RunLog, n: number): Promise<void> {
  const callId = `call_${n}`
  const call = { callId, tool: 'file_read', family: 'filesystem', step: n } as const
  log.note('model.requested', { purpose: 'main', model: 'bench', messages: n, tools: 1, attempt: 1 })
  log.note('model.replied', {
    purpose: 'main',
    reply: { kind: 'calls', calls: [{ id: callId, tool: 'file_read', args: { path: 'a.txt' } }], text: '' },
    usage: { inputTokens: 100, outputTokens: 10 },
    elapsedMs: 5,
  })
  const args = { path: 'a.txt' }
  log.note('tool.call', { ...call, args, argsHash: '', allowed: true, soft: false, idempotent: true })
  for (let i = 0; i < EVENTS_PER_STEP - 4; i++) log.note('window.trimmed', { dropped: i, kept: n })
  const observation = { outcome: 'ok', text: RESULT, elapsedMs: 2 } as const
  log.note('tool.result', { ...call, trust: 'internal', observation })
  await log.flush()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function measure(location: StoreLocation): Promise<Row[]> {
  const store = await openStore(location)
  const log = openLog(store, 'long')
  start(log)
  const rows: Row[] = []
  let steps = 0
  for (const events of SIZES) {
    while (steps * EVENTS_PER_STEP < events - SAMPLES * EVENTS_PER_STEP) await step(log, ++steps)
    const appends: number[] = []
    for (let i = 0; i < SAMPLES && steps * EVENTS_PER_STEP < events; i++) {
      steps++
      appends.push(await timed(() => step(log, steps)))
    }
    const opens: number[] = []
    const tails: number[] = []
    for (let i = 0; i < OPENINGS; i++) {
      // With a new connection.
      opens.push(
        await timed(async () => {
          const fresh = await openStore(location)
          await fresh.readBefore('long', Number.MAX_SAFE_INTEGER, EVENTS_SHOWN)
          await readNewestTrace(fresh, 'long', { standing: 'at-work', atLeast: CALLS })
          await totalOf(fresh, 'long', PRICES)
          await fresh.close()
        }),
      )
      tails.push(await timed(async () => traceOf(await store.readRun('long'), 'at-work')))
    }
    const [append, open, tail] = [appends, opens, tails].map((values) => figureOf(values).median)
    rows.push({ events, appendMs: append ?? 0, openMs: open ?? 0, tailMs: tail ?? 0 })
  }
  const whole = await timed(() => audit(store))
  console.log(`audit of the whole store ${whole.toFixed(0)} ms`)
  await compareStats(store)
  await store.close()
  return rows
}

/** From what was counted of each run, and from all events. */
async function compareStats(store: Store): Promise<void> {
  for (let run = 0; run < RUNS; run++) {
    const log = openLog(store, `run-${run}`)
    start(log)
    for (let n = 1; n <= STEPS_EACH; n++) await step(log, n)
    const usage = { inputTokens: 500, outputTokens: 50 }
    const stop = { reason: 'final', text: '' } as const
    log.note('run.stopped', { stop, steps: STEPS_EACH, toolCalls: STEPS_EACH, usage })
    log.note('turn.committed', { reply: '', notices: [], stopReason: 'final', runId: `run-${run}` })
    await log.flush()
  }
  let found: Stats | undefined
  const counted = await timed(async () => {
    found = (await collectStats(store)).stats(PRICES)
  })
  const account = new StatsAccount()
  const read = await timed(async () => {
    for await (const { runId } of runsOf(store)) for await (const event of eventsOf(store, runId)) account.add(event)
  })
  if (!isDeepStrictEqual(found, account.stats(PRICES))) throw new Error('the statistics differ')
  const figures = `${counted.toFixed(0)} ms; from all ${found?.events} events ${read.toFixed(0)} ms`
  console.log(`statistics of ${RUNS + 1} runs ${figures}: ${(read / counted).toFixed(1)}×`)
}

const folder = mkdtempSync(join(import.meta.dirname, 'results', 'journal-'))
try {
  const places: [string, StoreLocation][] = [['SQLite', { kind: 'sqlite', file: join(folder, 'journal.db') }]]
  const url = process.env.WRIT_DATABASE_URL
  if (url !== undefined) places.push(['PostgreSQL', { kind: 'postgres', url }])
  let slow = false
  for (const [name, location] of places) {
    console.log(`\n${name}`)
    const rows = await measure(location)
    console.log('  events   a further step   opened: newest events and calls   all its events and calls')
    for (const { events, appendMs, openMs, tailMs } of rows) {
      const cells = [`${appendMs.toFixed(2)} ms`.padStart(14), `${openMs.toFixed(1)} ms`.padStart(32)]
      console.log(`${String(events).padStart(8)}   ${cells.join('   ')}   ${`${tailMs.toFixed(0)} ms`.padStart(25)}`)
      slow ||= openMs > OPEN_LIMIT_MS
    }
  }
  if (slow) {
    console.error(`opening a run took more than ${OPEN_LIMIT_MS} ms`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
