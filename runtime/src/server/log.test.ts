import { expect, test } from 'vitest'
import { makeRedactor } from '../journal/redact.ts'
import { openLog } from './log.ts'

function logged(json: boolean) {
  const lines: string[] = []
  const log = openLog({
    write: (line) => lines.push(line),
    json,
    redact: makeRedactor(['hunter2-secret']),
    now: () => 0,
  })
  return { lines, log }
}

test('a log entry is one line, whatever untrusted text it contains', () => {
  for (const json of [true, false]) {
    const { lines, log } = logged(json)
    log('warn', 'request', { path: '/x\n1970-01-01T00:00:00.000Z error forged=1' })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toContain('\n')
  }
})

test('secrets do not reach the log', () => {
  const { lines, log } = logged(true)
  log('info', 'x', { error: 'failed with hunter2-secret', header: 'Bearer abcdefghijklmnopqrstuvwxyz' })
  expect(lines.join()).not.toMatch(/hunter2|abcdefghijkl/)
})

test('the text log leaves out successful requests, the JSON log has them all', () => {
  const [people, programs] = [logged(false), logged(true)]
  for (const { log } of [people, programs]) {
    log('info', 'request', { status: 200 })
    log('warn', 'request', { status: 403 })
    log('info', 'listening', {})
  }
  expect(people.lines.map((line) => line.split(/\s+/)[2])).toEqual(['request', 'listening'])
  expect(programs.lines).toHaveLength(3)
})
