import { expect, test } from 'vitest'
import { type PlaceTexts, placeTexts } from './place-texts.ts'

const given = { folder: 'x', file: 'x', why: 'x', text: 'x', keys: ['x'] }

test('folders and files that cannot be used are spoken of in both languages', () => {
  const chinese = placeTexts('zh')
  for (const [name, text] of Object.entries(placeTexts('en'))) {
    const said = (one: PlaceTexts[keyof PlaceTexts]) => (typeof one === 'string' ? one : one(given))
    expect(said(text), name).not.toMatch(/\p{Script=Han}/u)
    expect(said(chinese[name as keyof PlaceTexts]), name).toMatch(/\p{Script=Han}/u)
  }
})
