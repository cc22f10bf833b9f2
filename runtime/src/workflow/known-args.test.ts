import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, createAgent } from '../assembly/agent.ts'

let workspace: string
const agents = new Map<'en' | 'zh', Agent>()
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'known-'))
  for (const lang of ['en', 'zh'] as const) {
    const config = { agent: { model: 'rules', lang } }
    agents.set(lang, await createAgent({ workspace, data: ':memory:', env: {}, config }))
  }
})
afterAll(async () => {
  for (const agent of agents.values()) await agent.close()
  await rm(workspace, { recursive: true })
})

type Node = { tool: string; args: object }
const found = (node: Node, lang: 'en' | 'zh' = 'en') => {
  const first = { id: 'first', ...request({}) }
  const document = { name: 'w', nodes: [first, { id: 'next', ...node }], edges: [{ from: 'first', to: 'next' }] }
  const { problems } = agents.get(lang)?.workflows.check(document) ?? { problems: [] }
  return problems.map(({ place, message }) => `${place}: ${message[lang]}`)
}

const later = '{{nodes.first.outputs.body}}'
const agent = (args: object) => ({
  tool: 'agent_core',
  args: { model: 'rules', max_steps: 5, allowed_tools: [], ...args },
})
const request = (args: object) => ({ tool: 'http_request', args: { url: 'https://example.com', ...args } })
const message = (role: string) => ({ role, content: later })

describe('S3-69: beside what another node will return', () => {
  test.each<[string, Node, string]>([
    ['a role', agent({ messages_json: [message('boss')] }), 'messages_json[0].role: expected one of'],
    [
      'a role in JSON text',
      agent({ messages_json: `[{"role": "boss", "content": ${later}}, {"role": "user", "content": "${later}"}]` }),
      'messages_json[0].role: expected one of',
    ],
    [
      'a role after a message that is not known yet',
      agent({ messages_json: [later, message('boss')] }),
      'messages_json[1].role: expected one of',
    ],
    [
      'an unknown key of a message',
      agent({ messages_json: [{ ...message('user'), nam: 'x' }] }),
      'messages_json[0].nam: unknown key; did you mean name?',
    ],
    [
      'a conversation that ends with an answer',
      agent({ messages_json: [message('user'), message('assistant')] }),
      "messages_json: messages_json: the last message is the assistant's",
    ],
    [
      'a tool that is not there',
      agent({ prompt: 'p', allowed_tools: [later, 'nope'] }),
      'allowed_tools[1]: allowed_tools: unknown tool',
    ],
    [
      'the name of a header',
      request({ headers: { 'bad header': later } }),
      'headers: the header "bad header" contains',
    ],
    ['a header of our own', request({ headers: { Host: later } }), 'headers: the header Host is set by the runtime'],
    [
      'the value of a header',
      request({ headers: { A: later, B: 'two\nlines' } }),
      'headers.B: the header "B" contains',
    ],
  ])('%s is checked', (_, node, told) => {
    expect(found(node)).toEqual([expect.stringContaining(`nodes[1].args.${told}`)])
  })

  test.each<[string, Node]>([
    ['messages and roles', agent({ messages_json: [later, { role: later, content: later }] })],
    ['a system message, which becomes the user’s', agent({ messages_json: [message('system')] })],
    ['messages in JSON text', agent({ messages_json: `[{"role": "user", "content": ${later}}, ${later}]` })],
    ['prompts and tools', agent({ prompt: later, allowed_tools: [later] })],
    ['headers', request({ headers: { A: later } })],
  ])('%s that it returns are not judged', (_, node) => expect(found(node)).toEqual([]))

  test('an error can be in Chinese', () => {
    expect(found(agent({ messages_json: [message('boss')] }), 'zh')).toEqual([
      'nodes[1].args.messages_json[0].role: 应为 system、user、assistant、tool 之一',
    ])
    expect(found(agent({ messages_json: [message('assistant')] }), 'zh')).toEqual([
      'nodes[1].args.messages_json: messages_json：最后一条消息来自 assistant；请以用户消息结尾，或提供 prompt',
    ])
  })
})

describe('S3-65: all errors of a call are reported at once', () => {
  test.each<[string, object, string[]]>([
    [
      'agent_core',
      { model: 'unknown/x', max_steps: 0, allowed_tools: [7, 'no_such_tool', 'agent_core'], prompt: '{{external.q}}' },
      ['max_steps', 'allowed_tools[0]', 'allowed_tools[1]', 'allowed_tools[2]', 'model'],
    ],
    ['http_request', { url: 'htp:/x', method: '{{external.q}}', timeoutt: 3 }, ['timeoutt', 'url']],
    ['http_request', { url: 7, headers: { A: 7, 'bad header': '{{external.q}}' } }, ['url', 'headers.A', 'headers']],
    ['json_transform', { input: '{{external.q}}', expression: 'a[[', zzz: 1 }, ['zzz', 'expression']],
    ['feishu_bot', { msg_type: 'text', text: 7, card: { q: '{{external.q}}' } }, ['text', 'card']],
  ])('%s %j', (tool, args, keys) => {
    const places = found({ tool, args }).map((line) => line.split(': ')[0])
    expect(places).toEqual(keys.map((key) => `nodes[1].args.${key}`))
  })
})
