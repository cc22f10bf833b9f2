/**
 * Runs per second with 1, 2 and 4 workers, and the time until another worker takes over a run after kill -9. Needs an
 * unused PostgreSQL in WRIT_DATABASE_URL. Each run is one reply of a scripted model: this measures Writ and the database,
 * not a model.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pgBossDispatcher } from '../runtime/src/dispatch/pg-boss.ts'
import { openStore } from '../runtime/src/storage/open.ts'

const FLEETS = [1, 2, 4]
const RUNS = 120
const DEATHS = 6
const AT_ONCE = '4'
const LAUNCHER = join(import.meta.dirname, '../runtime/bin/writ.js')

const url = process.env.WRIT_DATABASE_URL ?? ''
if (url === '') throw new Error('WRIT_DATABASE_URL is not set')
const place = mkdtempSync(join(tmpdir(), 'writ-workers-'))
const store = await openStore({ kind: 'postgres', url })
const dispatcher = await pgBossDispatcher(url)
writeFileSync(join(place, 'notes.txt'), 'words\n')
writeFileSync(
  join(place, 'config.json'),
  JSON.stringify({ agent: { store: 'postgres', routing: { enabled: false }, memory: { enabled: false } } }),
)
const read = { purpose: 'main', calls: [{ tool: 'file_read', args: { path: 'notes.txt' } }] }
const scripts = {
  quick: [{ purpose: 'main', text: 'done', times: RUNS * 4 }],
  slow: [read, { purpose: 'main', text: 'done', delayMs: 600_000 }],
  final: [{ purpose: 'main', text: 'went on', times: 1000 }],
}
for (const [name, entries] of Object.entries(scripts)) {
  writeFileSync(join(place, `${name}.json`), JSON.stringify(entries))
}

async function startWorker(script: keyof typeof scripts): Promise<ChildProcess> {
  const words = ['work', '--config', 'config.json', '--script', `${script}.json`, '--at-once', AT_ONCE]
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd: place,
    env: { PATH: process.env.PATH, HOME: place, WRIT_DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const chunk of child.stderr) if (String(chunk).includes('At work')) break
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const endedSince = async (since: number) => (await store.listRuns({ since })).filter(({ stopped }) => stopped).length

async function throughput(workers: number): Promise<number> {
  const fleet = await Promise.all(Array.from({ length: workers }, () => startWorker('quick')))
  const since = Date.now()
  for (let i = 0; i < RUNS; i++) {
    const id = `${workers}-${i}-${since}`
    await dispatcher.submit({ kind: 'turn', sessionId: `s${id}`, runId: `r${id}`, task: 'read the notes' })
  }
  const start = performance.now()
  while ((await endedSince(since)) < RUNS) await delay(20)
  const seconds = (performance.now() - start) / 1000
  for (const child of fleet) await end(child, 'SIGTERM')
  return RUNS / seconds
}

async function takeover(n: number): Promise<number> {
  const id = `death-${n}-${Date.now()}`
  const doomed = await startWorker('slow')
  await dispatcher.submit({ kind: 'turn', sessionId: `s${id}`, runId: `r${id}`, task: 'read the notes' })
  const types = async () => (await store.readRun(`r${id}`)).map(({ type }) => type)
  while ((await types()).filter((type) => type === 'model.requested').length < 2) await delay(20)
  const next = await startWorker('final')
  await end(doomed, 'SIGKILL')
  const start = performance.now()
  while (!(await types()).includes('run.resumed')) await delay(20)
  const seconds = (performance.now() - start) / 1000
  while (!(await types()).includes('turn.committed')) await delay(20)
  await end(next, 'SIGTERM')
  return seconds
}

try {
  for (const workers of FLEETS) console.log(`${workers} workers: ${(await throughput(workers)).toFixed(1)} runs/s`)
  const waits: number[] = []
  for (let i = 0; i < DEATHS; i++) waits.push(await takeover(i))
  waits.sort((a, b) => a - b)
  console.log(`taken over after ${waits.map((seconds) => seconds.toFixed(1)).join(', ')} s (same machine)`)
} finally {
  await dispatcher.close()
  await store.close()
  rmSync(place, { recursive: true, force: true })
}
