/** Pictures and PDFs: read by `file_read`, sent to each provider, kept, shortened, resumed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AgentOptions, createAgent } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { makePng } from '../support/pictures.ts'
import { type StubModel, type StubReply, type StubRequest, startStubModel } from '../support/stub-model.ts'

let place: Place
let stub: StubModel | undefined
beforeEach(() => {
  place = makePlace()
})
afterEach(async () => {
  await stub?.close()
  stub = undefined
  place.remove()
})

const KEYS = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' }

async function open(replies: StubReply[], { model = 'compatible/qwen2.5-vl', ...options }: AgentOptions = {}) {
  let n = 0
  stub = await startStubModel({ reply: () => replies[n++] ?? { text: 'done' } })
  const path = String(model).startsWith('google/') ? '/v1beta' : '/v1'
  const agent = await createAgent({
    workspace: place.workspace,
    data: place.data,
    lang: 'en',
    model,
    baseURL: `${stub.url}${path}`,
    env: { ...KEYS, XDG_CONFIG_HOME: join(place.root, 'xdg') },
    config: {
      agent: {
        execution: { intentGuard: { enabled: false } },
        routing: { enabled: false },
        memory: { enabled: false },
      },
    },
    ...options,
  })
  return { agent, stub }
}

const reads = (path: string, more = {}): StubReply => ({ calls: [{ tool: 'file_read', args: { path, ...more } }] })
const png = makePng({ width: 40, height: 30 })
const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(place.workspace, name), bytes)
const lastMessages = (requests: readonly StubRequest[]) => requests.at(-1)?.body.messages as Record<string, unknown>[]

describe('file_read of a picture', () => {
  test('an OpenAI-compatible server gets it after the results, as a data: address', async () => {
    put('logo.png', png)
    const { agent, stub } = await open([reads('logo.png'), { text: 'a red square' }])
    const { reply, stopReason } = await agent.run('What is in logo.png?')
    await agent.close()
    expect([stopReason, reply]).toEqual(['final', 'a red square'])
    const messages = lastMessages(stub.requests)
    expect(messages.at(-2)).toMatchObject({ role: 'tool', content: expect.stringContaining('40 x 30 pixels') })
    expect(messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('logo.png') },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      ],
    })
  })
})
