import { describe, expect, test } from 'vitest'
import { MODES } from '../protocol/profile.ts'
import { STOP_REASONS } from '../protocol/stop.ts'
import { DENIAL_REASONS, STAGES } from '../protocol/verdict.ts'
import { codeWord, namedCode } from './code-words.ts'

describe('codes in words', () => {
  test('every stop reason, denial reason, stage and mode has a word in both languages', () => {
    for (const code of [...STOP_REASONS, ...DENIAL_REASONS, ...STAGES, ...MODES]) {
      expect(codeWord(code, 'en'), code).toMatch(/[a-z]/)
      expect(codeWord(code, 'zh'), code).toMatch(/\p{Script=Han}/u)
    }
  })

  test('the code stays beside its word', () => {
    expect(namedCode('final', 'en')).toBe('Finished (final)')
    expect(namedCode('final', 'zh')).toBe('已完成（final）')
    expect(namedCode('PRE_VALIDATE_REJECTED/PATH_BLOCKED', 'en')).toBe(
      'The path is blocked (PRE_VALIDATE_REJECTED/PATH_BLOCKED)',
    )
  })

  test('a code that is the word, or has none, is shown once', () => {
    expect(namedCode('chat', 'en')).toBe('chat')
    expect(namedCode('constructor', 'zh')).toBe('constructor')
  })
})
