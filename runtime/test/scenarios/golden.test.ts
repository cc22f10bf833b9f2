/** Journals recorded once, read by today's code. What they must hold to is in ../golden/README.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { differs, redecide } from '../../src/agent/what-if.ts'
import { fold } from '../../src/journal/fold.ts'
import { scoutStates } from '../../src/journal/scout-states.ts'
import { traceOf } from '../../src/journal/trace.ts'
import { firstBreach } from '../../src/journal/verify.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { DENIAL_REASONS } from '../../src/protocol/verdict.ts'
import {
  BATCHES,
  GOLDEN,
  PROVENANCE,
  record,
  recordBatches,
  recordScouts,
  SCOUTS,
  summaryOfRuns,
} from '../golden/record.ts'
import { policyWith } from '../support/matter.ts'

const FOLDER = join(import.meta.dirname, '../golden')
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))

function eventsOf(file: string): StoredEvent[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
const runsOf = (file: string) => [...Map.groupBy(eventsOf(file), ({ runId }) => runId).values()]
const summaryText = (events: readonly StoredEvent[]) => `${JSON.stringify(summaryOfRuns(events), undefined, 2)}\n`

/** Without the tokens: what a prompt says may change, and with it what it costs. */
function decidedBy(events: readonly StoredEvent[]) {
  return { ...summaryOfRuns(events), tokens: undefined }
}

describe.each(files)('%s', (file) => {
  const expected = readFileSync(join(FOLDER, file.replace(/\.jsonl$/, '.summary.json')), 'utf8')

  test('its chain verifies, and it folds to the end it tells of', () => {
    for (const events of runsOf(file)) {
      expect(firstBreach(events)).toBeUndefined()
      const stopped = events.find((event) => event.type === 'run.stopped')
      const { stop, steps, toolCalls, usage } = fold(events, { history: [] })
      expect({ stop, steps, toolCalls, usage }).toEqual(stopped?.data)
      expect(traceOf(events).finish_reason).toBe(stop?.reason)
    }
  })

  test('S2-86: its summary is byte for byte what it was', () => {
    expect(summaryText(eventsOf(file))).toBe(expected)
  })
})

describe.each(Object.entries(GOLDEN))('%s, recorded anew', (file, scenes) => {
  test('comes to the same summary, twice', async () => {
    const [once, again] = [await record(scenes), await record(scenes)]
    expect(JSON.stringify(once.events)).toBe(JSON.stringify(again.events))
    expect(summaryOfRuns(once.events)).toEqual(summaryOfRuns(eventsOf(file)))
  })

  test('the golden journal under the policy it was recorded with: no decision differs', async () => {
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

test('S2-85: golden journals fire every reason a tool call can be refused for', () => {
  const { denied } = summaryOfRuns(['every-denial-2.jsonl', PROVENANCE, SCOUTS].flatMap(eventsOf))
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

test('a target that only a stranger has named is refused, asked about, and passed once the user names it', () => {
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

test('S2-84: one golden journal fires each of the eight reasons an action can be refused for', async () => {
  const reasons = eventsOf(BATCHES).flatMap((event) => (event.type === 'action.denied' ? event.data.denial.all : []))
  expect(new Set(reasons)).toEqual(new Set(DENIAL_REASONS.slice(0, 8)))
  // Today's journal also says where targets that are paths lead, so the verdicts are compared, not the bytes.
  const verdicts = (events: readonly StoredEvent[]) =>
    events.filter(({ type }) => type.startsWith('action.')).map(({ type, data }) => ({ type, data }))
  expect(verdicts(await recordBatches())).toEqual(verdicts(eventsOf(BATCHES)))
})

test('S4-54: the golden scouts go through the same states, and today’s go the same way', async () => {
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
