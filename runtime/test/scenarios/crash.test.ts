/** Workers die, freeze or lose the database during a run with side effects. `bench/crash.ts` covers every position. */
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

/** The first call is an idempotent write, the second a POST, the third a command. */
const DEATHS: [string, Position['moment'], ...Parameters<typeof endOf>][] = [
  ['before anything is stored: the job is delivered again', 'before', 'run.started'],
  ['during an idempotent write: it is repeated', 'after', 'tool.call', 1],
  ['with a request stored but not sent: its result is unknown, and it is not sent', 'after', 'tool.call', 2],
  [
    'with a request sent but its answer not stored: its result is unknown, and it is not sent again',
    'before',
    'tool.result',
    2,
  ],
  ['with a command that reaches the journal late: its result is unknown', 'late', 'tool.call', 3],
  ['before the reply is stored: the model is asked again, and the turn is remembered once', 'before', 'turn.committed'],
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

describe('a worker frozen until it has been replaced', () => {
  test(
    'does not run a call on waking that it had stored before',
    async () => {
      const position = { seq: endOf('tool.call', 2), moment: 'after' } as const
      expect((await freezeAt(theatre, position)).fate).toEqual(promised(rehearsal, position))
    },
    LONG,
  )

  test(
    'does not block others with its open transaction, and survives losing it',
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
  'a database restart during an append delays the run, and nothing is done twice',
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

test('afterwards the journal verifies from the command line', async () => {
  const env = { WRIT_DATABASE_URL: stage.url }
  const [found] = (await stage.place.writ(['audit', 'verify', '--json'], { env })).json()
  expect(found).toMatchObject({ ok: true, runs: DEATHS.length + 4, breaches: [] })
})
