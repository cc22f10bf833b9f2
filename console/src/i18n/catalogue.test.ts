import { expect, test } from 'vitest'
import { STOP_REASONS } from '../../../runtime/src/protocol/stop.ts'
import { DENIAL_REASONS } from '../../../runtime/src/protocol/verdict.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} ${typeof value}`]
  return Object.entries(value).flatMap(([key, child]) => keysOf(child, `${path}.${key}`))
}

test('English and Chinese have the same texts', () => {
  expect(keysOf(zh)).toEqual(keysOf(en))
})

test('no text is empty', () => {
  for (const catalogue of [en, zh]) expect(JSON.stringify(catalogue)).not.toContain('""')
})

test('every denial reason and every stop reason is explained in both languages', () => {
  for (const code of [...DENIAL_REASONS, ...STOP_REASONS]) {
    expect(Object.keys(en.codes)).toContain(code)
    expect(Object.keys(zh.codes)).toContain(code)
  }
})
