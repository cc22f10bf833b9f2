/**
 * Long journals: the cost of another step and the time to open a run, with 1,000, 10,000 and 100,000 events in one run,
 * on the disk of this checkout. With WRIT_DATABASE_URL set, also in PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../runtime/src/base/clock.ts'
import { collectStats } from '../runtime/src/journal/collect-stats.ts'
import { RunLog } from '../runtime/src/journal/journal.ts'
import { PRICES } from '../runtime/src/journal/prices.ts'
import type { Store } from '../runtime/src/journal/store.ts'
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
      // A new connection and the newest page: what the console loads when a run is opened.
      opens.push(
        await timed(async () => {
          const fresh = await openStore(location)
          await fresh.readRun('long', Math.max(0, steps * EVENTS_PER_STEP - 1000), 1000)
          await fresh.close()
        }),
      )
      tails.push(await timed(() => store.readRun('long')))
    }
    const [append, open, tail] = [appends, opens, tails].map((values) => figureOf(values).median)
    rows.push({ events, appendMs: append ?? 0, openMs: open ?? 0, tailMs: tail ?? 0 })
  }
  const whole = await timed(() => audit(store))
  const counted = await timed(async () => (await collectStats(store)).stats(PRICES))
  console.log(`audit of the whole store ${whole.toFixed(0)} ms, statistics ${counted.toFixed(0)} ms`)
  await store.close()
  return rows
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
    console.log('  events   a further step   a run opened, last 1,000 events   all its events read')
    for (const { events, appendMs, openMs, tailMs } of rows) {
      const cells = [`${appendMs.toFixed(2)} ms`.padStart(14), `${openMs.toFixed(1)} ms`.padStart(30)]
      console.log(`${String(events).padStart(8)}   ${cells.join('   ')}   ${`${tailMs.toFixed(0)} ms`.padStart(17)}`)
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
