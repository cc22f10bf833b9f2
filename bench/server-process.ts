/** A real `writ serve` in a process and a folder of its own, on the disk of this checkout; with what it uses up. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODEL } from './contender.ts'

const LAUNCHER = join(import.meta.dirname, '../runtime/bin/writ.js')
const TICKS_PER_SECOND = 100

export interface ServerProcess {
  url: string
  /** Several, because each has an allowance of its own. */
  tokens: string[]
  /** CPU seconds so far, and the most memory it ever had, in megabytes. Linux only. */
  usage(): { cpuS: number; peakMb: number }
  stop(): Promise<void>
}

export async function startServerProcess({
  baseURL,
  tokens: count,
}: {
  baseURL: string
  tokens: number
}): Promise<ServerProcess> {
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const place = mkdtempSync(join(results, 'server-'))
  const config = join(place, 'config.json')
  const url = process.env.WRIT_DATABASE_URL
  const env = { PATH: process.env.PATH, HOME: place, ...(url === undefined ? {} : { WRIT_DATABASE_URL: url }) }
  const common = ['--data', join(place, 'data'), '--config', config]
  mkdirSync(join(place, 'workspace'))
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(place, 'workspace', name), name)
  writeFileSync(config, JSON.stringify(configFor(baseURL, url)))
  const cwd = join(place, 'workspace')
  const tokens = Array.from({ length: count }, (_, i) =>
    execFileSync(process.execPath, [LAUNCHER, 'token', 'add', `t${i}-${process.pid}`, '--scopes', 'run', ...common], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).trim(),
  )
  // A server of a fleet leaves most of the work to others unless it is told not to; here it is alone.
  const share = url === undefined ? [] : ['--at-once', '100']
  // What Node is told to do here, such as --cpu-prof, it does there.
  const child = spawn(
    process.execPath,
    [...process.execArgv, LAUNCHER, 'serve', '--port', '0', '--json', ...share, ...common],
    {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return {
    url: await listening(child),
    tokens,
    usage: () => usageOf(child.pid ?? 0),
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Security as it is by default. What would ask the model besides the turn itself is off, so that its time is known. */
function configFor(baseURL: string, databaseUrl: string | undefined): object {
  return {
    agent: {
      model: `compatible/${MODEL}`,
      baseURL,
      ...(databaseUrl === undefined ? {} : { store: 'postgres' }),
      routing: { enabled: false },
      memory: { enabled: false },
      execution: { intentGuard: { detector: 'heuristic' } },
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  // Read to the end: a log nobody takes would hold the server up.
  child.stdout?.on('data', (chunk) => {
    if (said.length < 10_000) said += chunk
    const url = /"what":"listening","url":"([^"]+)"/.exec(said)?.[1]
    if (url !== undefined) resolve(url)
  })
  child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  return promise
}

function usageOf(pid: number): { cpuS: number; peakMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, , , , , , , , , , , user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { cpuS: (user + system) / TICKS_PER_SECOND, peakMb: Number(peak) / 1024 }
}
