import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batch, context, intent } from '../../test/support/decision.ts'
import type { Lang } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import { ACTION_TYPES, ACTION_URGENCIES, EXTENSION_CATEGORIES, type IntentType } from '../protocol/action.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../protocol/risk.ts'
import { checkResult, inOrder, parseBatch, parseContext } from './wire.ts'

const origin = { origin: 'b.json' }
const read = (value: unknown) => parseBatch(typeof value === 'string' ? value : JSON.stringify(value), origin)

/** What a batch is refused for, or undefined when it is not. */
function refused(value: unknown, lang: Lang = 'en'): string | undefined {
  try {
    read(value)
    return undefined
  } catch (error) {
    if (error instanceof WritError) return error.textIn(lang).message
    throw error
  }
}

/** A good batch with one value put at a path such as `intents.0.confidence`; undefined takes it out. */
function batchWith(path: string, value: unknown): unknown {
  const whole: unknown = structuredClone(batch([intent('a'), intent('b')]))
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let at = whole as Record<string, unknown>
  for (const key of keys) at = at[key] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return whole
}

const variants: IntentType[] = [
  { OpenApp: 'com.x' },
  { SwitchToApp: 'com.y' },
  { CheckNotification: 'n1' },
  ...EXTENSION_CATEGORIES.map((HandleFile) => ({ HandleFile })),
  { EnterContext: 'home' },
  'Idle',
]
const action = fc.record({
  action_type: fc.constantFrom(...ACTION_TYPES),
  target: fc.option(fc.string()),
  urgency: fc.constantFrom(...ACTION_URGENCIES),
})
const anyIntent = fc.record({
  intent_id: fc.string({ minLength: 1 }).filter((id) => id.trim() !== ''),
  intent_type: fc.constantFrom(...variants),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0),
  risk_level: fc.constantFrom(...RISK_LEVELS),
  suggested_actions: fc.array(action),
  rationale_tags: fc.array(fc.string({ maxLength: 64 }), { maxLength: 16 }),
})
const anyBatch = fc.record({
  window_id: fc.string(),
  intents: fc.uniqueArray(anyIntent, { selector: (each) => each.intent_id }),
  generated_at_ms: fc.maxSafeInteger(),
  model: fc.string(),
})

