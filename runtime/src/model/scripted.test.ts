import { describe, expect, test } from 'vitest'
import type { ModelPurpose } from '../protocol/message.ts'
import { decodeJson } from './dialect-json.ts'
import { UNMETERED } from './meter.ts'
import { type Completion, type Model, ModelError, type ModelRequest } from './model.ts'
import { recordRequests } from './recorder.ts'
import { askWithRetry } from './retry.ts'
import { parseScript, type ScriptEntry, scriptedModel } from './scripted.ts'

const never = new AbortController().signal

function request(purpose: ModelPurpose = 'main', rest: Partial<ModelRequest> = {}): ModelRequest {
  return { purpose, system: '', messages: [], stream: false, ...rest }
}

async function ask(model: Model, what = request(), signal = never): Promise<Completion> {
  const answer = model.ask(what, signal)
  for (let next = await answer.next(); ; next = await answer.next()) if (next.done) return next.value
}

describe('scripted model', () => {
  test('each call takes the first unused entry of its purpose', async () => {
    const model = scriptedModel([
      { purpose: 'main', text: 'one' },
      { purpose: 'detect', text: 'label' },
      { purpose: 'main', text: 'two' },
    ])
    expect(await ask(model, request('detect'))).toMatchObject({ text: 'label' })
    expect(await ask(model)).toMatchObject({ text: 'one' })
    expect(await ask(model)).toMatchObject({ text: 'two' })
    expect(model.route).toBe('Mock')
  })

  test('times is the number of calls an entry serves', async () => {
    const model = scriptedModel([
      { purpose: 'main', text: 'again', times: 2 },
      { purpose: 'main', text: 'last' },
    ])
    const texts = [await ask(model), await ask(model), await ask(model)].map((answer) => answer.text)
    expect(texts).toEqual(['again', 'again', 'last'])
  })

  test('an entry for this scout is preferred to one for any scout', async () => {
    const model = scriptedModel([
      { purpose: 'scout', text: 'any' },
      { purpose: 'scout:2', text: 'second' },
    ])
    expect((await ask(model, request('scout:2'))).text).toBe('second')
    expect((await ask(model, request('scout:2'))).text).toBe('any')
    await expect(ask(model, request('scout:1'))).rejects.toThrow('scout:1')
  })

  test('an exhausted script fails with the purpose and is not retried', async () => {
    const error = await ask(scriptedModel([]), request('route')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining('"route"') })
  })

  test('scripted 429 and 500 are retried like real ones, each attempt using an entry', async () => {
    const model = scriptedModel([
      { purpose: 'main', error: { status: 429, message: 'slow down' } },
      { purpose: 'main', error: { status: 500, message: 'oops' } },
      { purpose: 'main', text: 'finally' },
    ])
    const answer = askWithRetry(model, request(), { signal: never, meter: UNMETERED, sleep: async () => {} })
    let next = await answer.next()
    while (!next.done) next = await answer.next()
    expect(next.value.text).toBe('finally')
  })

  test('an error without a status, or with a client error, is final', async () => {
    for (const error of [{ message: 'no' }, { status: 400, message: 'no' }]) {
      await expect(ask(scriptedModel([{ purpose: 'main', error }]))).rejects.toMatchObject({ retryable: false })
    }
  })

  test('calls and reasoning come back as a provider would send them', async () => {
    const calls = [{ tool: 'git', args: { args: ['status'] } }]
    const model = scriptedModel([{ purpose: 'main', text: 't', calls, reasoning_content: 'why' }])
    expect(await ask(model)).toMatchObject({ text: 't', reasoning_content: 'why', calls })
  })

  test('its output counts as tokens, so that budgets apply', async () => {
    const { usage } = await ask(
      scriptedModel([{ purpose: 'main', text: 'four' }]),
      request('main', { system: 'eight ch' }),
    )
    expect(usage).toEqual({ inputTokens: 2, outputTokens: 1 })
  })

  test('a delay ends with the abort of the run', async () => {
    const controller = new AbortController()
    const asking = ask(
      scriptedModel([{ purpose: 'main', text: 'late', delayMs: 3_600_000 }]),
      request(),
      controller.signal,
    )
    controller.abort(new Error('left'))
    await expect(asking).rejects.toThrow('left')
  })

  test('in the JSON dialect calls and text mean the same, and raw is unchanged', async () => {
    const plain = { messages: [], tools: [] }
    const entries: ScriptEntry[] = [
      { purpose: 'main', calls: [{ tool: 'git', args: {} }] },
      { purpose: 'main', text: 'done' },
      { purpose: 'main', text: '{"type":"final","answer":"as written"}' },
      { purpose: 'main', raw: 'Sure! done' },
    ]
    const model = scriptedModel(entries)
    const replies = []
    for (const _ of entries) replies.push(decodeJson(await ask(model, request('main', { plain })), (p) => `${p}_1`))
    expect(replies).toMatchObject([
      { kind: 'calls', calls: [{ tool: 'git', args: {} }] },
      { kind: 'final', text: 'done' },
      { kind: 'final', text: 'as written' },
      { kind: 'malformed' },
    ])
  })

  test.each([
    ['words before the object', '好的，{"type":"final","answer":"x"}'],
    ['two objects', '{"type":"final","answer":"x"}{"type":"final","answer":"y"}'],
    ['a code fence', '```json\n{"type":"final","answer":"x"}\n```'],
    ['a mistyped type', '{"type":"acton","tool":"git","args":{}}'],
    ['no arguments', '{"type":"action","tool":"git"}'],
  ])('S3-32 S3-34: under the JSON dialect a text with %s is left to the decoder, which refuses it', async (_, text) => {
    const plain = { messages: [], tools: [] }
    const model = scriptedModel([{ purpose: 'main', text }])
    const reply = decodeJson(await ask(model, request('main', { plain })), (p) => `${p}_1`)
    expect(reply).toMatchObject({ kind: 'malformed', text })
  })
})

