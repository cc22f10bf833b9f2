import { expect, test } from 'vitest'
import { collect, type Deed, engineWith, saying, spyTools } from '../../test/support/engine.ts'
import { policyWith } from '../../test/support/gate-input.ts'
import type { Policy } from '../protocol/policy.ts'
import { PROFILES } from './profile.ts'
import { type RoutineFiring, unattended, withRoutinePolicy } from './routine.ts'
import { resumeTurn, startTurn } from './turn.ts'

const DUE: RoutineFiring = { name: 'news', dueAt: 1_700_000_000_000 }
const signal = new AbortController().signal
const alone = { profile: unattended({ ...PROFILES.chat, routing: false }), confirm: undefined, stream: false, signal }
const full = policyWith({ security: { autonomy: 'Full' } })
const call = (tool: string) => ({ calls: [{ id: 'c1', tool, args: { n: 1 } }] })

test('a routine’s run has no person to ask, and cannot add routines', () => {
  const { mode, human, exposure, ...rest } = unattended(PROFILES.chat)
  const { mode: _, human: __, exposure: ___, ...chat } = PROFILES.chat
  expect({ mode, human }).toEqual({ mode: 'routine', human: false })
  expect(exposure.hidden).toContain('routine')
  expect(rest).toEqual(chat)
})

test('its journal begins with the firing and ends with the outcome', async () => {
  const engine = await engineWith({ model: saying([{ text: 'nothing new' }]) })
  const { events, result } = await collect(
    startTurn(engine, { task: 'x', sessionId: undefined, ...alone, routine: DUE }),
  )
  const types = events.map(({ type }) => type)
  expect(types.slice(0, 4)).toEqual(['session.opened', 'turn.started', 'routine.fired', 'run.started'])
  expect(types.slice(-2)).toEqual(['routine.finished', 'turn.committed'])
  expect(events.filter(({ type }) => type.startsWith('routine.'))).toMatchObject([
    { mode: 'routine', data: DUE },
    { mode: 'routine', data: { name: 'news', runId: result.runId, stopReason: 'final' } },
  ])
  expect(await engine.store.readSeals()).toMatchObject([{ runId: result.runId, lastSeq: events.at(-1)?.seq }])
})

test.each([
  ['Full', 'ReadOnly', 'ReadOnly'],
  ['Full', 'Supervised', 'Supervised'],
  ['Supervised', 'Full', 'Supervised'],
  ['ReadOnly', 'Full', 'ReadOnly'],
  ['Full', undefined, 'Full'],
] as const)('what the configuration calls %s and the routine %s is %s', (granted, own, expected) => {
  const policy = { security: { autonomy: granted } } as Policy
  const { security } = withRoutinePolicy({ policy }, own === undefined ? DUE : { ...DUE, autonomy: own }).policy
  expect(security.autonomy).toBe(expected)
  expect(withRoutinePolicy({ policy }, undefined).policy).toBe(policy)
})

test('an interrupted routine resumes under its own limits, and finishes as a routine', async () => {
  const deeds: Deed[] = []
  const engine = await engineWith({ model: saying([call('change')]), tools: spyTools(deeds), policy: full })
  const routine = { ...DUE, autonomy: 'ReadOnly' } as const
  const turn = startTurn(engine, { task: 'x', sessionId: undefined, ...alone, routine })
  let runId = ''
  for (;;) {
    const next = await turn.next()
    if (next.done || next.value.type === 'model.requested') break
    runId = next.value.runId
  }
  await turn.next()
  const { events } = await collect(resumeTurn({ ...engine, model: saying([call('change')]) }, { runId, ...alone }))
  expect(events.find((event) => event.type === 'gate.decided')?.data).toMatchObject({ reason: 'AUTONOMY_FORBIDS' })
  expect(events.map(({ type }) => type)).toContain('routine.finished')
  expect(deeds).toEqual([])
})
