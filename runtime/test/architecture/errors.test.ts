import { describe, expect, test } from 'vitest'
import { sampleText } from '../../../scripts/errors-page.ts'
import { CATALOGUE, type ErrorKey } from '../../src/errors/catalogue.ts'

const KEYS = Object.keys(CATALOGUE) as ErrorKey[]
const HAN = /\p{Script=Han}/u

describe('the error catalogue', () => {
  test.each(KEYS)('%s has a message and a hint in both languages', (key) => {
    const [en, zh] = [sampleText(key, 'en'), sampleText(key, 'zh')]
    for (const text of [...en, ...zh]) expect(text.trim()).not.toBe('')
    expect(en.join(' ')).not.toMatch(HAN)
    expect(zh[1]).toMatch(HAN)
  })

  test('both languages show the same values', () => {
    const valuesIn = (text: readonly string[]) => [...new Set(text.join(' ').match(/<\w+>/g))].sort()
    const different = KEYS.filter((key) => {
      const [en, zh] = [valuesIn(sampleText(key, 'en')), valuesIn(sampleText(key, 'zh'))]
      return en.join() !== zh.join()
    })
    expect(different).toEqual([])
  })
})
