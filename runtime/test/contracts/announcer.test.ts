/** Stores on one PostgreSQL hear of each other's events; who hears nothing has lost nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../src/journal/store.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { openStore } from '../../src/storage/open.ts'
import { makeEvents } from '../support/events.ts'
import { runSql, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

let postgres: TestPostgres
let url: string
let writer: Store
let reader: Store
beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase()
  writer = await openStore({ kind: 'postgres', url })
  reader = await openStore({ kind: 'postgres', url })
})
afterAll(async () => {
  await writer?.close()
  await reader?.close()
  await postgres?.stop()
})

/** Stores steps until one of them is heard: a listener that is still connecting hears nothing yet. */
async function heardAfter(runId: string, heard: readonly StoredEvent[], from = 1): Promise<void> {
  let seq = from
  await until(async () => {
    await writer.append(makeEvents({ runId, seq: seq++ }, 1))
    return heard.some((event) => event.runId === runId)
  })
}

test('each stored batch is announced to the other store once and complete', async () => {
  const heard: StoredEvent[] = []
  const own: StoredEvent[] = []
  const deaf = reader.onAppend((events) => heard.push(...events))
  const stop = writer.onAppend((events) => own.push(...events))
  await heardAfter('warm-up', heard)
  const events = makeEvents({ runId: 'a', seq: 1 }, 150)
  await writer.append(events.slice(0, 100))
  await writer.append(events.slice(100))
  // Told in order: when this has come, anything told twice has come too.
  await heardAfter('later', heard)
  expect(heard.filter(({ runId }) => runId === 'a')).toEqual(events)
  expect(own.filter(({ runId }) => runId === 'a')).toEqual(events)
  deaf()
  stop()
})

test('a listener that was cut off listens again, and what it missed is in the journal', async () => {
  const heard: StoredEvent[] = []
  const deaf = reader.onAppend((events) => heard.push(...events))
  await heardAfter('before', heard)
  await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'")
  await writer.append(makeEvents({ runId: 'missed', seq: 1 }, 1))
  await heardAfter('after', heard)
  expect((await reader.readRun('missed')).length).toBe(1)
  deaf()
})
