/** Answers that must be JSON: by the library, the command line, HTTP and the OpenAI API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAgent, type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { makeServerPlace, speaking } from '../support/server.ts'

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
}
const GOOD = '{"name":"Ada","age":36}'
const says = (...texts: string[]): ScriptEntry[] => texts.map((text) => ({ purpose: 'main', text }))

let place: Place
beforeAll(() => {
  place = makePlace()
  place.file('schema.json', schema)
})
afterAll(() => place.remove())

async function answered(replies: string[], outputSchema: object = schema) {
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    model: scriptedModel(says(...replies)),
    env: { XDG_CONFIG_HOME: place.workspace },
    config: { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false } } },
  })
  try {
    return await agent.run('Who is it?', { outputSchema: outputSchema as never })
  } finally {
    await agent.close()
  }
}

describe('the library', () => {
  test('gives the value of an answer that matches', async () => {
    expect(await answered([GOOD])).toMatchObject({ stopReason: 'final', reply: GOOD, output: { name: 'Ada', age: 36 } })
  })

  test('reads JSON in a code block', async () => {
    expect(await answered([`\`\`\`json\n${GOOD}\n\`\`\``])).toMatchObject({ reply: GOOD, output: { age: 36 } })
  })

  test.each([
    ['is no JSON', 'It is Ada.'],
    ['does not match', '{"name":"Ada"}'],
    ['has more than it may', '{"name":"Ada","age":36,"x":1}'],
  ])('an answer that %s is sent back once', async (_, bad) => {
    expect(await answered([bad, GOOD])).toMatchObject({ stopReason: 'final', output: { age: 36 } })
  })

  test('a second answer that does not match ends the run, with every fault named', async () => {
    const result = await answered(['no', '{"age":-1}'])
    expect(result).toMatchObject({
      stopReason: 'invalid_result',
      reply: expect.stringMatching(/name[\s\S]*age must be >= 0/),
    })
    expect(result).not.toHaveProperty('output')
  })

  test('a schema that is none is refused before the model is asked', async () => {
    await expect(answered([GOOD], { type: 'nonsense' })).rejects.toMatchObject({ code: 'OUTPUT_SCHEMA' })
    for (const circular of [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }]) {
      await expect(answered([GOOD], circular)).rejects.toThrow('without end')
    }
  })
})

describe('writ run --schema', () => {
  const run = (replies: string[], ...more: string[]) =>
    place.writ([
      'run',
      'Who is it?',
      '--schema',
      'schema.json',
      '--script',
      place.script('s.json', says(...replies)),
      ...more,
    ])

  test('X-MODEL-14: prints only the JSON', async () => {
    const { code, stdout } = await run([GOOD])
    expect([code, stdout]).toEqual([0, `${GOOD}\n`])
  })

  test('fails with nothing on standard output when there is no valid answer', async () => {
    const { code, stdout, stderr } = await run(['one', 'two'])
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toContain('does not match the required format')
  })

  test.each<[string, ScriptEntry[], object, string]>([
    ['an invalid reply', says('', ''), {}, 'invalid twice'],
    [
      'the same call again and again',
      [{ purpose: 'main', text: 'Let me look.', calls: [{ tool: 'file_list', args: { path: '.' } }], times: 9 }],
      {},
      '3 times',
    ],
    [
      'too many steps',
      [{ purpose: 'main', calls: [{ tool: 'file_list', args: { path: '.' } }], times: 9 }],
      { limits: { maxSteps: 1 } },
      'steps',
    ],
    ['a provider that fails', [], {}, 'no entry left'],
  ])('X-MODEL-14: after %s nothing is on standard output either', async (_, script, limits, said) => {
    const config = { agent: { execution: { intentGuard: { enabled: false } }, routing: { enabled: false }, ...limits } }
    const file = place.file('stops.json', config)
    const { code, stdout, stderr } = await place.writ([
      'run',
      'Who is it?',
      '--schema',
      'schema.json',
      '--config',
      file,
      '--script',
      place.script('stops-script.json', script),
    ])
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(said)
  })

  test('X-MODEL-14: the built-in rules are refused before anything runs', async () => {
    const { code, stdout, stderr } = await place.writ([
      'run',
      'list the files',
      '--schema',
      'schema.json',
      '--model',
      'rules',
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/built-in rules[\s\S]*writ setup/)
  })

  test.each([
    ['missing.json', /missing\.json/],
    ['bad.json', /bad\.json/],
    ['list.json', /not a JSON object/],
  ])('%s is refused', async (file, said) => {
    place.file('bad.json', '{"type":')
    place.file('list.json', [])
    const { code, stderr } = await place.writ(['run', 'x', '--schema', file])
    expect(code).toBe(2)
    expect(stderr).toMatch(said)
  })
})

describe('over HTTP', () => {
  const served = async (replies: string[], work: (server: Awaited<ReturnType<typeof start>>) => Promise<void>) => {
    const here = makeServerPlace()
    try {
      await work(await start(here, replies))
    } finally {
      await here.remove()
    }
  }
  const start = (here: ReturnType<typeof makeServerPlace>, replies: string[]) =>
    here.start({ model: speaking(replies.map((text) => [text])) })

  test('a message with a schema gets the value', () =>
    served(['nonsense', GOOD], async ({ api }) => {
      const { sessionId: id } = await api.call('POST /api/sessions', {})
      const body = { text: 'Who is it?', outputSchema: schema }
      const result = await api.call('POST /api/sessions/:id/messages', { params: { id }, body })
      expect(result).toMatchObject({ stopReason: 'final', output: { name: 'Ada', age: 36 } })
    }))

  test('a schema that is none is refused', () =>
    served([GOOD], async ({ api }) => {
      const { sessionId: id } = await api.call('POST /api/sessions', {})
      const body = { text: 'Who is it?', outputSchema: { type: 'nonsense' } }
      await expect(api.call('POST /api/sessions/:id/messages', { params: { id }, body })).rejects.toMatchObject({
        code: 'OUTPUT_SCHEMA',
      })
    }))

  test('response_format of the OpenAI API', () =>
    served([GOOD, 'nonsense', 'nonsense'], async ({ api }) => {
      const body = {
        messages: [{ role: 'user', content: 'Who is it?' }],
        response_format: { type: 'json_schema' as const, json_schema: { name: 'person', schema } },
      }
      const good = await api.call('POST /v1/chat/completions', { body })
      expect(JSON.parse(good.choices[0]?.message.content ?? '')).toEqual({ name: 'Ada', age: 36 })
      const bad = await api.call('POST /v1/chat/completions', { body })
      expect(bad.writ.stopReason).toBe('invalid_result')
    }))
})
