import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TOOL_FAMILIES } from '../protocol/intent.ts'
import { FAMILY_PATTERNS, familyOf } from './families.ts'

describe('the family of a tool', () => {
  test.each([
    ['S0-23', 'browser_open', 'browser'],
    ['S0-24', 'http_request', 'network'],
    ['S0-25', 'file_read', 'filesystem'],
    ['S0-26', 'memory_recall', 'memory'],
    ['S0-27', 'git', 'vcs'],
    ['S0-28', 'explore', 'task'],
    ['S0-29', 'shell', 'shell'],
    ['S0-30', 'frobnicate', 'unknown'],
  ])('%s: %s is %s', (_, name, family) => {
    expect(familyOf(name)).toBe(family)
  })

  test.each([
    ['mcp__playwright__browser_navigate', 'browser'],
    ['mcp__chrome__click_element', 'browser'],
    ['fs.read_file', 'filesystem'],
    ['readFile', 'filesystem'],
    ['HTTPFetch', 'network'],
    ['list-directory', 'filesystem'],
    ['read_doc', 'filesystem'],
    ['github_create_issue', 'vcs'],
    ['create_pull_request', 'vcs'],
    ['slack_post_message', 'network'],
    ['web_search', 'network'],
    ['run_python', 'shell'],
    ['todo_write', 'task'],
    ['report_findings', 'task'],
  ])('S0-33: an undeclared %s is %s by the words of its name', (name, family) => {
    expect(familyOf(name)).toBe(family)
  })

  test.each(['profile_update', 'digital_signature', 'webster', 'shelling', 'fsx', 'urlaub'])(
    '%s only contains a telling word and is unknown',
    (name) => {
      expect(familyOf(name)).toBe('unknown')
    },
  )

  test('S0-33: the declared family wins over the name', () => {
    expect(familyOf('browser_open', 'shell')).toBe('shell')
    expect(familyOf('file_read', 'unknown')).toBe('unknown')
  })

  test('S0-31, S0-32: every name has exactly one of the eight families', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => TOOL_FAMILIES.includes(familyOf(name))))
  })

  test('every family but unknown has a row in the table', () => {
    const rows: string[] = FAMILY_PATTERNS.map((row) => row.family)
    expect(rows.toSorted()).toEqual(TOOL_FAMILIES.filter((family) => family !== 'unknown').toSorted())
  })
})
