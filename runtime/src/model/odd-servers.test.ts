import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { whyText } from '../i18n/why.ts'
import type { ModelError, ModelRequest } from './model.ts'
import { openModel, type Provider } from './providers.ts'
import { Thinking, withoutLoneThought } from './thinking.ts'

type Body = Record<string, unknown>
type Serve = (body: Body, response: ServerResponse) => void
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A test server and the requests it received. */
async function serve(answer: Serve): Promise<{ baseURL: string; sent: Body[] }> {
  const sent: Body[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    sent.push(JSON.parse(text))
    answer(sent.at(-1) ?? {}, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sent }
}

const json = (response: ServerResponse, value: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const events = (response: ServerResponse, pieces: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
  for (const content of pieces) response.write(chunk({ delta: { content }, finish_reason: null }))
  response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
}
const hello = { choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] }

async function ask(
  baseURL: string,
  own: { provider?: Provider; apiKey?: string; name?: string; stream?: boolean } = {},
): Promise<{ pieces: string[]; text: string; reasoning_content?: string }> {
  const { provider = 'compatible', name = 'm', stream = true, ...rest } = own
  const model = await openModel({ provider, name, baseURL, ...rest }, { idleMs: 10_000 })
  const request: ModelRequest = {
    purpose: 'main',
    system: '',
    messages: [{ role: 'user', content: 'what is the temperature?' }],
    temperature: 0.2,
    stream,
  }
  const pieces: string[] = []
  const answer = model.ask(request, new AbortController().signal)
  for (let next = await answer.next(); ; next = await answer.next()) {
    if (next.done) return { pieces, ...next.value }
    pieces.push(next.value)
  }
}
const failure = (asking: Promise<unknown>): Promise<ModelError> =>
  asking.then(
    () => {
      throw new Error('it did not fail')
    },
    (error) => error,
  )

/** Answers 400 while the request contains one of these, one at a time. */
const refusing =
  (names: readonly string[], say = (name: string) => `Unrecognized request argument supplied: ${name}`): Serve =>
  (body, response) => {
    const name = names.find((one) => body[one] !== undefined)
    if (name !== undefined) json(response, { error: { message: say(name) } }, 400)
    else if (body.stream === true) events(response, ['hel', 'lo'])
    else json(response, hello)
  }

describe('a server that rejects an optional parameter', () => {
  test.each(['compatible', 'openai'] as const)(
    '%s: is asked again without it, and from then on never with it',
    async (provider) => {
      const names = ['stream_options', 'temperature', 'max_tokens', 'max_completion_tokens']
      const { baseURL, sent } = await serve(refusing(names))
      expect((await ask(baseURL, { provider, apiKey: 'k' })).text).toBe('hello')
      const before = sent.length
      expect((await ask(baseURL, { provider, apiKey: 'k' })).text).toBe('hello')
      expect(sent).toHaveLength(before + 1)
      for (const name of names) expect(sent.at(-1)).not.toHaveProperty(name)
      // Another model of the same server may accept them all.
      await ask(baseURL, { provider, apiKey: 'k', name: 'other' })
      expect(sent[before + 1]).toHaveProperty('temperature', 0.2)
    },
  )

  test('a limit with another name is sent under that name', async () => {
    const say = () =>
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    const { baseURL, sent } = await serve(refusing(['max_tokens'], say))
    expect((await ask(baseURL, { stream: false })).text).toBe('hello')
    expect(sent.at(-1)).toMatchObject({ max_completion_tokens: 8192 })
  })

  test('a change that did not help is not remembered, and the server’s message is reported', async () => {
    const { baseURL, sent } = await serve((_, response) =>
      json(response, { error: { message: 'you cannot ask for the temperature here' } }, 400),
    )
    expect((await failure(ask(baseURL))).message).toContain('you cannot ask for the temperature here')
    expect(sent).toHaveLength(2)
    await failure(ask(baseURL))
    expect(sent[2]).toHaveProperty('temperature')
  })

  test('any other rejection is not retried', async () => {
    const { baseURL, sent } = await serve((_, response) => json(response, { error: { message: 'no such model' } }, 400))
    expect(await failure(ask(baseURL))).toMatchObject({ status: 400, retryable: false })
    expect(sent).toHaveLength(1)
  })
})

describe('S1-2: a server that requires a key', () => {
  const locked: Serve = (_, response) => json(response, { error: { message: 'invalid key' } }, 401)
  test('the error names the variable of the key', async () => {
    const { baseURL } = await serve(locked)
    expect((await failure(ask(baseURL))).message).toBe(
      'compatible: HTTP 401: invalid key (no key was sent: run `writ setup`, or set COMPATIBLE_API_KEY in the environment)',
    )
    expect((await failure(ask(baseURL, { apiKey: 'k' }))).message).toContain('(check the key in COMPATIBLE_API_KEY, or')
    expect((await failure(ask(baseURL, { provider: 'openai', apiKey: 'k' }))).message).toContain('OPENAI_API_KEY')
  })
})

describe('an answer that is not the requested stream', () => {
  test('a complete JSON answer is accepted', async () => {
    const { baseURL } = await serve((_, response) => json(response, hello))
    expect(await ask(baseURL)).toMatchObject({ text: 'hello', pieces: ['hello'] })
  })
})

describe('X-MODEL-6: a wrong base URL', () => {
  const PAGE = '<!doctype html>\n<html><body>Sign in</body></html>'
  const page = (response: ServerResponse, status = 200) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(PAGE)
  const ways = (['compatible', 'ollama', 'openai', 'anthropic', 'google'] as const).flatMap((provider) =>
    [true, false].map((stream) => ({ provider, stream, apiKey: 'k-canary' })),
  )
  const answers: [what: string, serve: Serve, fact: string][] = [
    ['a web page', (_, response) => page(response), 'the answer is a web page'],
    ['a web page with an error status', (_, response) => page(response, 404), 'HTTP 404: the answer is a web page'],
    ['an empty object', (_, response) => json(response, {}), 'the answer is JSON, but not of this API'],
    ['other JSON', (_, response) => json(response, { ok: true, version: '1.2' }), 'JSON, but not of this API'],
    ['an unknown path', (_, response) => json(response, { detail: 'Not Found' }, 404), 'HTTP 404'],
    ['a redirect', (_, response) => response.writeHead(301, { location: '/' }).end(), 'HTTP 301'],
  ]
  describe.each(answers)('%s', (_what, answer, fact) => {
    test.each(ways)('$provider, stream $stream: is reported as that, and not retried', async (way) => {
      const { baseURL } = await serve(answer)
      const secret = baseURL.replace('://', '://user:p-canary@')
      const error = await failure(ask(`${secret}?token=q-canary`, way))
      expect(error.message).toContain(fact)
      expect(error.message).toContain(`the base URL ${baseURL} is probably wrong; check agent.baseURL`)
      expect(whyText(error.why, 'zh')).toContain(`基础地址 ${baseURL} 可能有误，请检查 agent.baseURL`)
      expect(error.message).not.toContain('canary')
      expect(error.retryable).toBe(false)
    })
  })

  test.each(ways)('$provider, stream $stream: a model that does not exist is not one', async (way) => {
    const { baseURL } = await serve((_, response) => json(response, { error: { message: 'no such model' } }, 404))
    const { message } = await failure(ask(baseURL, way))
    expect(message).toContain('HTTP 404')
    expect(message).not.toContain('base URL')
  })

  test.each(ways)('$provider, stream $stream: nor is the page of a proxy that is overloaded', async (way) => {
    const { baseURL } = await serve((_, response) => page(response, 502))
    const error = await failure(ask(baseURL, way))
    expect(error.message).toContain('HTTP 502: the answer is a web page')
    expect(error.message).not.toContain('base URL')
    expect(error.retryable).toBe(true)
  })
})

describe('a model that outputs its thoughts', () => {
  test.each(['compatible', 'openai'] as const)('%s: thoughts are not part of the reply', async (provider) => {
    const { baseURL } = await serve((body, response) =>
      body.stream === true
        ? events(response, ['<th', 'ink>Let me', ' see.</thi', 'nk>', '\n\n', 'It is ', '4.'])
        : json(response, {
            choices: [{ index: 0, message: { content: '<think>Hm.</think>\n4.' }, finish_reason: 'stop' }],
          }),
    )
    const own = { provider, apiKey: 'k' }
    expect(await ask(baseURL, own)).toMatchObject({
      text: 'It is 4.',
      pieces: ['It is ', '4.'],
      reasoning_content: 'Let me see.',
    })
    expect(await ask(baseURL, { ...own, stream: false })).toMatchObject({ text: '4.', reasoning_content: 'Hm.' })
  })

  test.each(['compatible', 'openai'] as const)(
    '%s: thoughts whose opening tag the server swallowed are no part of the reply',
    async (provider) => {
      const { baseURL } = await serve((body, response) =>
        body.stream === true
          ? events(response, ['abc mus', 'ings</th', 'ink>', 'Result only'])
          : json(response, {
              choices: [{ index: 0, message: { content: 'abc musings</think>Result only' }, finish_reason: 'stop' }],
            }),
      )
      for (const stream of [true, false]) {
        expect(await ask(baseURL, { provider, apiKey: 'k', stream })).toMatchObject({
          text: 'Result only',
          reasoning_content: 'abc musings',
        })
      }
    },
  )

  test.each(['It ends with `</think>`.', 'a <think>b</think> c', 'plain'])('%s stays as it is', (answer) => {
    expect(withoutLoneThought(answer)).toEqual({ text: answer, thought: '' })
  })

  test.each([
    [['<thinking> is a tag'], '<thinking> is a tag'],
    [['  <'], '  <'],
    [['a <think>b</think>'], 'a <think>b</think>'],
    [['<think>never ends'], ''],
    [['\n', 'plain'], '\nplain'],
  ])('%j is read as %j', (pieces, expected) => {
    const thinking = new Thinking()
    expect(pieces.map((piece) => thinking.take(piece)).join('') + thinking.end()).toBe(expected)
  })
})
