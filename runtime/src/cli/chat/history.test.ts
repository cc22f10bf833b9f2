import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRedactor } from '../../journal/redact.ts'
import { openHistory } from './history.ts'

const redact = makeRedactor(['canary-secret'])
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-history-'))
  file = join(folder, 'data', 'chat-history')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the latest line comes first, also in the next chat', () => {
  const history = openHistory(file, redact)
  history.add('first')
  history.add('第二')
  expect(history.lines()).toEqual(['第二', 'first'])
  expect(openHistory(file, redact).lines()).toEqual(['第二', 'first'])
})
test('only its owner can read it, and it contains no secret', () => {
  openHistory(file, redact).add('use canary-secret here')
  chmodSync(file, 0o644)
  openHistory(file, redact).add('again canary-secret')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('canary-secret')
})
test('two concurrent chats both keep their lines', () => {
  const one = openHistory(file, redact)
  const other = openHistory(file, redact)
  one.add('from one')
  other.add('from the other')
  expect(openHistory(file, redact).lines()).toEqual(['from the other', 'from one'])
})
test('keeps a thousand lines, and a repeated line once', () => {
  const history = openHistory(file, redact)
  history.add('x')
  writeFileSync(file, Array.from({ length: 1500 }, (_, i) => `line ${i}\n`).join(''))
  const full = openHistory(file, redact)
  full.add('last')
  full.add('last')
  const kept = openHistory(file, redact).lines()
  expect(kept).toHaveLength(1000)
  expect(kept.slice(0, 2)).toEqual(['last', 'line 1499'])
})
test('an unwritable place only loses the stored history', () => {
  writeFileSync(join(folder, 'data'), 'a file where a folder should be')
  const history = openHistory(file, redact)
  history.add('said')
  expect(history.lines()).toEqual(['said'])
})
