/** Workflows as people run them: documents in a folder, the real command, the real tools. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ended, makePlace, type Place } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples/workflows')
const HOOK = '/open-apis/bot/v2/hook/abcdef01-2345-6789-abcd-ef0123456789'

let place: Place
let site: Site
let posted: string[]
beforeEach(async () => {
  place = makePlace()
  posted = []
  site = await startSite({
    '/ok': 'all is well',
    '/json': (_, response) => response.end('{"a":1}'),
    [HOOK]: (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        posted.push(JSON.parse(body).content.text)
        response.setHeader('content-type', 'application/json')
        response.end('{"code":0,"msg":"success"}')
      })
    },
  })
})
afterEach(async () => {
  await site.stop()
  place.remove()
})

/** A configuration that opens the stub server, and whatever else is said. */
function config(agent: object = {}): string {
  const { security = {}, ...rest } = agent as { security?: object }
  return place.file('config.json', {
    agent: {
      security: { allowedHosts: [site.host], sandbox: 'off', ...security },
      feishu: { allowedHosts: [site.host] },
      ...rest,
    },
  })
}

const resultOf = (ended: Ended) =>
  ended.json().at(-1) as {
    outputs: Record<string, Record<string, unknown>>
    nodes: Record<string, { state: string; error?: { code: string; message: string } }>
    output?: unknown
    ok: boolean
    runId: string
  }
const states = (ended: Ended) =>
  Object.fromEntries(Object.entries(resultOf(ended).nodes).map(([id, { state }]) => [id, state]))

