import { expect, test } from 'vitest'
import { WritError, whyOf } from '../errors/writ-error.ts'
import { distinct, REASONS, type WhyCode, why, whysText, whyText } from './why.ts'

const HAN = /\p{Script=Han}/u
const values = new Proxy({}, { get: (_, name) => `<${String(name)}>` })
const valuesIn = (text: string) => [...new Set(text.match(/<\w+>/g))].sort()

/** They only join values. */
const WORDLESS: readonly WhyCode[] = ['provider', 'httpStatus', 'error']

test.each(Object.keys(REASONS) as WhyCode[])('%s is worded in both languages, with the same values', (code) => {
  const { en, zh } = REASONS[code] as { en(given: object): string; zh(given: object): string }
  expect(en(values)).not.toMatch(HAN)
  if (WORDLESS.includes(code)) return
  expect(zh(values)).toMatch(HAN)
  expect(valuesIn(zh(values))).toEqual(valuesIn(en(values)))
})

test('a reason within a reason is worded in the same language', () => {
  const failed = why('provider', { provider: 'openai', why: why('httpStatus', { status: 500, why: why('noReason') }) })
  expect(whyText(failed, 'en')).toBe('openai: HTTP 500: no reason given')
  expect(whyText(failed, 'zh')).toBe('openai：HTTP 500：没有说明原因')
})

test('an error of ours is a reason in both languages, another error keeps its message', () => {
  const reason = whyOf(new WritError('SESSION_WAITING.http'))
  expect(whyText(reason, 'en')).toBe('this session is waiting for an approval')
  expect(whyText(reason, 'zh')).toBe('此会话正在等待审批')
  expect(whyOf(new Error('ENOSPC'))).toBe('ENOSPC')
})

test('sentences of older journals and codes of newer ones are shown as they are', () => {
  expect(whysText('it starts a coprocess; select waits for input', 'zh')).toBe(
    'it starts a coprocess; select waits for input',
  )
  expect(whysText(['it starts a coprocess', { code: 'fromLater', name: 'x' }], 'zh')).toBe(
    'it starts a coprocess；fromLater',
  )
})

test('equal reasons are listed once', () => {
  expect(distinct([why('valueLater', { name: 'a' }), why('valueLater', { name: 'a' }), 'x', 'x'])).toEqual([
    { code: 'valueLater', name: 'a' },
    'x',
  ])
})
