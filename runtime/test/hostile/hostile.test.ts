import { describe, expect, test } from 'vitest'
import { AREAS } from './areas.ts'

describe.each(AREAS)('$title', ({ attacks }) => {
  test.each(attacks)('$id: $attack', async ({ happens, expected }) => {
    expect(await happens()).toBe(expected)
  })
})

test('every attack has an id of its own', () => {
  const ids = AREAS.flatMap(({ attacks }) => attacks.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})
