import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AREAS } from './areas.ts'
import { attackTables } from './page.ts'

describe.each(AREAS)('$title', ({ attacks }) => {
  test.each(attacks)('$id: $attack', async ({ happens, expected }) => {
    expect(await happens()).toBe(expected)
  })
})

test('every attack has an id of its own', () => {
  const ids = AREAS.flatMap(({ attacks }) => attacks.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('docs/security.md lists the attacks as they are, all of them held', () => {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')
  expect(page).toContain(attackTables(AREAS, () => 'held'))
})
