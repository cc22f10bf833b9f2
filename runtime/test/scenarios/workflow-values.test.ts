/** What one node returns and the next one reads: values, as a workflow's author expects them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgent, scriptedModel } from '../../src/index.ts'
import type { WorkflowResult } from '../../src/workflow/run.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'

const HOOK = '/open-apis/bot/v2/hook/abcdef01-2345-6789-abcd-ef0123456789'

let place: Place
let site: Site
let posted: string[]
beforeEach(async () => {
  place = makePlace()
  posted = []
  site = await startSite({
    '/orders/17': (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('x-request-id', 'r-9')
      response.end('{"order":{"id":17,"state":"shipped","tags":["a","b"]}}')
    },
    '/page': 'all is well',
    '/sick': (_, response) => {
      response.statusCode = 503
      response.end('{"why":"maintenance"}')
    },
    [HOOK]: (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        posted.push(JSON.parse(body).content.text)
        response.end('{"code":0}')
      })
    },
  })
})
afterEach(async () => {
  await site.stop()
  place.remove()
})

async function run(document: { nodes: object[]; edges?: object[] }): Promise<WorkflowResult> {
  const security = { allowedHosts: [site.host], sandbox: 'off' as const, allowedCommands: ['echo', 'true'] }
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    env: { PATH: process.env.PATH, FEISHU_WEBHOOK: site.url(HOOK) },
    model: scriptedModel([]),
    config: { agent: { security, feishu: { allowedHosts: [site.host] } } },
  })
  try {
    return await agent.workflows.run({ name: 'w', ...document })
  } finally {
    await agent.close()
  }
}

const fetch = (path: string) => ({ id: 'fetch', tool: 'http_request', args: { url: site.url(path) } })
const pick = (input: string, expression = 'order.state') => ({
  id: 'pick',
  tool: 'json_transform',
  args: { input, expression },
})
const tell = (text: string) => ({ id: 'tell', tool: 'feishu_bot', args: { msg_type: 'text', text } })
const chain = [
  { from: 'fetch', to: 'pick' },
  { from: 'pick', to: 'tell' },
]

describe('S3-19: fetch, pick, tell', () => {
  test.each(['outputs.json', 'outputs.body', 'output'])('with {{nodes.fetch.%s}} as the input', async (path) => {
    const nodes = [fetch('/orders/17'), pick(`{{nodes.fetch.${path}}}`), tell('It is {{nodes.pick.output}}.')]
    const { ok, outputs } = await run({ nodes, edges: chain })
    expect({ ok, posted }).toEqual({ ok: true, posted: ['It is shipped.'] })
    expect(outputs.pick).toMatchObject({ value: 'shipped', text: 'shipped' })
  })

  test('a list goes into a message as JSON, a number as digits', async () => {
    const nodes = [
      fetch('/orders/17'),
      pick('{{nodes.fetch.outputs.json}}', 'order.tags'),
      tell('{{nodes.pick.output}}'),
    ]
    await run({ nodes, edges: chain })
    const digits = [
      fetch('/orders/17'),
      pick('{{nodes.fetch.outputs.json}}', 'order.id'),
      tell('{{nodes.pick.output}}'),
    ]
    await run({ nodes: digits, edges: chain })
    expect(posted).toEqual(['["a","b"]', '17'])
  })
})

describe('S3-163: an http_request node returns', () => {
  test('status, headers, body and json; its main output is the text, as before', async () => {
    const { outputs, output } = await run({ nodes: [fetch('/orders/17')] })
    expect(outputs.fetch).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r-9' },
      body: '{"order":{"id":17,"state":"shipped","tags":["a","b"]}}',
      json: { order: { id: 17, state: 'shipped' } },
      text: expect.stringMatching(/^HTTP 200 OK\ncontent-type/),
    })
    expect(output).toMatch(/^HTTP 200 OK\n/)
  })

  test('no json where the body is none', async () => {
    const { outputs } = await run({ nodes: [fetch('/page')] })
    expect(outputs.fetch).toMatchObject({ status: 200, body: 'all is well' })
    expect(outputs.fetch).not.toHaveProperty('json')
  })

  test('the answer of a failure too, for the node that handles it', async () => {
    const nodes = [fetch('/sick'), tell('{{nodes.fetch.outputs.status}}: {{nodes.fetch.outputs.json.why}}')]
    const { ok } = await run({ nodes, edges: [{ from: 'fetch', to: 'tell', on: 'error' }] })
    expect({ ok, posted }).toEqual({ ok: true, posted: ['503: maintenance'] })
  })
})

describe('S3-164: a condition holds for', () => {
  const states = async (when: string, first: object) => {
    const nodes = [first, { ...tell('yes'), when }]
    const { nodes: ends } = await run({ nodes, edges: [{ from: 'fetch', to: 'tell' }] })
    return ends.tell?.state
  }

  test.each([
    '{{nodes.fetch.outputs.status}} >= 200 and {{nodes.fetch.outputs.status}} < 300',
    '{{nodes.fetch.output.status}} == 200',
    "{{nodes.fetch.outputs.json.order.state}} == 'shipped'",
    "{{nodes.fetch.outputs.headers.content-type}} == 'application/json'",
  ])('what a request returned: %s', async (when) => {
    expect(await states(when, fetch('/orders/17'))).toBe('done')
  })

  test.each([
    ['"shipped"', "{{nodes.fetch.output}} == 'shipped'"],
    ['3', '{{nodes.fetch.output}} == 3'],
    ['true', '{{nodes.fetch.output}}'],
    ['null', 'not exists({{nodes.fetch.output}})'],
    ['["a"]', "{{nodes.fetch.output.0}} == 'a'"],
  ])('the value %s that json_transform picked', async (value, when) => {
    const first = { id: 'fetch', tool: 'json_transform', args: { input: value, expression: '@' } }
    expect(await states(when, first)).toBe('done')
  })

  test('what a command printed, and that it printed nothing', async () => {
    const first = (command: string) => ({ id: 'fetch', tool: 'shell', args: { command } })
    expect(await states("{{nodes.fetch.output}} == 'yes'", first('echo yes'))).toBe('done')
    expect(await states("{{nodes.fetch.output}} == ''", first('true'))).toBe('done')
  })
})
