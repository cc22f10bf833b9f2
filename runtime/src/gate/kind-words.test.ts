import { expect, test } from 'vitest'
import { ACTION_KINDS } from './kind-words.ts'

test('tools for messages are known by the singular and the plural of their words', () => {
  const words = ACTION_KINDS[0]?.tool() ?? new Set()
  for (const word of ['mail', 'mails', 'email', 'emails', 'sms']) expect(words, word).toContain(word)
})

test('the words of tools are words, not patterns', () => {
  for (const { tool } of ACTION_KINDS) for (const word of tool()) expect(word).toMatch(/^[\p{L}\d]+$/u)
})
