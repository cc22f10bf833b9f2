import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { HttpAnswer } from './http-answer.ts'

const lines = (...all: string[]) => all.join('\r\n')

const SIZED = lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'X-A: 1', 'x-a:  2 ', '', 'hello')
const CHUNKED = lines(
  'HTTP/1.1 100 Continue',
  '',
  'HTTP/1.1 201 Created',
  'transfer-encoding: chunked',
  '',
  '3;name=value',
  'hel',
  '00B',
  'lo \r\n world',
  '0',
  'trailer: x',
  '',
  '',
)
/** After a line too many, with a status line that has no reason. */
const BARE = lines('', 'HTTP/1.1 429', 'Retry-After: 3', 'retry-after: 9', 'Content-Length: 0', '', '')
const OPEN = lines('HTTP/1.0 200 OK', 'Connection: keep-alive', '', 'until the end')

function read(pieces: readonly Buffer[]) {
  const answer = new HttpAnswer()
  const body = Buffer.concat(pieces.flatMap((piece) => answer.take(piece))).toString()
  const { status, statusText, isOver, keepsOpen } = answer
  return { status, statusText, headers: Object.fromEntries(answer.headers), body, isOver, keepsOpen, answer }
}

describe('an answer reads the same wherever its bytes are cut', () => {
  test.each([
    [SIZED, { status: 200, body: 'hello', isOver: true, keepsOpen: true, headers: { 'x-a': '1, 2' } }],
    [CHUNKED, { status: 201, statusText: 'Created', body: 'hello \r\n world', isOver: true, keepsOpen: true }],
    [BARE, { status: 429, statusText: '', isOver: true, headers: { 'retry-after': '3' } }],
    [OPEN, { status: 200, body: 'until the end', isOver: false, keepsOpen: false }],
  ])('%j', (text, expected) => {
    const bytes = Buffer.from(text)
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toMatchObject(expected)
    expect(read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toMatchObject(expected)
  })
})

test('a body without a length ends with the connection, any other is incomplete by then', () => {
  expect(read([Buffer.from(OPEN)]).answer.close()).toBe(true)
  expect(read([Buffer.from(SIZED.slice(0, -1))]).answer.close()).toBe(false)
  expect(read([Buffer.from(CHUNKED.slice(0, -2))]).answer.close()).toBe(false)
  expect(read([]).answer.close()).toBe(false)
})

test.each([
  ['the server closes it', SIZED.replace('X-A: 1', 'Connection: close')],
  ['an old server does not keep it', SIZED.replace('HTTP/1.1', 'HTTP/1.0')],
  ['more came than belongs to the answer', `${SIZED}!`],
  ['two lengths were given', CHUNKED.replace('transfer-encoding', 'content-length: 9\r\ntransfer-encoding')],
])('a connection is not used again when %s', (_, text) => {
  expect(read([Buffer.from(text)])).toMatchObject({ isOver: true, keepsOpen: false })
})

test.each([
  ['SSH-2.0-OpenSSH', ''],
  ['\x15\x03\x01'],
  ['HTTP/1.1 099 OK', '', ''],
  ['HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
  ['HTTP/1.1 200 OK', 'a: b\nc: d', ''],
  ['HTTP/1.1 200 OK', 'a: b\nc: d', '', ''],
  ['HTTP/1.1 200 OK', 'a: b\rc: d', '', ''],
  ['HTTP/1.1 200 OK', 'a: \x1b[2J', '', ''],
  ['HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '2\nok\n0\n\n'],
  ['HTTP/2 200 OK', '', ''],
  ['HTTP/1.1 20 OK', '', ''],
  ['HTTP/1.1 101 Switching Protocols', '', ''],
  ['HTTP/1.1 200 OK', 'no colon', '', ''],
  ['HTTP/1.1 200 OK', 'a b: c', '', ''],
  ['HTTP/1.1 200 OK', 'content-length: -1', '', ''],
  ['HTTP/1.1 200 OK', 'content-length: 5', 'content-length: 6', '', ''],
  ['HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'five', ''],
  ['HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1', 'ab', ''],
  ['HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1'.repeat(2000)],
  ['x'.repeat(20_000)],
])('what is not HTTP is a failure: %s', (...text) => {
  expect(() => read([Buffer.from(lines(...text))])).toThrow('not HTTP')
})
