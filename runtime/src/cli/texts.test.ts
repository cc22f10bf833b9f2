import { expect, test } from 'vitest'
import { en } from './texts-en.ts'
import { zh } from './texts-zh.ts'

const anything = new Proxy({}, { get: (_, name) => (/names|providers|steps|routes/.test(String(name)) ? ['x'] : 7) })

function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') return [[path, String(value(anything))]]
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, `${path}.${key}`))
}

/** The same in both languages. */
const SAME = /^\.(?:doctor\.(?:node|git|rg)|flags\.(?:model|autonomy))$/

test('every text of the command line exists in both languages', () => {
  const chinese = new Map(textsOf(zh))
  for (const [path, text] of textsOf(en)) {
    expect(text.trim(), path).not.toBe('')
    expect(text, path).not.toMatch(/\p{Script=Han}/u)
    if (!SAME.test(path)) expect(chinese.get(path), path).toMatch(/\p{Script=Han}/u)
  }
})
