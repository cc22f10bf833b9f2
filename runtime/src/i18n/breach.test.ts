import { expect, test } from 'vitest'
import { breachAt, unreadableAt } from '../journal/breach.ts'
import { CorruptEvent } from '../journal/store.ts'
import { type BreachFault, breachText } from './breach.ts'

const FAULTS: BreachFault[] = [
  { code: 'eventOrder', expected: 1, found: 2 },
  { code: 'eventHash' },
  { code: 'runGone', event: 7 },
  { code: 'runRowDiffers', fields: ['stopped'] },
  { code: 'sealHash', seal: 3 },
  { code: 'entryChanged' },
  { code: 'headMissing', head: 'ab' },
]

test.each(FAULTS)('$code is described in both languages', (fault) => {
  expect(breachText(fault, 'en')).not.toMatch(/\p{Script=Han}/u)
  expect(breachText(fault, 'zh')).toMatch(/\p{Script=Han}/u)
})

test('`why` is English; an unreadable event keeps both texts of its error', () => {
  expect(breachAt('run_1', 2, { code: 'eventHash' }).why).toBe('the event does not match its hash')
  const { why, fault } = unreadableAt('run_1', 3, new CorruptEvent('run_1', 3, undefined))
  expect(why).toContain('event 3 of run run_1')
  expect(breachText(fault, 'zh')).toContain('运行 run_1 的事件 3')
})