describe('writ workflow run', () => {
  test('S3-164: three nodes, one after the other; events, then the result', async () => {
    place.file(
      'w.yaml',
      `
name: three
nodes:
  - { id: get, tool: http_request, args: { url: "{{external.url}}" } }
  - { id: pick, tool: json_transform, args: { input: { page: "{{nodes.get.outputs.text}}", n: 2 }, expression: "{size: length(page), n: n}" } }
  - { id: keep, tool: file_write, args: { path: out.txt, content: "{{nodes.pick.outputs.n}} and {{nodes.get.outputs.text}}" } }
edges:
  - { from: get, to: pick }
  - { from: pick, to: keep }
`,
    )
    const ended = await place.writ([
      'workflow',
      'run',
      'w.yaml',
      '--input',
      `url=${site.url('/ok')}`,
      '--json',
      '--config',
      config(),
    ])
    expect(ended).toMatchObject({ code: 0 })
    expect(states(ended)).toEqual({ get: 'done', pick: 'done', keep: 'done' })
    expect(resultOf(ended).outputs.pick).toMatchObject({ n: 2 })
    expect(place.read('out.txt')).toMatch(/^2 and HTTP 200/)
    const types = ended.json().map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['session.opened', 'run.started', 'workflow.started'])
    expect(types.filter((type) => type === 'node.finished')).toHaveLength(3)
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })

  test('on a terminal’s terms: what it comes to on stdout, the way there on stderr, in both languages', async () => {
    place.file('w.json', {
      name: 'w',
      nodes: [
        { id: 'a', tool: 'json_transform', args: { input: { x: 1 }, expression: '@' } },
        { id: 'b', tool: 'json_transform', args: { input: 1, expression: '@' }, when: 'false' },
      ],
    })
    const english = await place.writ(['workflow', 'run', 'w.json'])
    expect(JSON.parse(english.stdout)).toEqual({ x: 1 })
    expect(english.stderr).toContain('✓ a')
    expect(english.stderr).toContain('- b skipped: its condition is false')
    const chinese = await place.writ(['workflow', 'run', 'w.json', '--lang', 'zh'])
    expect(chinese.stderr).toContain('- b 已跳过：条件不成立')
  })

  test('a node that fails ends with 7, and says which and why', async () => {
    place.file('w.yaml', 'name: w\nnodes:\n  - { id: get, tool: http_request, args: { url: "{{external.url}}" } }\n')
    const ended = await place.writ([
      'workflow',
      'run',
      'w.yaml',
      '--input',
      `url=${site.url('/gone')}`,
      '--config',
      config(),
    ])
    expect(ended.code).toBe(7)
    expect(ended.stderr).toMatch(/✗ get .*HTTP 404/)
    expect(ended.stdout).toBe('')
  })

  test('a document that cannot run ends with 2, with every place, and nothing was run', async () => {
    place.file(
      'w.yaml',
      `
name: w
nodes:
  - { id: a, tool: file_write, args: { path: x.txt, content: hi } }
  - { id: b, tool: http_request, args: { url: "{{external.url}}{{env.HOME}}" } }
  - { id: c, tool: htp_request, args: { url: "{{nodes.d.outputs.x}}" } }
edges: [{ from: c, to: b }, { from: b, to: c }]
`,
    )
    const ended = await place.writ(['workflow', 'run', 'w.yaml'])
    expect(ended.code).toBe(2)
    for (const part of [
      'nodes[1].args.url: {{external.url}} was not given',
      '{{env.HOME}} is not available',
      'did you mean "http_request"',
      'b → c → b',
    ])
      expect(ended.stderr).toContain(part)
    expect(place.has('x.txt')).toBe(false)
    expect((await place.writ(['trace', '--json'])).stdout).toBe('')
  })

  test.each([
    [[], 'needs inputs that were not given: who, question', '--input who=… --input question=…'],
    [['--input', 'who=ada'], 'needs an input that was not given: question', '--input question=…'],
  ])('X-CLI-2: without inputs it names the flags that are missing (%j)', async (given, fact, hint) => {
    const file = join(EXAMPLES, 'conversation.yaml')
    const { code, stderr } = await place.writ(['workflow', 'run', file, ...given])
    expect(code).toBe(2)
    expect(stderr).toContain(fact)
    expect(stderr).toContain(`hint: Nothing was run. Add ${hint}.`)
  })

  test('S3-142: with agent_core taken out of service, workflows that use it refuse before running', async () => {
    const file = join(EXAMPLES, 'conversation.yaml')
    const off = config({ tools: { disabled: ['agent_core'] } })
    const ended = await place.writ([
      'workflow',
      'run',
      file,
      '--input',
      'who=a',
      '--input',
      'question=b',
      '--config',
      off,
    ])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('nodes[1].tool: the tool "agent_core" is disabled (agent.tools.disabled)')
    const other = place.file('w.json', {
      name: 'w',
      nodes: [{ id: 'a', tool: 'json_transform', args: { input: 1, expression: '@' } }],
    })
    expect((await place.writ(['workflow', 'run', other, '--config', off])).code).toBe(0)
  })

  test.each([
    ['--input', 'nothing'],
    ['--input', '=x'],
    ['--input', 'a=1', '--input', 'a:=2'],
  ])('%s %s is wrong use', async (...flags) => {
    place.file('w.json', {
      name: 'w',
      nodes: [{ id: 'a', tool: 'json_transform', args: { input: 1, expression: '@' } }],
    })
    expect((await place.writ(['workflow', 'run', 'w.json', ...flags])).code).toBe(2)
  })
})

describe('--input', () => {
  const given = (...inputs: string[]) => {
    place.file('w.json', {
      name: 'w',
      nodes: [{ id: 'a', tool: 'json_transform', args: { input: { x: '{{external.x}}' }, expression: '@' } }],
    })
    const flags = inputs.flatMap((input) => ['--input', input])
    return place.writ(['workflow', 'run', 'w.json', '--lang', 'en', ...flags])
  }

  test('NAME=VALUE is a text, NAME:=VALUE what the JSON says', async () => {
    expect(JSON.parse((await given('x=3:=4')).stdout)).toEqual({ x: '3:=4' })
    expect(JSON.parse((await given('x:={"n":[1,true,null]}')).stdout)).toEqual({ x: { n: [1, true, null] } })
  })

  test('what is not JSON is said, with its name and what to write', async () => {
    const ended = await given('x:=Berlin')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('--input x:=… is not valid JSON')
    expect(ended.stderr).toContain('--input city=Berlin for text')
  })
})

