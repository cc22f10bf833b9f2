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

test('whoever starts the server with its console open is let in: with the first token, later with one that ends with it', async () => {
  const tokens: string[] = []
  for (let start = 0; start < 3; start++) {
    await opened(async (url, token) => {
      tokens.push(token)
      const answers = await Promise.all(tokens.map((known) => ask(url, known)))
      expect(answers).toEqual([[200], [200, 200], [200, 401, 200]][start])
    })
  }
})
