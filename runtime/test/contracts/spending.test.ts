/** What counting money must do, whichever database is behind it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Spending, SpendingEntry } from '../../src/ports/spending.ts'
import { LOCAL, principalNamed } from '../../src/protocol/principal.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase, type StoreLocation } from '../../src/storage/open.ts'
import { spendingOn } from '../../src/storage/spending.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let folder: string
let postgres: TestPostgres
let files = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-spending-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: { name: string; locate: () => Promise<StoreLocation> }[] = [
  { name: 'SQLite file', locate: async () => ({ kind: 'sqlite', file: join(folder, `${++files}`, 'writ.db') }) },
  { name: 'PostgreSQL', locate: async () => ({ kind: 'postgres', url: await postgres.emptyDatabase() }) },
]

const entry = (change: Partial<SpendingEntry> = {}): SpendingEntry => ({
  owner: LOCAL,
  runId: 'run_1',
  rootRunId: 'run_1',
  day: '2026-03-02',
  usd: 0.25,
  ...change,
})
const always = () => true

describe.each(places)('$name', ({ locate }) => {
  let databases: Database[]
  let spending: Spending
  let another: Spending
  beforeEach(async () => {
    const location = await locate()
    databases = [await openDatabase(location)]
    databases.push(await openDatabase(location))
    ;[spending, another] = databases.map(spendingOn) as [Spending, Spending]
  })
  afterEach(async () => {
    for (const database of databases) await database.close()
  })

  const spent = async (of = entry()) => (await spending.reserve(of, () => false)).spent

  test('X-BUDGET-1 X-BUDGET-2 X-BUDGET-3: sums by run, principal and day', async () => {
    await spending.reserve(entry(), always)
    await spending.reserve(entry({ runId: 'run_1a' }), always)
    await spending.reserve(entry({ runId: 'run_2', rootRunId: 'run_2' }), always)
    await spending.reserve(entry({ runId: 'run_3', rootRunId: 'run_3', day: '2026-03-01' }), always)
    await spending.reserve(entry({ owner: principalNamed('ann'), runId: 'run_4', rootRunId: 'run_4' }), always)
    expect(await spent()).toEqual({ run: 0.5, principal: 1, day: 0.75 })
  })

  test('X-BUDGET-4: what is refused is not counted, and a correction replaces a reservation', async () => {
    expect(await spending.reserve(entry(), () => false)).toMatchObject({ admitted: false })
    await spending.reserve(entry(), always)
    await spending.correct(entry({ usd: -0.125 }))
    expect(await spent()).toEqual({ run: 0.125, principal: 0.125, day: 0.125 })
  })

  test('X-BUDGET-4: many reservations at once through two connections never pass the limit', async () => {
    const tries = Array.from({ length: 24 }, (_, n) =>
      (n % 2 === 0 ? spending : another).reserve(
        entry({ runId: `run_${n}`, rootRunId: `run_${n}` }),
        ({ principal }) => principal + 0.25 <= 1,
      ),
    )
    const admitted = (await Promise.all(tries)).filter((each) => each.admitted)
    expect(admitted).toHaveLength(4)
    expect((await spent()).principal).toBe(1)
  })

  test('X-BUDGET-2: a run that is counted already is not counted again', async () => {
    await spending.reserve(entry(), always)
    await spending.count([entry({ day: '2026-03-01' }), entry({ runId: 'run_2', rootRunId: 'run_2' })])
    await spending.count([entry({ runId: 'run_2', rootRunId: 'run_2', usd: 9 })])
    expect((await spent()).principal).toBe(0.5)
  })
})
