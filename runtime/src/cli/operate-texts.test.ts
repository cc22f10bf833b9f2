import { expect, test } from 'vitest'
import { operateTexts } from './operate-texts.ts'

const anything = new Proxy({}, { get: () => 7 })

function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') return [[path, String(value(anything))]]
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, `${path}.${key}`))
}

test('every text exists in both languages', () => {
  const chinese = new Map(textsOf(operateTexts('zh')))
  for (const [path, text] of textsOf(operateTexts('en'))) {
    expect(text.trim(), path).not.toBe('')
    expect(text, path).not.toMatch(/\p{Script=Han}/u)
    expect(chinese.get(path), path).toMatch(/\p{Script=Han}/u)
  }
})
