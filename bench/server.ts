/**
 * `npm run bench:server [-- SESSIONS [TURNS]]`: many concurrent conversations with a real `writ serve`, each streamed.
 * Every stream is compared with the journal: no event may be missing or duplicated. Added latency is the time of a turn
 * minus the time of the model. With WRIT_DATABASE_URL set, the journal is in PostgreSQL.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient, type Frame } from '../runtime/src/server/client.ts'
import { burst, burstTable, type Contender, startBareServer } from './burst.ts'
import { quantile } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/** Spreads the start of the conversations. */
const RAMP_MS = 8000
/** The rate limit of a token allows a burst of 1000 requests. */
const SESSIONS_PER_TOKEN = 50

interface Turn {
  mark: string
  runId: string
  wallMs: number
  /** Number and hash of the stored events, in order of arrival. */
  seen: string[]
}

async function startStub(): Promise<{ process: ChildProcess; url: string }> {
  const process = fork(join(import.meta.dirname, 'streaming-stub.ts'))
  const [url] = await once(process, 'message')
  return { process, url }
}

const placeOf = ({ seq, hash }: { seq: number; hash: string }) => `${seq} ${hash}`

async function takeTurn(client: Client, sessionId: string, mark: string): Promise<Turn> {
  const began = performance.now()
  const seen: string[] = []
  let last: Frame | undefined
  const input = { params: { id: sessionId }, body: { text: `List the files here. ${mark}` } }
  for await (const frame of client.stream('POST /api/sessions/:id/messages', input)) {
    if (frame.id !== undefined) seen.push(placeOf(frame.data as { seq: number; hash: string }))
    last = frame
  }
  const wallMs = performance.now() - began
  const result = last?.data as { stopReason?: string; runId: string; metadata: { execution: { toolCalls: number } } }
  if (result?.stopReason !== 'final' || result.metadata.execution.toolCalls !== 1) {
    throw new Error(`turn ${mark} failed: ${JSON.stringify(last)}`)
  }
  return { mark, runId: result.runId, wallMs, seen }
}

async function converse(client: Client, n: number, turns: number): Promise<Turn[]> {
  await delay(Math.random() * RAMP_MS)
  const { sessionId } = await client.call('POST /api/sessions', {})
  const taken: Turn[] = []
  for (let i = 0; i < turns; i++) taken.push(await takeTurn(client, sessionId, `#${n}.${i}`))
  return taken
}

/** The number of missing and of duplicate events in a stream. */
async function compare(
  client: Client,
  { runId, seen }: Turn,
): Promise<{ events: number; lost: number; doubled: number }> {
  const { events } = await client.call('GET /api/runs/:id/events', { params: { id: runId }, query: { limit: 1000 } })
  const came = new Set(seen)
  const lost = events.filter((event) => !came.has(placeOf(event))).length
  return { events: events.length, lost, doubled: seen.length - came.size }
}

const sessions = Number(process.argv[2] ?? 200)
const turns = Number(process.argv[3] ?? 5)
const stub = await startStub()
const server = await startServerProcess({ baseURL: stub.url, tokens: Math.ceil(sessions / SESSIONS_PER_TOKEN) })
const bare = await startBareServer(stub.url)
const clients = server.tokens.map((token) => createClient({ base: server.url, token: () => token }))
const clientOf = (n: number): Client => clients[n % clients.length] as Client
const writ: Contender = {
  name: 'writ serve',
  url: server.url,
  pid: server.pid,
  async open(n) {
    const { sessionId } = await clientOf(n).call('POST /api/sessions', {})
    return { path: `/api/sessions/${sessionId}/messages`, token: server.tokens[n % server.tokens.length] ?? '' }
  },
}
try {
  const bursts = [await burst(bare, sessions), await burst(writ, sessions)] as const
  console.log(`${sessions} conversations that begin at the same moment, one turn each\n${burstTable(bursts)}\n`)
  await converse(clientOf(0), sessions, 1)
  const before = server.usage()
  const began = performance.now()
  const taken = await Promise.all(Array.from({ length: sessions }, (_, n) => converse(clientOf(n), n, turns)))
  const seconds = (performance.now() - began) / 1000
  const after = server.usage()

  let [events, lost, doubled] = [0, 0, 0]
  for (const [n, own] of taken.entries()) {
    for (const turn of own) {
      const found = await compare(clientOf(n), turn)
      events += found.events
      lost += found.lost
      doubled += found.doubled
    }
  }
  stub.process.send('spent')
  const [spent] = (await once(stub.process, 'message')) as [Record<string, number>]
  const all = taken.flat()
  const added = all.map(({ mark, wallMs }) => wallMs - (spent[mark] ?? Number.NaN)).sort((a, b) => a - b)
  const own = all.map(({ mark }) => spent[mark] ?? Number.NaN).sort((a, b) => a - b)
  const rows: [string, string][] = [
    ['journal', process.env.WRIT_DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL'],
    ['cores', `${availableParallelism()}, shared by server, stub and clients`],
    ['concurrent sessions', `${sessions}`],
    ['turns', `${all.length} (one tool call each)`],
    ['turns a second', (all.length / seconds).toFixed(1)],
    ['the model’s own time, median', `${quantile(own, 0.5).toFixed(0)} ms`],
    ...([0.5, 0.95, 0.99] as const).map((share): [string, string] => [
      `added latency p${share * 100}`,
      `${quantile(added, share).toFixed(0)} ms`,
    ]),
    ['stored events', `${events}`],
    ['lost / doubled', `${lost} / ${doubled}`],
    [
      'server CPU',
      `${(((after.cpuS - before.cpuS) / all.length) * 1000).toFixed(1)} ms a turn, ${(((after.cpuS - before.cpuS) / seconds) * 100).toFixed(0)} % of a core`,
    ],
    ['server memory, peak', `${after.peakMb.toFixed(0)} MB`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`)
  if (lost + doubled > 0) process.exitCode = 1
} finally {
  await server.stop()
  bare.process.disconnect()
  stub.process.disconnect()
}