describe('script file', () => {
  test('every key of the contract is read', () => {
    const script = [
      { purpose: 'detect', raw: 'x', delayMs: 0 },
      { purpose: 'scout:12', text: 't', calls: [{ tool: 'a', args: {} }], reasoning_content: 'r', times: 3 },
      { purpose: 'main', error: { status: 429, message: 'm' } },
    ]
    expect(parseScript(JSON.stringify(script))).toEqual(script)
  })

  test.each([
    ['{', 'not valid JSON'],
    ['{}', 'JSON array'],
    ['[7]', '[0] must be an object'],
    ['[{"text":"x"}]', '[0].purpose is missing'],
    ['[{"purpose":"chat"}]', '[0].purpose must be detect'],
    ['[{"purpose":"scout:0"}]', '[0].purpose'],
    ['[{"purpose":"main","txt":"x"}]', '[0].txt is not a key of a script; did you mean text?'],
    ['[{"purpose":"main"},{"purpose":"main","times":0}]', '[1].times must be an integer of at least 1'],
    ['[{"purpose":"main","delayMs":-1}]', '[0].delayMs'],
    ['[{"purpose":"main","calls":{}}]', '[0].calls must be an array'],
    ['[{"purpose":"main","calls":[{"args":{}}]}]', '[0].calls[0].tool is missing'],
    ['[{"purpose":"main","calls":[{"tool":"a"}]}]', '[0].calls[0].args is missing'],
    ['[{"purpose":"main","error":{}}]', '[0].error.message is missing'],
    ['[{"purpose":"main","error":{"message":"m","status":"x"}}]', '[0].error.status'],
    ['[{"purpose":"main","raw":"x","text":"y"}]', '[0].raw'],
    ['[{"purpose":"main","__proto__":{}}]', '__proto__'],
  ])('%s is refused, naming %s', (json, named) => {
    expect(() => parseScript(json)).toThrow(expect.objectContaining({ code: 'SCRIPT_INVALID' }))
    expect(() => parseScript(json)).toThrow(named)
  })
})

test('S1-6: a recording has one line per attempt with the request', async () => {
  const lines: string[] = []
  const model = recordRequests(
    scriptedModel([
      { purpose: 'main', error: { status: 500, message: 'x' } },
      { purpose: 'main', text: 'y' },
    ]),
    (line) => lines.push(line),
  )
  const tools = [{ name: 'git', description: 'd', schema: {} }]
  const messages = [{ role: 'user' as const, content: 'hi\nthere' }]
  const what = request('main', { system: 's', messages, tools, temperature: 0.1 })
  const answer = askWithRetry(model, what, { signal: never, meter: UNMETERED, sleep: async () => {} })
  while (!(await answer.next()).done);
  const expected = { purpose: 'main', model: 'scripted', temperature: 0.1, system: 's', messages, tools }
  expect(lines.map((line) => JSON.parse(line))).toEqual([expected, expected])
  expect(lines.join('')).not.toContain('\n')
})

test('a recorded request that offers no tools says so', async () => {
  const lines: string[] = []
  const model = recordRequests(scriptedModel([{ purpose: 'route', text: 'y' }]), (line) => lines.push(line))
  const answer = model.ask(request('route'), never)
  while (!(await answer.next()).done);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ purpose: 'route', tools: [] }])
})

test('a script that ends with an empty reply mentions it when called again', async () => {
  const model = scriptedModel([{ purpose: 'main', text: '' }])
  const first = model.ask(request('main'), never)
  while (!(await first.next()).done);
  await expect(model.ask(request('main'), never).next()).rejects.toThrow(/no entry left.*after an empty reply/)
})
