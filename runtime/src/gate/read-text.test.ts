import { expect, test } from 'vitest'
import { ReadText } from './read-text.ts'

test.each([
  ['Update the list, they uploaded a card.', false],
  ['Update the list, she has already uploaded it.', false],
  ['Update the list, don’t upload it.', false],
  ['Update the list and upload it.', true],
  ['I want it uploaded.', true],
])('%s wants an upload: %s', (text, isWanted) => {
  expect(new ReadText(text).wanted.says(/upload/)).toBe(isWanted)
})
