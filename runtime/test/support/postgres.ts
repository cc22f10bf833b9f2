/** A real PostgreSQL for tests: on loopback only, in a temporary folder, removed when the tests end. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../src/storage/open.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const DEBIAN = '/usr/lib/postgresql'

export interface TestPostgres {
  url: string
  /** The address of a new, empty database on the same server. */
  createDatabase(): Promise<string>
  /** The address of a database with the tables of a store and no rows: always the same, and much quicker than a new one. */
  emptyDatabase(): Promise<string>
  /** As after a power cut: no shutdown, nothing is flushed first. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** `fsync`: needed only to measure its cost; other tests do not wait for the disk. */
export async function startPostgres({ fsync = 'off' }: { fsync?: 'on' | 'off' } = {}): Promise<TestPostgres> {
  const bin = findBinaries() ?? missing()
  const folder = mkdtempSync(join(tmpdir(), 'writ-pg-'))
  const owner = pickOwner()
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const asOwner = { cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C' }, ...owner }

  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'writ', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...asOwner, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  writeFileSync(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')

  const port = await findFreePort()
  // The shell outlives this process: when its input closes, even because we were killed,
  // it stops the server and removes the folder.
  const keeper = spawn(
    'sh',
    [
      '-c',
      '"$1/postgres" -D "$2/data" -h 127.0.0.1 -p "$3" -k "$2" -c fsync="$4" >"$2/log" 2>&1 & ' +
        'cat >/dev/null; "$1/pg_ctl" -D "$2/data" -m fast stop >/dev/null 2>&1; wait; cd /; rm -rf "$2"',
      'sh',
      bin,
      folder,
      String(port),
      fsync,
    ],
    { ...asOwner, stdio: ['pipe', 'ignore', 'inherit'], detached: true },
  )
  keeper.stdin.on('error', () => {})

  const url = `postgres://writ@127.0.0.1:${port}/postgres`
  let databases = 0
  async function stop(): Promise<void> {
    if (keeper.exitCode !== null) return
    const exited = once(keeper, 'exit')
    keeper.stdin.end()
    await exited
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    await untilReady(url, join(folder, 'log'))
  } catch (error) {
    await stop()
    throw error
  }
  async function createDatabase(): Promise<string> {
    databases += 1
    const name = `test_${databases}`
    await runSql(url, `create database ${name}`)
    return url.replace(/\/postgres$/, `/${name}`)
  }
  let kept: Promise<string> | undefined
  return {
    url,
    stop,
    createDatabase,
    async emptyDatabase() {
      kept ??= createDatabase()
      const own = await kept
      await (await openDatabase({ kind: 'postgres', url: own })).close()
      await runSql(own, EMPTY)
      return own
    },
    async restart() {
      const words = ['-D', data, '-m', 'immediate', '-l', join(folder, 'log'), '-w', 'restart']
      const restarting = spawn(join(bin, 'pg_ctl'), words, { ...asOwner, stdio: 'ignore' })
      const [code] = await once(restarting, 'exit')
      if (code !== 0) throw new Error(`PostgreSQL did not start again; see ${join(folder, 'log')}`)
    },
  }
}

/** A transaction that a test left open must fail the next one, not block it. */
const EMPTY = `set lock_timeout = '10s';
do $$
declare name text;
begin
  for name in select tablename from pg_tables where schemaname = 'writ' and tablename <> 'schema_version' loop
    execute format('delete from writ.%I', name);
  end loop;
  for name in select sequencename from pg_sequences where schemaname = 'writ' loop
    execute format('alter sequence writ.%I restart', name);
  end loop;
end $$`

export async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function findBinaries(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  return [...debianFolders(), ...onPath].find(
    (folder) => isRunnable(folder, 'pg_ctl') && isRunnable(folder, 'postgres'),
  )
}

/** The newest major version first. */
function debianFolders(): string[] {
  try {
    const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(DEBIAN, version, 'bin'))
  } catch {
    return []
  }
}

function isRunnable(folder: string, name: string): boolean {
  try {
    accessSync(join(folder, name), constants.X_OK)
    return true
  } catch {
    return false
  }
}

function missing(): never {
  throw new Error('The tests need a PostgreSQL server: install the Debian package `postgresql`.')
}

/** PostgreSQL refuses to run as root. */
function pickOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user `postgres` or `nobody` to run it as.')
}

async function untilReady(url: string, log: string): Promise<void> {
  await until(() => runSql(url, 'select 1').then(() => true)).catch((cause) => {
    throw new Error(`PostgreSQL did not start; see ${log}`, { cause })
  })
}
