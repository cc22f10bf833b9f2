/** In a process of its own: a proxy is a matter of its environment. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { makePlace } from '../support/cli.ts'
import { startStubModel } from '../support/stub-model.ts'

test('requests to a model go through the proxy of the environment, and those to this machine do not', async () => {
  const place = makePlace()
  const stub = await startStubModel({ reply: () => ({ text: 'hello from the model' }) })
  const asked: string[] = []
  const proxy = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    const { pathname } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const onward = request(`${stub.url}${pathname}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const env = { http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
  const ask = (url: string) =>
    place.start(['run', 'say hello', '--model', 'compatible/m', '--base-url', url], { env }).ended

  const through = await ask('http://models.example/v1')
  expect(through.stdout).toContain('hello from the model')
  expect(asked).toContain('http://models.example/v1/chat/completions')

  const before = asked.length
  expect((await ask(`${stub.url}/v1`)).stdout).toContain('hello from the model')
  expect(asked).toHaveLength(before)

  proxy.closeAllConnections()
  proxy.close()
  await stub.close()
  place.remove()
})
