import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'

const HOUR_MS = 3_600_000

test('the axis ends at the current time, whatever interval the last column covers', () => {
  const until = new Date(2026, 10, 15, 18, 20).getTime()
  for (const days of [1, 7]) {
    const columns = columnsOf([], until - days * 24 * HOUR_MS, until, 'en')
    expect(columns.at(-1)?.end).toBe('Nov 15, 18:20')
    expect(columns[0]?.name).toMatch(/18:20$/)
  }
})
