import { expect, test } from 'vitest'
import { asksForAction } from './actions.ts'

test.each([
  ['Open a room for the outage.', true],
  ['Open the list of requests.', false],
  ['Please look and answer.', true],
  ['Look at the answer.', false],
  ['Pull the on-call in.', true],
])('%s asks for something to be done: %s', (text, isAsked) => {
  expect(asksForAction(text)).toBe(isAsked)
})
