/** A network that drops packets to PostgreSQL: waiting calls time out with a clear error. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import { startWorker } from '../../src/assembly/jobs.ts'
import { localDispatcher } from '../../src/dispatch/local.ts'
import { pgBossDispatcher } from '../../src/dispatch/pg-boss.ts'
import { ask } from '../../src/storage/database.ts'
import { openDatabase, openStore } from '../../src/storage/open.ts'
import { type Cable, openCable } from '../support/cable.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { call, speaking } from '../support/server.ts'

const UNREACHABLE = { code: 'STORE_UNREACHABLE', message: expect.stringContaining('Query read timeout') }
const LONG = 300_000

let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  postgres = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'writ-deaf-'))
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const hasty = (url: string, ms: number) => `${url}?query_timeout=${ms}`

async function wired(): Promise<{ url: string; cable: Cable }> {
  const url = await postgres.createDatabase()
  return { url, cable: await openCable(url) }
}

test.concurrent('a query and a transaction time out, and later ones succeed when the network is back', async ({
  expect,
}) => {
  const { cable } = await wired()
  const db = await openDatabase({ kind: 'postgres', url: hasty(cable.url, 2000) })
  const versions = db.sql.selectFrom('schema_version').select('version').compile()
  cable.swallow()
  await expect(db.query(versions)).rejects.toMatchObject(UNREACHABLE)
  cable.mend()
  const cutOff = db.transact(
    (function* () {
      yield* ask(versions)
      cable.swallow()
      yield* ask(versions)
    })(),
  )
  await expect(cutOff).rejects.toMatchObject(UNREACHABLE)
  cable.mend()
  expect((await db.query(versions)).length).toBeGreaterThan(0)
  await db.close()
  await cable.close()
})

test.concurrent('a migration waits as long as another process’s migration takes', async ({ expect }) => {
  const url = await postgres.createDatabase()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin; select pg_advisory_xact_lock(5719213)')
  const opening = openStore({ kind: 'postgres', url: hasty(url, 2000) })
  const waits = "select 1 from pg_locks where locktype = 'advisory' and not granted"
  await expect.poll(async () => (await other.query(waits)).rowCount).toBe(1)
  await other.query('select pg_sleep(2.5)')
  await other.query('commit')
  await other.end()
  await (await opening).close()
})

test.concurrent('jobs are delivered again after the queue was unreachable', async ({ expect }) => {
  const { url, cable } = await wired()
  const asker = await pgBossDispatcher(url)
  const worker = await pgBossDispatcher(hasty(cable.url, 2000))
  const done: string[] = []
  const working = await worker.work(async ({ sessionId }) => void done.push(sessionId), { atOnce: 1 })
  await asker.submit({ kind: 'routine', sessionId: 'one', name: 'r' })
  await expect.poll(() => done).toEqual(['one'])
  cable.swallow()
  await asker.submit({ kind: 'routine', sessionId: 'two', name: 'r' })
  await expect(worker.submit({ kind: 'routine', sessionId: 'three', name: 'r' })).rejects.toMatchObject(UNREACHABLE)
  cable.mend()
  await expect.poll(() => done).toContain('two')
  await working.stop(1000)
  await worker.close()
  await asker.close()
  await cable.close()
})

test.concurrent(
  'a run whose worker loses the database stops there with a clear error, and another worker resumes it',
  async ({ expect }) => {
    const { url, cable } = await wired()
    const deeds: Deed[] = []
    const go = Promise.withResolvers<void>()
    const open = (databaseUrl: string, model: Agent['model']) =>
      createAgent({
        workspace: folder,
        data: join(folder, 'data'),
        config: { agent: { store: 'postgres', routing: { enabled: false }, security: { autonomy: 'Full' } } },
        env: { WRIT_DATABASE_URL: databaseUrl },
        tools: spyTools(deeds),
        model,
      })
    const deaf = await open(
      hasty(cable.url, 2000),
      speaking([[{ calls: [call('change', { n: 1 })] }], [go.promise, 'never heard']]),
    )
    const other = await open(url, speaking([['went on']]))
    const working = await startWorker(other, localDispatcher(), { atOnce: 1 })
    const run = deaf.run('change it', { runId: 'run_1' })
    run.catch(() => {})
    await expect.poll(() => deeds.length).toBe(1)
    const runId = 'run_1'
    const types = async () => (await other.store.readRun(runId)).map(({ type }) => type)
    await expect.poll(async () => (await types()).filter((type) => type === 'model.requested').length).toBe(2)
    cable.swallow()
    go.resolve()
    await expect(run).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
    await expect.poll(async () => (await types()).at(-1)).toBe('turn.committed')
    const committed = (await other.store.readRun(runId)).at(-1)
    expect(committed).toMatchObject({ data: { reply: 'went on' } })
    expect(deeds).toHaveLength(1)
    cable.mend()
    expect((await deaf.store.readRun(runId)).at(-1)).toEqual(committed)
    await working.stop(1000)
    await deaf.close()
    await other.close()
    await cable.close()
  },
  LONG,
)
