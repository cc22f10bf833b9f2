/**
 * `npm run bench:crash [-- --quick]`: kills a worker with -9 at every append of a run of six steps with side effects, in
 * three ways; freezes workers until they have been replaced; disconnects the database. Another worker is always alive.
 * Each run must end exactly as its journal predicts, and must be resumed within 20 s.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { openHold } from '../runtime/test/crash/hold.ts'
import { openStage } from '../runtime/test/crash/stage.ts'
import {
  appendOf,
  crashAt,
  cutAt,
  type Fate,
  freezeAt,
  type Position,
  positionsOf,
  promised,
  type Recovery,
  rehearse,
} from '../runtime/test/crash/sweep.ts'
import { startPostgres } from '../runtime/test/support/postgres.ts'
import { figureOf } from './figures.ts'

const TAKEOVER_LIMIT_MS = 20_000

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const postgres = await startPostgres()
const url = await postgres.createDatabase()
const stage = await openStage(url)
const hold = await openHold(url)
const theatre = { stage, hold }
const times = new Map<string, Recovery[]>()
let broken = 0

async function judge(kind: string, position: Position, happen: () => Promise<Recovery>): Promise<void> {
  const expected = promised(rehearsal, position)
  const recovery = await happen()
  const { fate, takenUpMs, repliedMs } = recovery
  times.set(kind, [...(times.get(kind) ?? []), recovery])
  const isSo = isDeepStrictEqual(fate, expected) && (takenUpMs ?? 0) <= TAKEOVER_LIMIT_MS
  if (!isSo) broken++
  const cells = [kind.padEnd(14), String(position.seq).padStart(3), seconds(takenUpMs), seconds(repliedMs)]
  const notes = fate.unknown.length === 0 ? '' : `  step ${fate.unknown.map((step) => step + 1).join(', ')} unknown`
  console.log(`${isSo ? 'ok ' : 'BAD'}  ${cells.join('  ')}${notes}`)
  if (!isSo) console.log(difference(fate, expected))
}

function difference(fate: Fate, expected: Fate): string {
  const keys = Object.keys(expected) as (keyof Fate)[]
  return keys
    .filter((key) => !isDeepStrictEqual(fate[key], expected[key]))
    .map((key) => `       ${key}: ${JSON.stringify(fate[key])}, promised ${JSON.stringify(expected[key])}`)
    .join('\n')
}

function seconds(ms: number | undefined): string {
  return (ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`).padStart(8)
}

await Promise.all([stage.hire(), stage.hire()])
const rehearsal = await rehearse(theatre)
console.log(`${rehearsal.events.length} events in ${rehearsal.ends.length} appends\n`)
console.log('     how          event  resumed    replied')
try {
  const all = positionsOf(rehearsal)
  const some = all.filter((_, i) => i % 5 === 0)
  for (const position of values.quick ? some : all) {
    await judge(`kill, ${position.moment}`, position, () => crashAt(theatre, position))
  }
  for (const n of values.quick ? [2] : [1, 2, 3]) {
    const seq = appendOf(rehearsal, 'tool.call', n)
    await judge('freeze, after', { seq, moment: 'after' }, () => freezeAt(theatre, { seq, moment: 'after' }))
    await judge('freeze, open', { seq, moment: 'before' }, () => freezeAt(theatre, { seq, moment: 'open' }))
  }
  // Last: the trigger that holds appends is lost with the database.
  const seq = appendOf(rehearsal, 'tool.result', 2)
  await judge('database cut', { seq, moment: 'before' }, () => cutAt(theatre, seq, postgres.restart))

  console.log('\nseconds until resumed       n   median     max')
  for (const [kind, recoveries] of times) {
    const waits = recoveries.flatMap(({ takenUpMs }) => (takenUpMs === undefined ? [] : [takenUpMs]))
    const cells = [seconds(figureOf(waits).median), seconds(Math.max(...waits))]
    console.log(`${kind.padEnd(24)} ${String(waits.length).padStart(4)} ${cells.join(' ')}`)
  }
  console.log(broken === 0 ? '\nevery run ended as expected' : `\n${broken} runs did not end as expected`)
} finally {
  await hold.close()
  await stage.close()
  await postgres.stop()
}
process.exitCode = broken === 0 ? 0 : 1
