import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

/** Starts the server with its console open, hands over the address and its key, and ends it. */
async function opened(look: (url: string, token: string) => Promise<void>): Promise<void> {
  const server = place.start(['serve', '--open', '--port', '0', '--model', 'rules'])
  const [, url = '', token = ''] = /(http:\S+)\/#token=(writ_[\w-]{43})/.exec(await server.said('#token=')) ?? []
  await look(url, token)
  server.child.kill('SIGTERM')
  await server.ended
}

const ask = (url: string, token: string) =>
  fetch(`${url}/api/info`, { headers: { authorization: `Bearer ${token}` } }).then((response) => response.status)

test('whoever starts the server with its console open is let in, every time, and only until it ends', async () => {
  const tokens: string[] = []
  for (let start = 0; start < 2; start++) {
    await opened(async (url, token) => {
      expect(await ask(url, token)).toBe(200)
      for (const earlier of tokens) expect(await ask(url, earlier)).toBe(401)
      tokens.push(token)
    })
  }
  expect(new Set(tokens).size).toBe(2)
})
