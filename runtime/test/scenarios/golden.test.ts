/** Journals recorded once, read by today's code. See ../golden/README.md for what must stay the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fold } from '../../src/journal/fold.ts'
import { scoutStates } from '../../src/journal/scout-states.ts'
import { traceOf } from '../../src/journal/trace.ts'
import { firstBreach } from '../../src/journal/verify.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { DENIAL_REASONS } from '../../src/protocol/verdict.ts'
import { differs, redecide } from '../../src/replay/what-if.ts'
import {
  BATCHES,
  GOLDEN,
  PROVENANCE,
  RULES,
  record,
  recordBatches,
  recordScouts,
  SCOUTS,
  summaryOfRuns,
} from '../golden/record.ts'
import { policyWith } from '../support/gate-input.ts'

const FOLDER = join(import.meta.dirname, '../golden')
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

function eventsOf(file: string): StoredEvent[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
const runsOf = (file: string) => [...Map.groupBy(eventsOf(file), ({ runId }) => runId).values()]
const summaryText = (events: readonly StoredEvent[]) => `${JSON.stringify(summaryOfRuns(events), undefined, 2)}\n`

/** Without the tokens: prompt texts may change, and with them the cost. */
function decidedBy(events: readonly StoredEvent[]) {
  return { ...summaryOfRuns(events), tokens: undefined }
}

describe.each(files)('%s', (file) => {
  const expected = readFileSync(join(FOLDER, file.replace(/\.jsonl$/, '.summary.json')), 'utf8')

  test('its chain verifies, and its events lead to the recorded end', () => {
    for (const events of runsOf(file)) {
      expect(firstBreach(events)).toBeUndefined()
      const stopped = events.find((event) => event.type === 'run.stopped')
      const { stop, steps, toolCalls, usage } = fold(events, { history: [] })
      expect({ stop, steps, toolCalls, usage }).toEqual(stopped?.data)
      expect(traceOf(events).finish_reason).toBe(stop?.reason)
    }
  })

  test('S2-86: its summary is unchanged, byte for byte', () => {
    expect(summaryText(eventsOf(file))).toBe(expected)
  })
})

describe.each(Object.entries(GOLDEN))('%s, recorded again', (file, scenes) => {
  test('gives the same summary, twice', async () => {
    const [once, again] = [await record(scenes), await record(scenes)]
    expect(JSON.stringify(once.events)).toBe(JSON.stringify(again.events))
    expect(summaryOfRuns(once.events)).toEqual(summaryOfRuns(eventsOf(file)))
  })

  test('no decision differs from the golden journal under its recorded policy', async () => {
    const { policies } = await record(scenes)
    for (const events of runsOf(file)) {
      const policy = policies.get(events[0]?.runId ?? '')
      if (policy === undefined) throw new Error('the recording has other runs than the golden journal')
      const redecided = [...redecide(events, { policy, disabledTools: [] }, { history: [] })]
      expect(redecided.length).toBeGreaterThan(0)
      expect(redecided.filter(differs)).toEqual([])
    }
  })
})

test('S2-85: the golden journals contain every reason for denying a tool call', () => {
  const { denied } = summaryOfRuns(['every-denial-2.jsonl', PROVENANCE, RULES, SCOUTS].flatMap(eventsOf))
  const notForTools = [
    'ConfidenceTooLow',
    'ActionTypeBlocked',
    'ActionUrgencyDeferred',
    'ActionCapabilityDenied',
    'BatchActionCapExceeded',
    'INTENT_IDLE',
  ]
  expect(Object.keys(denied)).toEqual(DENIAL_REASONS.filter((reason) => !notForTools.includes(reason)))
  const codes = eventsOf('every-denial-2.jsonl').flatMap((event) =>
    event.type === 'gate.decided' && event.data.reason === 'PRE_VALIDATE_REJECTED' ? [event.data.code] : [],
  )
  expect(codes).toEqual([
    'PATH_OUTSIDE_WORKSPACE',
    'PATH_BLOCKED',
    'CONFIG_LOCKED',
    'CONFIG_LOCKED',
    'HOST_FORBIDDEN',
    'METHOD_NOT_ALLOWED',
    'DOMAIN_NOT_ALLOWED',
    'COMMAND_FORBIDDEN',
    undefined,
  ])
})

test('a target named only by an untrusted source is denied or needs approval, and is allowed once the user names it', () => {
  const decided = runsOf(PROVENANCE).map((events) =>
    events.flatMap((event) =>
      event.type === 'gate.decided' && event.data.tool === 'mail' ? [event.data.reason ?? event.data.decision] : [],
    ),
  )
  expect(decided).toEqual([
    ['TargetNotInContext'],
    ['TargetNotInContext'],
    ['TargetNotInContext', 'USER_REJECTED', 'TargetNotInContext', 'allow'],
    ['allow'],
  ])
})

test('S2-84: one golden journal contains each of the eight reasons for denying an action', async () => {
  const reasons = eventsOf(BATCHES).flatMap((event) => (event.type === 'action.denied' ? event.data.denial.all : []))
  expect(new Set(reasons)).toEqual(new Set(DENIAL_REASONS.slice(0, 8)))
  // Current journals also record where path targets resolve to, and their messages are worded differently.
  const verdicts = (events: readonly StoredEvent[]) =>
    events
      .filter(({ type }) => type.startsWith('action.'))
      .map((event) => {
        if (event.type !== 'action.denied') return { type: event.type, data: event.data }
        const { message: _, hint: __, ...denial } = event.data.denial
        return { type: event.type, data: { ...event.data, denial } }
      })
  expect(verdicts(await recordBatches())).toEqual(verdicts(eventsOf(BATCHES)))
})

test('S4-54: the golden scouts replay to the same states, and so do newly recorded ones', async () => {
  const golden = eventsOf(SCOUTS)
  const ends = scoutStates(golden).map(({ states, status }) => [states.at(-1), status])
  expect(ends).toEqual([
    ['COMPLETED', 'success'],
    ['COMPLETED', 'partial'],
    ['FAILED', 'failed'],
  ])
  expect(decidedBy(await recordScouts())).toEqual(decidedBy(golden))
  const policy = policyWith()
  const own = golden.filter(({ scoutId }) => scoutId !== null)
  for (const run of Map.groupBy(own, ({ runId }) => runId).values()) {
    const redecided = [...redecide(run, { policy, disabledTools: [] }, { history: [] })]
    expect(redecided.length).toBeGreaterThan(0)
    expect(redecided.filter(differs)).toEqual([])
  }
})
