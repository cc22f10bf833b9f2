/** A real Redis for tests: on loopback only, nothing on disk, gone when the tests are. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type RedisLink, redisLink } from '../../src/storage/redis.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const PASSWORD = 'correct-horse'

export interface TestRedis {
  /** `127.0.0.1:port` */
  host: string
  /** The address of a new, empty database on the same server. */
  createDatabase(): string
  stop(): Promise<void>
}

export async function startRedis(): Promise<TestRedis> {
  const program = findServer() ?? missing()
  const folder = mkdtempSync(join(tmpdir(), 'writ-redis-'))
  const host = `127.0.0.1:${await findFreePort()}`
  const settings = {
    bind: '127.0.0.1',
    port: host.split(':')[1] ?? '',
    dir: folder,
    databases: '1000',
    requirepass: PASSWORD,
    save: '',
    appendonly: 'no',
  }
  // The shell outlives us by a moment: when our end of its input closes, even because we were killed, the server stops.
  const script = '"$@" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill $server; wait $server'
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const keeper = spawn('sh', ['-c', script, 'sh', program, ...args], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  keeper.stdin.on('error', () => {})

  async function stop(): Promise<void> {
    if (keeper.exitCode !== null) return
    const exited = once(keeper, 'exit')
    keeper.stdin.end()
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  let databases = 0
  const createDatabase = () => `redis://:${PASSWORD}@${host}/${++databases}`
  try {
    await untilReady(createDatabase())
  } catch (error) {
    await stop()
    throw error
  }
  return { host, createDatabase, stop }
}

/** Runs one command on a connection of its own. */
export async function runRedis(url: string, ...[command, ...args]: [string, ...string[]]): Promise<unknown> {
  return withLink(url, (link) => link.call(command, ...args))
}

async function withLink<T>(url: string, work: (link: RedisLink) => Promise<T>): Promise<T> {
  const link = redisLink(url)
  try {
    return await work(link)
  } finally {
    await link.close()
  }
}

function findServer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path))
}

function missing(): never {
  throw new Error('The tests need a Redis server: install the Debian package `redis-server`.')
}

async function untilReady(url: string): Promise<void> {
  await until(() => runRedis(url, 'PING')).catch((cause) => {
    throw new Error('Redis did not start', { cause })
  })
}
