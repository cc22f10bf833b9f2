/** S3's demos 1, 3, 4 and 5: an agent node from its input to its outputs and trace. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { WritError } from '../../src/errors/writ-error.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import { traceOf } from '../../src/journal/trace.ts'
import { ModelError } from '../../src/model/model.ts'
import type { EventOf } from '../../src/protocol/event.ts'
import { STOP_REASONS } from '../../src/protocol/stop.ts'
import { feishuBotTool } from '../../src/tool/builtin/feishu-bot.ts'
import { httpRequestTool } from '../../src/tool/builtin/http-request.ts'
import { jsonTransformTool } from '../../src/tool/builtin/json-transform.ts'
import { defineTool, type Tool } from '../../src/tool/tool.ts'
import { action, BASIC, final, runNode } from '../support/agent-core.ts'
import { type Deed, spyTools } from '../support/engine.ts'
import { policyWith } from '../support/gate-input.ts'
import { type Site, startSite } from '../support/site.ts'

const transform = jsonTransformTool as Tool
const http = httpRequestTool as Tool
const OUTPUTS = ['final_answer', 'trace', 'used_tools', 'finish_reason']

describe('S3-123: demo 1: prompt mode', () => {
  async function useTwoTools() {
    const deeds: Deed[] = []
    const { output, requests } = await runNode(
      { ...BASIC, allowed_tools: ['json_transform', 'look'], prompt: 'the total, then look' },
      {
        says: [
          action('json_transform', { input: { total: 42 }, expression: 'total' }),
          action('look', { n: 1 }),
          final('It is 42.'),
        ],
        tools: [transform, ...spyTools(deeds)],
      },
    )
    return { output, requests, deeds }
  }

  async function failOneOfThree() {
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['look', 'fails'], prompt: 'p' },
      { says: [action('look', { n: 1 }), action('fails', { n: 1 }), action('look', { n: 2 })], tools: spyTools([]) },
    )
    const looked = output.trace.filter(({ action: { tool } }) => tool === 'look').map(({ elapsed_ms }) => elapsed_ms)
    return { output, looked }
  }

  test('S3-3 S3-24: a prompt alone gives an answer', async () => {
    const { output } = await runNode({ ...BASIC, prompt: 'What is 6 × 7?' }, { says: [final('42')] })
    expect(output.final_answer).toBe('42')
  })

  test('S3-31 S3-40 S3-89: a final reply ends the run with finish_reason "final"', async () => {
    const { output } = await runNode({ ...BASIC, prompt: 'What is 6 × 7?' }, { says: [final('42')] })
    expect(output).toEqual({ final_answer: '42', trace: [], used_tools: {}, finish_reason: 'final' })
  })

  test('S3-2 S3-12 S3-30 S3-39: tools run until there is an answer, and each result goes back to the model', async () => {
    const { output, requests, deeds } = await useTwoTools()
    expect(output).toMatchObject({ final_answer: 'It is 42.', finish_reason: 'final' })
    expect(deeds).toHaveLength(1)
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('42') })
  })

  test('S3-45 S3-46 S3-50 S3-51: the outputs are final_answer, trace, used_tools and finish_reason', async () => {
    expect(Object.keys((await useTwoTools()).output)).toEqual(OUTPUTS)
  })

  test('S3-14 S3-82 S3-83 S3-84: each trace entry has the tool, its arguments and its result', async () => {
    expect((await useTwoTools()).output.trace).toMatchObject([
      { step: 1, action: { tool: 'json_transform', args: { expression: 'total' } }, observation: '42' },
      { step: 2, action: { tool: 'look', args: { n: 1 } }, observation: 'look done' },
    ])
  })

  test('S3-81 S3-85 S3-86: trace entries count from 1, with elapsed time and error', async () => {
    const { output, looked } = await failOneOfThree()
    expect(output.trace.map(({ step }) => step)).toEqual([1, 2, 3])
    expect(output.trace.map(({ error }) => error)).toEqual([undefined, 'TOOL_FAILED', undefined])
    expect(looked.every((ms) => ms >= 0)).toBe(true)
  })

  test('S3-87 S3-88: used_tools has the number of calls and their total time', async () => {
    const { output, looked } = await failOneOfThree()
    expect(output.used_tools.look).toEqual({ count: 2, total_ms: looked.reduce((sum, ms) => sum + ms) })
  })

  test('S3-21: a tool gives the agent what it gives a plain call', async () => {
    const args = { input: '{"a":[1,2]}', expression: 'a' }
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['json_transform'], prompt: 'p' },
      { says: [action('json_transform', args), final('ok')], tools: [transform] },
    )
    const plain = await jsonTransformTool.execute(args as never, { signal: new AbortController().signal } as never)
    expect(output.trace[0]?.observation).toBe(plain.ok ? plain.text : '')
  })

  test('S3-155: the trace comes from the journal and can be read from it later', async () => {
    const { output, journal } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p' },
      { says: [action('look', { n: 1 }), final('ok')], tools: spyTools([]) },
    )
    expect(traceOf(journal)).toEqual(output)
  })

  test('the run is a child of its caller, and stored when it ends', async () => {
    const { journal, events } = await runNode({ ...BASIC, prompt: 'p' }, { says: [final('ok')] })
    const [started] = journal as EventOf<'run.started'>[]
    const [outer] = events.filter((event) => event.mode === 'chat')
    expect(started).toMatchObject({ type: 'run.started', mode: 'workflow', scoutId: null, sessionId: outer?.sessionId })
    expect(started?.data.parentRunId).toBe(outer?.runId)
    expect(journal.at(-1)).toMatchObject({ type: 'run.stopped', reason: 'final' })
    expect(events.filter((event) => event.mode === 'workflow').map(({ type }) => type)).toContain('model.replied')
  })
})

describe('conversations', () => {
  const said = [
    { role: 'system', content: 'Always answer in one word.' },
    { role: 'user', content: 'My dog is called Bello.' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'tool', tool_call_id: 'c9', name: 'look', content: 'a dog' },
    { role: 'user', content: 'What is its name?' },
  ]

  test.each([
    ['as JSON text', JSON.stringify(said)],
    ['as a list', said],
  ])('S3-23 S3-95 S3-156: earlier messages %s reach the model', async (_, messages_json) => {
    const { output, requests } = await runNode({ ...BASIC, messages_json }, { says: [final('Bello')] })
    expect(output.final_answer).toBe('Bello')
    expect(requests[0]?.system).toContain('Always answer in one word.')
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: 'My dog is called Bello.' },
      { role: 'assistant', content: final('Noted.') },
      { role: 'user', content: 'Observation from look:\na dog' },
      { role: 'user', content: 'What is its name?' },
    ])
  })

  test('S3-25: with both, the prompt is the last user message', async () => {
    const { requests } = await runNode(
      { ...BASIC, messages_json: said, prompt: 'And its age?' },
      { says: [final('?')] },
    )
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'And its age?' })
    expect(requests[0]?.messages).toHaveLength(5)
  })

  test.each([
    ['neither input', {}, 'messages_json'],
    ['a blank prompt', { prompt: '  ' }, 'prompt'],
    ['invalid JSON', { messages_json: '[{' }, 'messages_json: this is not JSON'],
    ['an object instead of a list', { messages_json: '{"role":"user"}' }, 'messages_json: expected a list'],
    ['an unknown role', { messages_json: '[{"role":"robot","content":""}]' }, 'messages_json[0].role'],
    ['content that is not text', { messages_json: [{ role: 'user', content: 7 }] }, 'messages_json[0].content'],
    ['an unknown key', { messages_json: [{ role: 'user', content: '', nam: '' }] }, 'did you mean name?'],
    ['an assistant message last', { messages_json: [{ role: 'assistant', content: 'x' }] }, 'last message'],
    ['an unknown tool', { prompt: 'p', allowed_tools: ['lok'] }, 'did you mean "look"?'],
    ['itself', { prompt: 'p', allowed_tools: ['agent_core'] }, '"agent_core" cannot be used inside agent_core'],
    ['scouts', { prompt: 'p', allowed_tools: ['explore'] }, '"explore" cannot be used inside'],
  ])('S3-25 S3-26 S3-69 S3-165: %s is invalid_input, with its location, and no model call is made', async (...row) => {
    const [, given, place] = row
    const { output, requests, journal } = await runNode({ ...BASIC, ...given }, { tools: spyTools([]) })
    expect(output).toMatchObject({ final_answer: '', trace: [], used_tools: {}, finish_reason: 'invalid_input' })
    expect(output.error).toContain(place)
    expect(requests).toEqual([])
    expect(journal.map(({ type }) => type)).toEqual(['run.started', 'run.stopped'])
  })

  test('errors are in the user’s language', async () => {
    const { output } = await runNode({ ...BASIC }, { engine: { lang: 'zh' } })
    expect(output.error).toContain('没有可以回答的内容')
  })
})

describe('configuration', () => {
  test.each(['model', 'max_steps', 'allowed_tools'])(
    'S3-65: without %s it is rejected, naming the setting',
    async (key) => {
      const { [key as keyof typeof BASIC]: _, ...rest } = BASIC
      const { observation } = await runNode({ ...rest, prompt: 'p' })
      expect(observation).toMatchObject({ outcome: 'denied', code: 'ARGS_INVALID', text: expect.stringContaining(key) })
    },
  )

  test.each([
    [{ max_steps: 0 }, 'max_steps must be >= 1'],
    [{ max_steps: -1 }, 'max_steps must be >= 1'],
    [{ max_steps: 1.5 }, 'max_steps must be integer'],
    [{ max_tool_calls: -1 }, 'max_tool_calls must be >= 0'],
    [{ temperature: 3 }, 'temperature must be <= 2'],
    [{ timeout: 0 }, 'timeout must be > 0'],
    [{ single_call_timeout: '30' }, 'single_call_timeout must be number'],
    [{ total_token_budget: -5 }, 'total_token_budget must be >= 0'],
    [{ observation_max_len: 0 }, 'observation_max_len must be >= 1'],
    [{ primary_output: 'answer' }, 'final_answer, trace, used_tools, finish_reason'],
    [{ http: { allowed_domains: ['https://x.y/z'] } }, 'http.allowed_domains.0 must match pattern'],
    [{ http: { allowed_methods: ['FETCH'] } }, 'http.allowed_methods.0'],
    [{ rate_limit: { burst: 1000 } }, 'rate_limit.burst must be <= 64'],
    [{ max_step: 3 }, 'did you mean "max_steps"?'],
    [{ http: { allowed_domain: [] } }, 'did you mean "allowed_domains"?'],
  ])('S3-69 S3-70: %j is rejected: %s', async (wrong, message) => {
    const { observation, requests } = await runNode({ ...BASIC, prompt: 'p', ...wrong })
    expect(observation.outcome).toBe('denied')
    expect(observation.text).toContain(message)
    expect(requests).toEqual([])
  })

  test.each([
    ['S3-56', 'timeout', 'limits.runMs', 120_000],
    ['S3-58', 'max_tool_calls', 'limits.maxToolCalls', 10],
    ['S3-60', 'single_call_timeout', 'limits.callMs', 30_000],
    ['S3-61 S3-62', 'total_token_budget', 'limits.tokens.budget', 0],
    ['S3-63', 'observation_max_len', 'observationMaxLen', 256],
  ])('%s: the default of %s', async (_id, _setting, path, value) => {
    const { journal } = await runNode({ ...BASIC, prompt: 'p' }, { says: [final('ok')] })
    const [started] = journal as EventOf<'run.started'>[]
    expect(started?.data.profile).toHaveProperty(path, value)
  })

  test('S3-55 S3-68: omitted settings get the specified defaults', async () => {
    const { journal, requests } = await runNode({ ...BASIC, prompt: 'p' }, { says: [final('ok')] })
    const [started] = journal as EventOf<'run.started'>[]
    expect(started?.data.profile).toMatchObject({
      dialect: 'json',
      limits: { maxSteps: 5, tokens: { mode: 'soft' } },
    })
    expect(started?.data.policy).toEqual({ rateLimit: { perSecond: 5, burst: 10 } })
    expect(requests[0]?.temperature).toBe(0.7)
  })

  test('S3-59 S3-97 S3-143: only the listed tools are shown; an empty list shows none', async () => {
    const { requests } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p' },
      { says: [final('ok')], tools: spyTools([]) },
    )
    const list = requests[0]?.system.split('[Developer]')[0]
    expect(list).toContain('- look: look')
    expect(list).not.toContain('- change')
    const none = await runNode(
      { ...BASIC, prompt: 'p' },
      { says: [action('look', { n: 1 }), final('no')], tools: spyTools([]) },
    )
    expect(none.requests[0]?.system).toContain('(none: answer with Final)')
    expect(none.output.trace).toMatchObject([{ error: 'TOOL_NOT_ALLOWED' }])
  })

  test('S3-15: the request offers no functions', async () => {
    const { requests } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p' },
      { says: [final('ok')], tools: spyTools([]) },
    )
    expect(requests[0]?.tools).toBeUndefined()
  })

  test('S3-141: a node can replace the examples', async () => {
    const own = await runNode({ ...BASIC, prompt: 'p', few_shot: 'User: hi\nYou: {"type":"final","answer":"ho"}' })
    expect(own.requests[0]?.system).toContain('User: hi')
    expect(own.requests[0]?.system).not.toContain('Portugal')
  })

  test('S3-142: a tool disabled for the agent is disabled for its nodes', async () => {
    const node = { tools: spyTools([]), options: { disabled: ['look'] } }
    const { output } = await runNode({ ...BASIC, allowed_tools: ['look'], prompt: 'p' }, node)
    expect(output).toMatchObject({ finish_reason: 'invalid_input', error: expect.stringContaining('disabled') })
  })
})

describe('use cases', () => {
  const hook = '/open-apis/bot/v2/hook/abcdef01-2345-6789-abcd-ef0123456789'
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      '/health': '{"healthy":false}',
      [hook]: (_, response) => response.end('{"code":0,"msg":"success"}'),
    })
  })
  afterAll(() => site.stop())

  const work = (args: object, says: string[]) => {
    const allowedHosts = [site.host]
    const world = {
      workspace: '/w',
      protectedPaths: [],
      blockedPaths: [],
      allowedHosts,
      env: { FEISHU_WEBHOOK: `http://${site.host}${hook}` },
      sandbox: 'off' as const,
    }
    return runNode(
      {
        ...BASIC,
        allowed_tools: ['http_request', 'feishu_bot'],
        http: { allowed_domains: [site.host], allowed_methods: ['GET'] },
        ...args,
      },
      {
        says,
        tools: [http, feishuBotTool({ clock: systemClock })],
        engine: { world, policy: policyWith({ security: { allowedHosts, toolHosts: { feishu_bot: [site.host] } } }) },
      },
    )
  }

  test('S3-11: query', async () => {
    const says = [action('http_request', { url: site.url('/health') }), final('It is not healthy.')]
    const { output, requests } = await work({ prompt: `Is ${site.url('/health')} healthy?` }, says)
    expect(output).toMatchObject({ finish_reason: 'final', final_answer: 'It is not healthy.' })
    expect(requests[1]?.messages.at(-1)?.content).toContain('{"healthy":false}')
  })

  test('S3-11: summarise a conversation', async () => {
    const messages_json = [
      { role: 'user', content: 'The printer on floor 2 is out of paper.' },
      { role: 'assistant', content: 'I have told facilities.' },
    ]
    const { requests } = await work({ messages_json, prompt: 'Summarise this.' }, [final('Paper was ordered.')])
    expect(requests[0]?.messages).toHaveLength(3)
  })

  test('S3-11 S3-19: notify; the domain and method lists for requests do not apply to the bot’s own service', async () => {
    const { output } = await work(
      { prompt: `Check ${site.url('/health')} and send a message to the group if it is not healthy.` },
      [
        action('http_request', { url: site.url('/health') }),
        action('feishu_bot', { msg_type: 'text', text: 'not healthy' }),
        final('The group was told.'),
      ],
    )
    expect(output.trace.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(site.visits).toContain(`POST ${hook}`)
  })
})

describe('S3-119: demo 3: repair', () => {
  test('S3-33 S3-76 S3-104: a reply with text around the JSON is sent back once, with the error', async () => {
    const { output, requests } = await runNode({ ...BASIC, prompt: 'p' }, { says: [`好的，${final('x')}`, final('x')] })
    expect(output).toMatchObject({ final_answer: 'x', finish_reason: 'final', trace: [] })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('no words before the JSON'),
    })
  })

  test.each([
    ['two objects', final('a') + final('b')],
    ['a code fence', `\`\`\`json\n${final('a')}\n\`\`\``],
    ['a mistyped type', '{"type":"acton","tool":"look","args":{}}'],
    ['a missing tool', '{"type":"action","args":{}}'],
    ['missing args', '{"type":"action","tool":"look"}'],
    ['a missing answer', '{"type":"final"}'],
    ['an empty reply', ''],
  ])('S3-32 S3-34 S3-77 S3-79: %s is a parse failure, and twice in a row ends the run', async (_, bad) => {
    const once = await runNode({ ...BASIC, prompt: 'p' }, { says: [bad, final('ok')] })
    expect(once.output.finish_reason).toBe('final')
    const twice = await runNode({ ...BASIC, prompt: 'p' }, { says: [bad, bad, final('never asked for')] })
    expect(twice.output).toMatchObject({ finish_reason: 'parse_error', final_answer: '' })
    expect(twice.requests).toHaveLength(2)
  })

  test('S3-106: each series of bad replies gets one repair, which does not count as a step', async () => {
    const { output, requests } = await runNode(
      { ...BASIC, max_steps: 3, allowed_tools: ['look'], prompt: 'p' },
      { says: ['?', action('look', { n: 1 }), '?', action('look', { n: 2 }), '?', final('done')], tools: spyTools([]) },
    )
    expect(output).toMatchObject({ finish_reason: 'final', final_answer: 'done', used_tools: { look: { count: 2 } } })
    expect(requests).toHaveLength(6)
  })

  test('S3-78 S3-125: a rejected call names the field; the corrected call runs', async () => {
    const deeds: Deed[] = []
    const { output, requests } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p' },
      { says: [action('look', { n: 'one' }), action('look', { n: 1 }), final('ok')], tools: spyTools(deeds) },
    )
    expect(output).toMatchObject({ finish_reason: 'final', trace: [{ error: 'ARGS_INVALID' }, { step: 2 }] })
    expect(requests[1]?.messages.at(-1)?.content).toContain('n must be integer')
    expect(deeds).toHaveLength(1)
  })

  test('S3-105: a tool that fails twice in a row ends the run', async () => {
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['fails'], prompt: 'p' },
      { says: [action('fails', { n: 1 }), action('fails', { n: 1 }), final('no')], tools: spyTools([]) },
    )
    expect(output).toMatchObject({ finish_reason: 'tool_error', final_answer: '' })
    expect(output.trace).toHaveLength(2)
    expect(output.error).toContain('no luck')
  })

  test('S3-47: a provider that fails has a finish_reason of its own', async () => {
    const down = new ModelError('the server is on fire', { status: 500, retryable: false })
    const { output } = await runNode({ ...BASIC, prompt: 'p' }, { says: [down] })
    expect(output).toMatchObject({ finish_reason: 'provider_error', final_answer: '', trace: [] })
    expect(output.error).toContain('on fire')
  })

  test('a model that cannot be opened and an unknown model give different errors', async () => {
    const failing = (error: WritError) => ({ options: { modelNamed: () => Promise.reject(error) } })
    const noKey = new WritError('MODEL_KEY_MISSING', { model: 'm/x', variables: ['M_KEY'] })
    const keyless = await runNode({ ...BASIC, prompt: 'p' }, failing(noKey))
    expect(keyless.output).toMatchObject({ finish_reason: 'provider_error', error: expect.stringContaining('M_KEY') })
    const noModel = new WritError('MODEL_UNKNOWN', { model: 'm/x', meant: undefined, providers: [] })
    const unknown = await runNode({ ...BASIC, prompt: 'p' }, failing(noModel))
    expect(unknown.output).toMatchObject({ finish_reason: 'invalid_input', error: expect.stringContaining('m/x') })
  })
})

describe('demo 4: governance', () => {
  let site: Site
  let other: Site
  beforeAll(async () => {
    other = await startSite({ '/': 'elsewhere' })
    site = await startSite({
      '/': 'hello',
      '/away': (_, response) => response.writeHead(302, { location: other.url() }).end(),
      '/metadata': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      '/see-other': (_, response) => response.writeHead(303, { location: '/' }).end(),
    })
  })
  afterAll(() => Promise.all([site.stop(), other.stop()]))

  const web = (lists: object, ...says: string[]) => {
    const allowedHosts = [site.host, other.host]
    const world = {
      workspace: '/w',
      protectedPaths: [],
      blockedPaths: [],
      allowedHosts,
      env: {},
      sandbox: 'off' as const,
    }
    return runNode(
      { ...BASIC, allowed_tools: ['http_request'], prompt: `read ${site.url()} and ${other.url()}`, http: lists },
      {
        says: [...says, final('done')],
        tools: [http, ...spyTools([])],
        engine: { world, policy: policyWith({ security: { allowedHosts } }) },
      },
    )
  }

  test('S3-98 S3-99 S3-158: a request to a listed domain with a listed method is made', async () => {
    const lists = { allowed_domains: [site.host], allowed_methods: ['GET'] }
    const { output } = await web(lists, action('http_request', { url: site.url() }))
    expect(output.trace[0]).toMatchObject({ observation: expect.stringContaining('hello') })
    expect(output.trace[0]?.error).toBeUndefined()
  })

  test.each([
    ['S3-35 S3-71 S3-120', 'a tool that is not listed', 'shell', { command: 'ls' }, 'UNKNOWN_TOOL', 'shell'],
    [
      'S3-35 S3-71 S3-120',
      'a tool of the run that is not in allowed_tools',
      'change',
      { n: 1 },
      'TOOL_NOT_ALLOWED',
      'change',
    ],
    ['S3-35 S3-73 S3-102 S3-120', 'a missing url', 'http_request', {}, 'ARGS_INVALID', "'url'"],
    [
      'S3-35 S3-74 S3-102 S3-120',
      'an unknown method',
      'http_request',
      { url: 'http://x.test', method: 'FETCH' },
      'ARGS_INVALID',
      'GET, HEAD',
    ],
    [
      'S3-35 S3-75 S3-102 S3-120',
      'a url that is too long',
      'http_request',
      { url: `http://x.test/${'a'.repeat(9000)}` },
      'ARGS_INVALID',
      '8000',
    ],
  ])('%s: %s is not executed, and the error names the rule', async (...row) => {
    const [, , tool, args, code, rule] = row
    const { output } = await web({}, action(tool, args))
    expect(output.trace).toMatchObject([{ error: code, observation: expect.stringContaining(rule) }])
    expect(output.used_tools).toEqual({})
  })

  test('S3-72: text in place of a number is rejected', async () => {
    const deeds: Deed[] = []
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p' },
      { says: [action('look', { n: '1' }), final('no')], tools: spyTools(deeds) },
    )
    expect(output.trace).toMatchObject([{ error: 'ARGS_INVALID' }])
    expect(deeds).toEqual([])
  })

  test('S3-98 S3-100: no request goes to an unlisted domain', async () => {
    const before = other.visits.length
    const { output } = await web({ allowed_domains: [site.host] }, action('http_request', { url: other.url() }))
    expect(output.trace).toMatchObject([{ error: 'PRE_VALIDATE_REJECTED/DOMAIN_NOT_ALLOWED' }])
    expect(output.trace[0]?.observation).toContain(site.host)
    expect(other.visits).toHaveLength(before)
  })

  test('S3-99: POST is refused where only GET is listed', async () => {
    const before = site.visits.length
    const post = { url: site.url(), method: 'POST', body: 'x' }
    const { output } = await web({ allowed_methods: ['GET'] }, action('http_request', post))
    expect(output.trace).toMatchObject([{ error: 'PRE_VALIDATE_REJECTED/METHOD_NOT_ALLOWED' }])
    expect(site.visits).toHaveLength(before)
  })

  test('S3-100: a redirect that changes the method is checked against the list too', async () => {
    const post = { url: site.url('/see-other'), method: 'POST' }
    const { output } = await web({ allowed_methods: ['POST'] }, action('http_request', post))
    expect(output.trace).toMatchObject([{ error: 'METHOD_NOT_ALLOWED', observation: expect.stringContaining('GET') }])
    expect(site.visits.slice(-1)).toEqual(['POST /see-other'])
  })

  test.each([
    ['another domain', '/away', 'DOMAIN_NOT_ALLOWED'],
    ['the metadata service', '/metadata', 'HOST_FORBIDDEN'],
  ])('S3-100: a redirect to %s is not followed', async (_, path, code) => {
    const before = other.visits.length
    const { output } = await web({ allowed_domains: [site.host] }, action('http_request', { url: site.url(path) }))
    expect(output.trace).toMatchObject([{ error: code }])
    expect(other.visits).toHaveLength(before)
  })

  test('S3-103: secrets in arguments are masked in the trace', async () => {
    const headers = { Authorization: 'Bearer abcdefghijklmnop', 'X-Note': 'canary-7731' }
    const { output, journal } = await runNode(
      { ...BASIC, allowed_tools: ['spy'], prompt: 'p' },
      {
        says: [action('spy', { headers }), final('the key is canary-7731')],
        tools: [defineTool({ name: 'spy', description: 'spy', schema: { type: 'object' }, execute: () => 'seen' })],
        engine: { redact: makeRedactor(['canary-7731']) },
      },
    )
    const shown = JSON.stringify([output, journal])
    expect(output.trace[0]?.action.args).toMatchObject({ headers: { Authorization: '[REDACTED:authorization]' } })
    expect(shown).not.toContain('abcdefghijklmnop')
    expect(shown).not.toContain('canary-7731')
  })

  test('S3-37 S3-38: calls beyond the burst wait, within the time of the run', async () => {
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p', rate_limit: { per_second: 20, burst: 1 } },
      {
        says: [...[1, 2, 3].map((n) => action('look', { n })), final('looked')],
        tools: spyTools([]),
        engine: { clock: { now: () => Date.now() } },
      },
    )
    expect(output).toMatchObject({ finish_reason: 'final', used_tools: { look: { count: 3 } } })
    expect(output.trace.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
  })

  test('S3-37 S3-38: calls beyond the burst that would wait longer than the run are refused', async () => {
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['look'], prompt: 'p', rate_limit: { per_second: 0.001, burst: 2 } },
      { says: [1, 2, 3].map((n) => action('look', { n })), tools: spyTools([]) },
    )
    expect(output.trace.map(({ error }) => error)).toEqual([undefined, undefined, 'RATE_LIMITED'])
  })

  test('a node never has more permissions than its caller', async () => {
    const deeds: Deed[] = []
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['look', 'change'], prompt: 'p' },
      {
        says: [action('look', { n: 1 }), action('change', { n: 1 }), final('done')],
        tools: spyTools(deeds),
        engine: { policy: policyWith({ security: { autonomy: 'ReadOnly' } }) },
      },
    )
    expect(output.trace).toMatchObject([{ step: 1 }, { error: 'AUTONOMY_FORBIDS' }])
    expect(deeds.map(({ tool }) => tool)).toEqual(['look'])
  })

  test('a high-risk call is denied, because a node cannot ask for approval', async () => {
    const { output } = await runNode(
      { ...BASIC, allowed_tools: ['danger'], prompt: 'p' },
      { says: [action('danger', { n: 1 }), final('no')], tools: spyTools([]) },
    )
    expect(output.trace).toMatchObject([{ error: 'RiskExceedsCapability' }])
  })
})

describe('S3-13 S3-121 S3-139: demo 5: limits', () => {
  const looks = (count: number) => Array.from({ length: count }, (_, i) => action('look', { n: i }))
  const node = { ...BASIC, allowed_tools: ['look'], prompt: 'p' }

  test('S3-29 S3-41 S3-57: max_steps ends the loop', async () => {
    const { output, requests } = await runNode({ ...node, max_steps: 3 }, { says: looks(9), tools: spyTools([]) })
    expect(output).toMatchObject({ finish_reason: 'max_steps', final_answer: '', used_tools: { look: { count: 3 } } })
    expect(output.trace).toHaveLength(3)
    expect(requests).toHaveLength(3)
  })

  test('S3-42 S3-48 S3-90: max_tool_calls applies when max_steps is higher; the denied call is in the trace', async () => {
    const { output } = await runNode(
      { ...node, max_steps: 20, max_tool_calls: 2 },
      { says: looks(9), tools: spyTools([]) },
    )
    expect(output).toMatchObject({ finish_reason: 'max_tool_calls', used_tools: { look: { count: 2 } } })
    expect(output.trace.map(({ error }) => error)).toEqual([undefined, undefined, 'MAX_TOOL_CALLS'])
  })

  test('S3-43 S3-53 S3-138: the token budget is soft: the step is finished, then one last answer is asked for', async () => {
    const dear = { inputTokens: 80, outputTokens: 40 }
    const { output, requests } = await runNode(
      { ...node, total_token_budget: 100 },
      { says: [{ text: action('look', { n: 1 }), usage: dear }, final('as far as I got')], tools: spyTools([]) },
    )
    expect(output).toMatchObject({ finish_reason: 'token_budget', final_answer: 'as far as I got' })
    expect(output.trace).toMatchObject([{ observation: 'look done' }])
    expect(output.error).toContain('100')
    expect(requests[1]?.system).toContain('last reply')
    expect(requests[1]?.system).toContain('(none: answer with Final)')
  })

  const slow = () =>
    defineTool({
      name: 'slow',
      description: 'slow',
      schema: { type: 'object' },
      readOnly: true,
      execute: (_, { signal }) =>
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })

  test('S3-44 S3-56: timeout ends the run', async () => {
    const { output } = await runNode(
      { ...node, allowed_tools: ['slow'], timeout: 1.5 },
      { says: [action('slow'), final('never')], tools: [slow()], engine: { clock: systemClock } },
    )
    expect(output).toMatchObject({ finish_reason: 'timeout', final_answer: '' })
    expect(output.trace).toMatchObject([{ action: { tool: 'slow' } }])
  })

  test('S3-36 S3-60: single_call_timeout ends the call, not the run', async () => {
    const { output, requests } = await runNode(
      { ...node, allowed_tools: ['slow'], single_call_timeout: 0.5 },
      { says: [action('slow'), final('too slow')], tools: [slow()] },
    )
    expect(output).toMatchObject({
      finish_reason: 'final',
      final_answer: 'too slow',
      trace: [{ error: 'TOOL_TIMEOUT' }],
    })
    expect(requests[1]?.messages.at(-1)?.content).toContain('slow timed out')
  })

  test('S3-49 S3-67 S3-122 S3-134: a one-megabyte result is cut to 256 whole characters', async () => {
    const long = '数据😀'.repeat(300_000)
    const { output, requests } = await runNode(
      { ...node, allowed_tools: ['page'] },
      {
        says: [action('page'), final('ok')],
        tools: [
          defineTool({
            name: 'page',
            description: 'page',
            schema: { type: 'object' },
            readOnly: true,
            execute: () => long,
          }),
        ],
      },
    )
    const fed = requests[1]?.messages.at(-1)?.content.split('\n')[1] ?? ''
    expect(fed).toBe(`${[...long].slice(0, 256).join('')}…(+899744)`)
    expect(fed.isWellFormed()).toBe(true)
    expect(output.trace[0]?.observation).toBe(fed)
  })

  test('S3-63: the output of a failure and a long denial are cut to the same length', async () => {
    const bad = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`strange${i}`, i]))
    const { requests } = await runNode(
      { ...node, allowed_tools: ['look', 'loud'], observation_max_len: 100 },
      {
        says: [action('loud'), action('look', { n: 1 }), action('look', bad), final('ok')],
        tools: [
          ...spyTools([]),
          defineTool({
            name: 'loud',
            description: 'loud',
            schema: { type: 'object' },
            execute: () => ({ ok: false as const, error: 'e'.repeat(60), partial: 'p'.repeat(900) }),
          }),
        ],
      },
    )
    const loud = requests[1]?.messages.at(-1)?.content ?? ''
    expect(loud.match(/[ep]{40,}/g)?.map(({ length }) => length)).toEqual([60, 40])
    expect(requests[3]?.messages.at(-1)?.content).toMatch(/ARGS_INVALID: [^\n]{90,100}…\(\+\d+\)/)
  })

  test('cancelling the call cancels its run, and the trace is still complete', async () => {
    const stop = new AbortController()
    const { journal } = await runNode(
      { ...node, allowed_tools: ['stopper'] },
      {
        says: [action('stopper'), final('never')],
        tools: [
          defineTool({
            name: 'stopper',
            description: 'stopper',
            schema: { type: 'object' },
            execute: () => {
              stop.abort()
              return 'stopped'
            },
          }),
        ],
        signal: stop.signal,
      },
    )
    expect(journal.at(-1)).toMatchObject({ type: 'run.stopped', reason: 'aborted' })
  })

  test('S3-52 S3-80 S3-126 S3-157: for any model reply, all four outputs are present with a known finish reason', async () => {
    const near = fc.record({
      type: fc.constantFrom('action', 'final', 'acton'),
      tool: fc.constantFrom('look', 'change', 'nope', ''),
      args: fc.oneof(fc.constant({ n: 1 }), fc.object({ maxDepth: 1 }), fc.constant(null)),
      answer: fc.string(),
    })
    const said = fc.oneof(
      fc.string({ unit: 'binary' }),
      near.map((value) => JSON.stringify(value)),
      near.map(({ type, tool, args }) => JSON.stringify({ type, tool, args })),
      near.map(({ answer }) => final(answer)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: 6 }), async (says) => {
        const { output } = await runNode({ ...node, max_steps: 3 }, { says, tools: spyTools([]) })
        expect(STOP_REASONS).toContain(output.finish_reason)
        expect(OUTPUTS.filter((key) => !(key in output))).toEqual([])
        expect(typeof output.final_answer).toBe('string')
      }),
      { numRuns: 60 },
    )
  })
})
