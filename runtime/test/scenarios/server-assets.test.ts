/** The files of the console: compressed as the client accepts it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServerPlace, type TestPlace, type TestServer } from '../support/server.ts'

let place: TestPlace
let server: TestServer
beforeAll(async () => {
  place = makeServerPlace()
  const consoleFolder = join(place.workspace, 'console')
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
  writeFileSync(join(consoleFolder, 'index.html'), 'page')
  for (const [suffix, text] of Object.entries({ '': 'plain', '.br': 'brotli', '.gz': 'gzipped' })) {
    writeFileSync(join(consoleFolder, 'assets', `app-1a2b.js${suffix}`), text)
  }
  server = await place.start({ consoleFolder })
})
afterAll(() => place.remove())

/** Fetch would decompress the body and choose the encodings itself. */
function get(path: string, accept?: string): Promise<{ headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = accept === undefined ? {} : { 'accept-encoding': accept }
    const sent = request(`${server.url}${path}`, { headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test.each([
  ['gzip, deflate, br, zstd', 'br', 'brotli'],
  ['gzip', 'gzip', 'gzipped'],
  ['br;q=0, GZIP;q=0.5', 'gzip', 'gzipped'],
  ['br;q=0.0, gzip;q=0', undefined, 'plain'],
  ['identity', undefined, 'plain'],
  [undefined, undefined, 'plain'],
])('X-CONSOLE-14: a client that accepts %j gets %s', async (accept, encoding, text) => {
  const answer = await get('/assets/app-1a2b.js', accept)
  expect(answer).toMatchObject({
    text,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(text.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    },
  })
  expect(answer.headers['content-encoding']).toBe(encoding)
})

test('X-CONSOLE-14: a file without a compressed copy is sent as it is', async () => {
  const { headers, text } = await get('/runs/run_1', 'br, gzip')
  expect({ text, encoding: headers['content-encoding'] }).toEqual({ text: 'page', encoding: undefined })
})
