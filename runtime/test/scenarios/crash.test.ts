/** Workers that die, sleep or lose their database in the middle of a run with effects. `bench/crash.ts` does it all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Hold, openHold } from '../crash/hold.ts'
import { openStage, type Stage } from '../crash/stage.ts'
import {
  appendOf,
  crashAt,
  cutAt,
  freezeAt,
  type Position,
  promised,
  type Rehearsal,
  rehearse,
  type Theatre,
} from '../crash/sweep.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

const LONG = 300_000

let postgres: TestPostgres
let stage: Stage
let hold: Hold
let theatre: Theatre
let rehearsal: Rehearsal
beforeAll(async () => {
  postgres = await startPostgres()
  const url = await postgres.createDatabase()
  stage = await openStage(url)
  hold = await openHold(url)
  theatre = { stage, hold }
  await Promise.all([stage.hire(), stage.hire()])
  rehearsal = await rehearse(theatre)
})
afterAll(async () => {
  await hold?.close()
  await stage?.close()
  await postgres?.stop()
})

/** The second call is a POST, the third a command, the first a write that may be repeated. */
const DEATHS: [string, Position['moment'], ...Parameters<typeof endOf>][] = [
  ['before anything is stored: the job is handed out again', 'before', 'run.started'],
  ['with a write begun that may be repeated: it is', 'after', 'tool.call', 1],
  ['with a request stored and not yet sent: it is unknown, and not sent', 'after', 'tool.call', 2],
  ['with a request sent and its answer not stored: it is unknown, and not sent again', 'before', 'tool.result', 2],
  ['with a command on its way into the journal, which gets there late: it is unknown', 'late', 'tool.call', 3],
  ['before the reply is stored: it is asked for again, and remembered once', 'before', 'turn.committed'],
]

function endOf(type: Parameters<typeof appendOf>[1], n?: number): number {
  return appendOf(rehearsal, type, n)
}

describe('kill -9', () => {
  test.each(DEATHS)(
    '%s',
    async (_, moment, ...event) => {
      const position = { seq: endOf(...event), moment }
      expect((await crashAt(theatre, position)).fate).toEqual(promised(rehearsal, position))
    },
    LONG,
  )
})

describe('a worker that sleeps until it has been replaced', () => {
  test(
    'does not do on waking what it had stored before it slept',
    async () => {
      const position = { seq: endOf('tool.call', 2), moment: 'after' } as const
      expect((await freezeAt(theatre, position)).fate).toEqual(promised(rehearsal, position))
    },
    LONG,
  )

  test(
    'holds nobody up with the transaction it slept in, and survives the loss of it',
    async () => {
      const seq = endOf('tool.call', 2)
      const { fate, woken } = await freezeAt(theatre, { seq, moment: 'open' })
      expect(fate).toEqual(promised(rehearsal, { seq, moment: 'before' }))
      expect(woken).toMatchObject({ code: 0, signal: null })
    },
    LONG,
  )
})

test(
  'a database that is cut off in the middle of an append costs time, and nothing is done twice',
  async () => {
    const seq = endOf('tool.result', 2)
    const { fate } = await cutAt(theatre, seq, () => postgres.restart())
    expect(fate).toEqual(promised(rehearsal, { seq, moment: 'before' }))
    for (const { child, ended } of stage.workers.values()) {
      child.kill('SIGTERM')
      const { code, stderr } = await ended
      expect(code).toBe(0)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
  },
  LONG,
)

test('after all that, the journal verifies from the command line', async () => {
  const env = { WRIT_DATABASE_URL: stage.url }
  const [found] = (await stage.place.writ(['audit', 'verify', '--json'], { env })).json()
  expect(found).toMatchObject({ ok: true, runs: DEATHS.length + 4, breaches: [] })
})