describe('the wire', () => {
  test('S2-2 S2-9 S2-12 S2-13: whatever is printed is read back the same', () => {
    fc.assert(
      fc.property(anyBatch, (given) => {
        expect(JSON.stringify(read(given))).toBe(JSON.stringify(given))
      }),
    )
  })
  test('S2-14 S2-15 S2-16 S2-17: a backend result of every route is read back the same', () => {
    for (const route of DECISION_ROUTES) {
      for (const error of [null, 'down']) {
        const result = { route, intent_batch: batch([]), rationale_tags: ['t'], latency_us: 12, error }
        expect(checkResult(result, origin)).toEqual(result)
      }
    }
  })
  const typed = (intent_type: unknown) => refused(batchWith('intents.0.intent_type', intent_type))

  test.each([
    ['S2-34', 'OpenApp'],
    ['S2-35', 'SwitchToApp'],
    ['S2-36', 'CheckNotification'],
    ['S2-38', 'EnterContext'],
  ])('%s: %s has a text', (_id, name) => {
    expect(read(batchWith('intents.0.intent_type', { [name]: 'x' })).intents[0]?.intent_type).toEqual({ [name]: 'x' })
    for (const wrong of [name, { [name]: 1 }, { [name]: null }, { [name]: ['x'] }]) {
      expect(typed(wrong), JSON.stringify(wrong)).toContain('intents[0].intent_type')
    }
  })
  test('S2-37 S2-40: HandleFile has one of eight categories', () => {
    const eight = ['Document', 'Image', 'Video', 'Audio', 'Archive', 'Code', 'Other', 'Unknown']
    expect([...EXTENSION_CATEGORIES].sort()).toEqual(eight.sort())
    for (const HandleFile of eight) expect(typed({ HandleFile })).toBeUndefined()
    for (const HandleFile of ['Spreadsheet', 'document', '', 1]) {
      expect(typed({ HandleFile })).toContain('intents[0].intent_type.HandleFile')
    }
  })
  test('S2-4 S2-39: enums are tagged from outside and no other way; Idle is a plain word', () => {
    for (const variant of variants) expect(typed(variant)).toBeUndefined()
    for (const wrong of [
      'OpenApp',
      { Idle: null },
      { OpenApp: 'a', Idle: 'b' },
      {},
      { open_app: 'x' },
      { OpenApp: 1 },
    ]) {
      expect(refused(batchWith('intents.0.intent_type', wrong)), JSON.stringify(wrong)).toContain(
        'intents[0].intent_type',
      )
    }
    expect(refused(batchWith('intents.0.intent_type', { OpenAp: 'x' }))).toContain('did you mean OpenApp?')
  })
  test('S2-3: camelCase is refused, and the key that was meant is named', () => {
    expect(refused(batchWith('windowId', 'w'))).toContain('windowId: is not a key here; did you mean window_id?')
    expect(refused(batchWith('intents.1.suggested_actions.0.actionType', 'NoOp'))).toContain(
      'intents[1].suggested_actions[0].actionType: is not a key here; did you mean action_type?',
    )
  })
  test.each([
    ['S2-28', 'intent_type'],
    ['S2-29', 'confidence'],
    ['S2-30', 'risk_level'],
    ['S2-31', 'suggested_actions'],
    ['S2-32', 'rationale_tags'],
    ['S2-46', 'suggested_actions.0.action_type'],
    ['S2-48', 'suggested_actions.0.urgency'],
  ])('%s: a missing %s is named by its path', (_id, path) => {
    const shown = path.replace('.0.', '[0].')
    expect(refused(batchWith(`intents.0.${path}`, undefined))).toContain(`intents[0].${shown}: is missing`)
  })
  test('S2-5: an unknown value is named by its path', () => {
    expect(refused(batchWith('intents.1.intent_id', undefined))).toContain('intents[1].intent_id: is missing')
    expect(refused(batchWith('intents.0.risk_level', 'Extreme'))).toContain('intents[0].risk_level: is "Extreme"')
    expect(refused(batchWith('intents.0.suggested_actions.0.action_type', 'Reboot'))).toContain(
      'intents[0].suggested_actions[0].action_type',
    )
    expect(refused([])).toContain('expected an object')
  })
  test('S2-31: an intent may suggest several actions, or none', () => {
    for (const count of [0, 1, 3]) {
      const actions = Array.from({ length: count }, () => ({ action_type: 'NoOp', target: null, urgency: 'Immediate' }))
      const found = read(batchWith('intents.0.suggested_actions', actions))
      expect(found.intents[0]?.suggested_actions).toEqual(actions)
    }
    expect(refused(batchWith('intents.0.suggested_actions', {}))).toContain('intents[0].suggested_actions')
  })
  test('S2-29: confidence is a number from 0 to 1', () => {
    for (const wrong of [1.2, -0.1, '0.5', null, true]) {
      expect(refused(batchWith('intents.0.confidence', wrong))).toContain('intents[0].confidence')
    }
    for (const token of ['NaN', 'Infinity', '-Infinity']) {
      const text = JSON.stringify(batchWith('intents.1.confidence', 0.123)).replace('0.123', token)
      expect(refused(text)).toContain(`intents[1].confidence: is ${token}; expected a number from 0 to 1`)
    }
    for (const good of [0, 1, 0.3]) expect(refused(batchWith('intents.0.confidence', good))).toBeUndefined()
  })
  test('S2-6: times are whole numbers JSON can carry', () => {
    for (const wrong of [2 ** 60, 1.5, '1', null]) {
      expect(refused(batchWith('generated_at_ms', wrong))).toContain('generated_at_ms')
    }
    const result = { route: 'Mock', intent_batch: batch([]), rationale_tags: [], latency_us: -1 }
    expect(() => checkResult(result, origin)).toThrow('latency_us')
  })
  test('S2-7, S2-47: an optional field may be null or absent', () => {
    for (const given of [null, undefined]) {
      const found = read(batchWith('intents.0.suggested_actions.0.target', given))
      expect(found.intents[0]?.suggested_actions[0]?.target).toBeNull()
    }
  })
  test('S2-27: an id may not be used twice', () => {
    for (const id of ['a', '']) expect(refused(batch([intent(id), intent(id)]))).toContain('intents[1].intent_id')
  })
  test('S2-33: tags are short and few', () => {
    const tags = (list: string[]) => refused(batchWith('intents.0.rationale_tags', list))
    expect(tags(Array.from({ length: 16 }, () => 'x'.repeat(64)))).toBeUndefined()
    expect(tags(['ok', 'x'.repeat(65)])).toContain('intents[0].rationale_tags[1]')
    expect(tags(Array.from({ length: 17 }, () => 'x'))).toContain('intents[0].rationale_tags')
  })
  test('what is not JSON, or says a key twice, is refused with its line and column', () => {
    expect(refused('{"window_id": "w",\n "intents": nope}')).toContain('2:13')
    expect(refused('{"window_id":"w","window_id":"v","intents":[],"generated_at_ms":1,"model":"m"}')).toContain('1:18')
  })
  test('refusals of one batch are listed together, each in the language of the reader', () => {
    const many = batch([intent('a', { confidence: 3 }), intent('b', { confidence: 4 })])
    expect(refused(many)?.split('\n')).toHaveLength(3)
    expect(refused(many)).not.toMatch(/\p{Script=Han}/u)
    expect(refused(many, 'zh')?.match(/应为 0 到 1 之间的数/g)).toHaveLength(2)
  })
  test('S2-10, S2-11: intents are put in order of confidence, stably, and the old order is kept', () => {
    const given = batch([0.5, 0.9, 0.5, 1].map((confidence, i) => intent(`i${i}`, { confidence })))
    const { batch: sorted, ordinals, reordered } = inOrder(given)
    expect(sorted.intents.map(({ intent_id }) => intent_id)).toEqual(['i3', 'i1', 'i0', 'i2'])
    expect({ ordinals, reordered }).toEqual({ ordinals: [3, 1, 0, 2], reordered: true })
    expect(inOrder(sorted)).toMatchObject({ ordinals: [0, 1, 2, 3], reordered: false })
  })
})

describe('a context', () => {
  const parse = (value: unknown, windowId?: string) =>
    parseContext(JSON.stringify(value), { ...origin, ...(windowId === undefined ? {} : { windowId }) })

  test('S2-96: needs packages and paths; the rest may be left out', () => {
    expect(parse({ window_id: 'w1', packages: ['com.x'], paths: ['/a'] })).toEqual(context())
    expect(() => parse({ window_id: 'w1', packages: [] })).toThrow('paths: is missing')
    expect(() => parse({ packages: [], paths: [], apps: [] })).toThrow('apps: is not a key here')
  })
  test('of another window than the batch’s is refused', () => {
    expect(() => parse(context(), 'w2')).toThrow('window_id: is "w1", and the batch is for window "w2"')
    expect(parse({ packages: [], paths: [] }, 'w2').window_id).toBe('w2')
  })
})
