import { describe, expect, test } from 'vitest'
import { ASKED, EVERYDAY } from '../../../test/fixtures/everyday-lines.ts'
import { whyText } from '../../i18n/why.ts'
import { readShell } from './commands.ts'
import { shellPaths } from './shell-paths.ts'

const doubts = (line: string): string[] => {
  const reading = readShell(line)
  return [...reading.unparsed.map((each) => whyText(each, 'en')), ...shellPaths(reading, '/ws').unknown]
}

describe('everyday lines', () => {
  test.each(EVERYDAY)('S1-107: %s is understood', (line) => {
    expect(doubts(line)).toEqual([])
  })

  test.each(ASKED)('%s needs approval: %s', (line, why) => {
    expect(doubts(line).join('; ')).toContain(why)
  })
})