describe('writ workflow check and list', () => {
  test('a good document names what it needs', async () => {
    const file = join(EXAMPLES, 'check-and-notify.yaml')
    const good = await place.writ(['workflow', 'check', file])
    expect(good).toMatchObject({ code: 0 })
    expect(good.stdout).toContain('--input url=…')
    expect(place.has('.writ')).toBe(false)
  })

  test('a bad one names every problem and its place', async () => {
    place.file('w.yaml', 'name: w\nnodes:\n  - { id: a, tool: shel, args: { x: "{{env.A}}" }, timout: 3 }\n')
    const { json, code } = await place.writ(['workflow', 'check', 'w.yaml', '--json'])
    expect(code).toBe(2)
    const places = ['nodes[0].timout', 'nodes[0].tool', 'nodes[0].args.x']
    expect(json()).toMatchObject([{ ok: false, problems: places.map((at) => ({ place: at })) }])
  })

  test('the examples are listed, and what cannot be read is said', async () => {
    const listed = await place.writ(['workflow', 'list', EXAMPLES, '--json'])
    expect(listed.json()).toMatchObject([
      { file: 'check-and-notify.yaml', name: 'check and notify', nodes: 3 },
      { file: 'conversation.yaml', name: 'conversation', nodes: 3 },
      { file: 'report.yaml', name: 'report', nodes: 3 },
    ])
    expect((await place.writ(['workflow', 'list'])).stdout).toContain('There are no workflows in')
    place.file('.writ/workflows/bad.yaml', 'name: [')
    expect((await place.writ(['workflow', 'list'])).stdout).toContain('not a valid workflow')
    expect((await place.writ(['workflow', 'list', 'nowhere'])).code).toBe(2)
  })
})

describe('the examples', () => {
  const hook = () => ({ FEISHU_WEBHOOK: `${site.url(HOOK)}` })

  test('S3-11 S3-19: a Feishu group gets the result of an HTTP check, good or bad', async () => {
    const file = join(EXAMPLES, 'check-and-notify.yaml')
    const go = (path: string) =>
      place.writ(['workflow', 'run', file, '--input', `url=${site.url(path)}`, '--json', '--config', config()], {
        env: hook(),
      })
    const good = await go('/ok')
    expect(states(good)).toEqual({ check: 'done', tell_good: 'done', tell_bad: 'skipped' })
    const bad = await go('/gone')
    expect(bad.code).toBe(0)
    expect(states(bad)).toEqual({ check: 'failed', tell_good: 'skipped', tell_bad: 'done' })
    expect(posted).toEqual([`${site.url('/ok')} answers.`, `${site.url('/gone')} does not answer: HTTP 404 Not Found`])
    // Three attempts: a GET does no harm twice.
    expect(site.visits.filter((visit) => visit === 'GET /gone')).toHaveLength(3)
  })

  test('S3-4 S3-18 S3-91 S3-161: a conversation over two runs; the second answer knows the first', async () => {
    const file = join(EXAMPLES, 'conversation.yaml')
    const say = (question: string, answer: string) => {
      place.script('script.json', [{ purpose: 'main', text: JSON.stringify({ type: 'final', answer }) }])
      const flags = [
        '--input',
        'who=ada',
        '--input',
        `question=${question}`,
        '--script',
        'script.json',
        '--record',
        'asked.jsonl',
      ]
      return place.writ(['workflow', 'run', file, ...flags, '--json', '--config', config()])
    }
    const first = await say('My name is Ada.', 'Hello Ada.')
    expect(resultOf(first).outputs.agent_core?.final_answer).toBe('Hello Ada.')
    const second = await say('What is my name?', 'Ada.')
    expect(second.code).toBe(0)
    expect(resultOf(second).outputs).toMatchObject({
      agent_core: { final_answer: 'Ada.', finish_reason: 'final' },
      persist: { messages: 4 },
    })
    expect(resultOf(second).output).toBe('Ada.')
    const request = JSON.parse(place.read('asked.jsonl').trim())
    expect(JSON.stringify(request.messages)).toContain('My name is Ada.')
    expect(JSON.stringify(request.messages)).toContain('Hello Ada.')
  })

  test('an agent that cannot reach its model fails: exit code 7, and nothing is stored', async () => {
    const flags = ['--input', 'who=ada', '--input', 'question=Who am I?', '--lang', 'en']
    const ended = await place.writ(['workflow', 'run', join(EXAMPLES, 'conversation.yaml'), ...flags])
    expect(ended).toMatchObject({ code: 7, stdout: '' })
    expect(ended.stderr).toMatch(/✗ agent_core .*NO_FINAL_ANSWER.*OPENAI_API_KEY/)
    expect(ended.stderr).toContain('- persist skipped: an earlier node failed')
  })
})

