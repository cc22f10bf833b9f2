import { expect, test } from 'vitest'
import { answer, explore, read, report, scoutPlace, scoutSays } from '../../test/support/scouts.ts'
import { familiesOf, totalOf, totalsOf } from './totals.ts'

const PRICE = { input: 1, output: 2, asOf: '2026-01-01', source: 'a test' }

test('the total of a run includes its scouts; a scout alone has its own total', async () => {
  const place = await scoutPlace({
    script: [explore(['a?', 'b?']), ...[1, 2].flatMap((n) => scoutSays(n, read(), report())), answer()],
  })
  const { result } = await place.turn('what is the cap?')
  const rows = await place.store.listRuns()
  const ids = rows.map(({ runId }) => runId)
  const spent = (await place.store.readOf(ids, ['run.stopped'])).flatMap((event) =>
    event.type === 'run.stopped' ? [{ runId: event.runId, ...event.data.usage }] : [],
  )
  const sum = (key: 'inputTokens' | 'outputTokens') => spent.reduce((total, each) => total + each[key], 0)
  const whole = { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') }
  const [scout] = rows.filter(({ parentRunId }) => parentRunId === result.runId)

  const model = place.engine.model.id
  const totals = await totalsOf(place.store, await familiesOf(place.store, ids), { [model]: PRICE })
  expect(totals.get(result.runId)).toEqual({
    usage: whole,
    children: 2,
    cost: expect.closeTo((whole.inputTokens + 2 * whole.outputTokens) / 1_000_000, 9),
  })
  expect(totals.get(scout?.runId ?? '')).toMatchObject({
    children: 0,
    usage: { inputTokens: spent.find(({ runId }) => runId === scout?.runId)?.inputTokens },
  })
  expect(await totalOf(place.store, result.runId, {})).not.toHaveProperty('cost')
})

test('the run of a scout is found by the scout’s id', async () => {
  const place = await scoutPlace({ script: [explore(['a?']), ...scoutSays(1, read(), report()), answer()] })
  const { explored, of } = await place.turn('what is the cap?')
  const [scoutId = ''] = explored.scoutIds
  expect(await place.store.listRuns({ scoutId })).toMatchObject([{ runId: of(1)[0]?.runId }])
  expect(await place.store.listRuns({ scoutId: 'scout_unknown' })).toEqual([])
})
