/**
 * Many conversations that begin at the same moment, with `writ serve` and with a bare server over the same model: the
 * first byte of each answer, `/healthz` meanwhile, and the memory of a conversation.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from './figures.ts'
import { usageOf } from './server-process.ts'

/** Rounds: the first has every server load what it needs. */
const WARM_UP = 20
const HEALTH_EVERY_MS = 20

export interface Contender {
  name: string
  url: string
  pid: number
  /** Opens a conversation, and returns the path of its messages with a token. */
  open(n: number): Promise<{ path: string; token?: string }>
}

export interface Burst {
  name: string
  firstByteMs: number
  healthMs: number
  healthMaxMs: number
  /** Above the memory before the burst. */
  kbEach: number
  cpuMsEach: number
}

export async function burst({ name, url, pid, open }: Contender, conversations: number): Promise<Burst> {
  const headersFor = (token?: string) => ({
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  })
  async function converse(place: { path: string; token?: string }, mark: string): Promise<number> {
    const began = performance.now()
    const body = JSON.stringify({ text: `List the files here. ${mark}` })
    const response = await fetch(`${url}${place.path}`, { method: 'POST', headers: headersFor(place.token), body })
    if (!response.ok || response.body === null) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    let firstMs = 0
    let said = ''
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      firstMs ||= performance.now() - began
      said = (said + part).slice(-4000)
    }
    if (!said.includes('event: result')) throw new Error(`${name}: the answer has no result: ${said}`)
    return firstMs
  }
  const health: number[] = []
  let isOver = false
  async function watchHealth(): Promise<void> {
    while (!isOver) {
      const began = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      health.push(performance.now() - began)
      await delay(HEALTH_EVERY_MS)
    }
  }

  const warm = await Promise.all(Array.from({ length: WARM_UP }, (_, n) => open(n)))
  await Promise.all(warm.map((place, n) => converse(place, `#${20_000 + n}.0`)))
  const places = await Promise.all(Array.from({ length: conversations }, (_, n) => open(n)))
  const before = usageOf(pid)
  let peakMb = before.mb
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, usageOf(pid).mb)
  }, 100)
  const watched = watchHealth()
  const first = await Promise.all(places.map((place, n) => converse(place, `#${10_000 + n}.0`)))
  isOver = true
  await watched
  clearInterval(watching)
  const after = usageOf(pid)
  const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
  return {
    name,
    firstByteMs: quantile(sorted(first), 0.95),
    healthMs: quantile(sorted(health), 0.95),
    healthMaxMs: Math.max(...health),
    kbEach: ((peakMb - before.mb) * 1024) / conversations,
    cpuMsEach: ((after.cpuS - before.cpuS) * 1000) / conversations,
  }
}

export async function startBareServer(baseURL: string): Promise<Contender & { process: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [baseURL])
  const [url] = (await once(child, 'message')) as [string]
  return {
    name: 'bare Hono',
    url,
    pid: child.pid ?? 0,
    process: child,
    open: async (n) => ({ path: `/messages/${n}` }),
  }
}

export function burstTable([bare, writ]: readonly [Burst, Burst]): string {
  const rows: [string, (burst: Burst) => number, string][] = [
    ['first byte, p95', ({ firstByteMs }) => firstByteMs, 'ms'],
    ['/healthz meanwhile, p95', ({ healthMs }) => healthMs, 'ms'],
    ['/healthz meanwhile, slowest', ({ healthMaxMs }) => healthMaxMs, 'ms'],
    ['memory of a conversation', ({ kbEach }) => kbEach, 'kB'],
    ['CPU of a turn', ({ cpuMsEach }) => cpuMsEach, 'ms'],
  ]
  const lines = rows.map(([label, of, unit]) => {
    const cells = [bare, writ].map((each) => `${of(each).toFixed(1)} ${unit}`.padStart(12))
    return `${label.padEnd(28)}${cells.join('')}${(of(writ) / of(bare)).toFixed(1).padStart(9)}×`
  })
  return [
    `${''.padEnd(28)}${[bare, writ].map(({ name }) => name.padStart(12)).join('')}${'ratio'.padStart(10)}`,
    ...lines,
  ].join('\n')
}
