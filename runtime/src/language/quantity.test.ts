import { expect, test } from 'vitest'
import { meansMany, timesPerVerb } from './quantity.ts'

test.each([
  ['pay the coaches for october', Number.POSITIVE_INFINITY],
  ['pay the invoice that they sent', 1],
  ['mail jo and kim', 2],
  ['把我们欠五金店的那笔付了', 1],
  ['通知同事们', Number.POSITIVE_INFINITY],
])('%s: %s times', (text, times) => {
  expect(timesPerVerb(text)).toBe(times)
})

test('“我们” is no crowd to write to', () => {
  expect(meansMany('我们的发票付一下')).toBe(false)
  expect(meansMany('给同事们发一下')).toBe(true)
})
