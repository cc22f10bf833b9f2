import { expect, test } from 'vitest'
import { similarName } from './similar-name.ts'

const TOOLS = ['file_read', 'file_write', 'shell', 'http_request', 'mcp__mail__send']

test.each([
  ['read_file', 'file_read'],
  ['FileRead', 'file_read'],
  ['file-read', 'file_read'],
  ['functions.file_read', 'file_read'],
  ['fileread', 'file_read'],
  ['file_raed', 'file_read'],
  ['writeFile', 'file_write'],
  ['http_requests', 'http_request'],
])('X-MODEL-3: %s means %s', (name, tool) => {
  expect(similarName(name, TOOLS)).toBe(tool)
})

test.each(['order_pizza', '', '中文', 'x'.repeat(10_000)])('X-MODEL-3: %s means none', (name) => {
  expect(similarName(name, TOOLS)).toBeUndefined()
})
