/** Starts a real `writ serve` in its own process and folder, on the disk of this checkout, and measures its usage. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODEL } from './contender.ts'

const LAUNCHER = join(import.meta.dirname, '../runtime/bin/writ.js')
const TICKS_PER_SECOND = 100

/** CPU seconds so far, memory now and at its peak in megabytes. Linux only. */
export interface Usage {
  cpuS: number
  mb: number
  peakMb: number
}

export interface ServerProcess {
  url: string
  /** Several, because each has its own rate limit. */
  tokens: string[]
  pid: number
  usage(): Usage
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
  // With PostgreSQL, a server leaves work to other workers by default; here it is the only one.
  const share = url === undefined ? [] : ['--at-once', '100']
  // Node options of this process, such as --cpu-prof, also apply to the server.
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
    pid: child.pid ?? 0,
    usage: () => usageOf(child.pid ?? 0),
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Default security. Extra model requests outside the turn are off, so that the time of the model is known. */
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
  let output = ''
  // Always drained: a full pipe would block the server.
  child.stdout?.on('data', (chunk) => {
    if (output.length < 10_000) output += chunk
    const url = /"what":"listening","url":"([^"]+)"/.exec(output)?.[1]
    if (url !== undefined) resolve(url)
  })
  child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  return promise
}

export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, , , , , , , , , , , user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mbOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  return { cpuS: (user + system) / TICKS_PER_SECOND, mb: mbOf('VmRSS'), peakMb: mbOf('VmHWM') }
}