describe('cut off', () => {
  const slow = (command: string) => `
name: slow
nodes:
  - { id: first, tool: file_write, args: { path: first.txt, content: once } }
  - { id: slow, tool: shell, args: { command: "${command}" } }
  - { id: last, tool: file_write, args: { path: last.txt, content: done } }
  - { id: rescue, tool: file_write, args: { path: rescue.txt, content: "{{nodes.slow.error}}" } }
edges:
  - { from: first, to: slow }
  - { from: slow, to: last }
  - { from: slow, to: rescue, on: error }
`
  const allowing = () => config({ security: { allowedCommands: ['sleep', 'touch'] } })

  async function untilFile(name: string): Promise<void> {
    await until(() => place.has(name))
  }

  test('killed in the middle, it is taken up: what was done is not repeated, what is unknown is said', async () => {
    place.file('w.yaml', slow('touch marker.txt && sleep 4'))
    const running = place.start(['workflow', 'run', 'w.yaml', '--json', '--config', allowing()])
    await untilFile('marker.txt')
    running.child.kill('SIGKILL')
    await running.ended
    place.file('first.txt', 'changed since')
    const [open] = (await place.writ(['trace', '--json'])).json().filter(({ task }) => task === 'slow')
    expect(open).toMatchObject({ stopped: false })
    // The same as `workflow resume RUN`; the node's own run is open too, and is not what is taken up.
    const resumed = await place.writ(['resume', '--last', '--json', '--config', allowing()])
    expect(resumed.code).toBe(0)
    const { nodes } = (await place.writ(['trace', String(open?.runId), '--json'])).json()[0] as { nodes: object[] }
    expect(nodes).toMatchObject([
      { node: 'first', tool: 'file_write', state: 'done' },
      { node: 'slow', tool: 'shell', state: 'failed', error: 'INTERRUPTED', runId: expect.stringMatching(/^run_/) },
      { node: 'last', state: 'skipped' },
      { node: 'rescue', state: 'done' },
    ])
    const told = (await place.writ(['trace', String(open?.runId), '--lang', 'en'])).stdout
    expect(told).toMatch(/✓ first file_write .*run_/)
    expect(told).toMatch(/✗ slow shell .*INTERRUPTED/)
    expect(states(resumed)).toEqual({ first: 'done', slow: 'failed', last: 'skipped', rescue: 'done' })
    expect(resultOf(resumed).nodes.slow?.error?.code).toBe('INTERRUPTED')
    expect(place.read('first.txt')).toBe('changed since')
    expect(place.read('rescue.txt')).toContain('is unknown')
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
    expect((await place.writ(['workflow', 'resume', String(open?.runId), '--config', allowing()])).stderr).toContain(
      'RUN_ENDED',
    )
  })

  test('Ctrl-C ends it in good order, and the journal says so', async () => {
    place.file('w.yaml', slow('touch marker.txt && sleep 30'))
    const running = place.start(['workflow', 'run', 'w.yaml', '--json', '--config', allowing()])
    await untilFile('marker.txt')
    running.child.kill('SIGINT')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(resultOf(ended)).toMatchObject({ ok: false, stopReason: 'aborted' })
    expect(states(ended)).toMatchObject({ first: 'done', slow: 'failed', last: 'skipped', rescue: 'skipped' })
    const runs = (await place.writ(['trace', '--json'])).json()
    expect(runs.every(({ stopped }) => stopped === true)).toBe(true)
    expect((await place.writ(['audit', 'verify'])).code).toBe(0)
  })
})
