/** S3-65 S3-69 S3-70: `writ workflow check` and `run` say everything that is wrong, where it stands, before anything runs. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'

let place: Place
let site: Site
let posts: number
beforeEach(async () => {
  place = makePlace()
  posts = 0
  site = await startSite({
    '/post': (_, response) => {
      posts++
      response.end('ok')
    },
  })
})
afterEach(async () => {
  await site.stop()
  place.remove()
})

const DOCUMENT = `name: wrong
nodes:
  - id: post
    tool: http_request
    args: { url: "POST_URL", method: POST, body: hi }
  - id: think
    tool: agent_core
    timeuot: 3
    args:
      max_steps: 0
      temprature: 1
      allowed_tools: [http_requst]
      prompt: "About {{external.topic}}"
  - id: tell
    tool: feishu_bot
    args: { msg_type: text, card: {} }
  - id: pick
    tool: json_transform
    args: { input: "{{nodes.post.output}}", expression: "a[?" }
edges:
  - { from: post, to: think }
  - { from: think, to: tel }
  - { from: post, to: pick }
`

interface Found {
  place: string
  line: number
  column: number
}

test('shape and meaning together, each with line and column; the POST before it is not sent', async () => {
  place.file('w.yaml', DOCUMENT.replace('POST_URL', site.url('/post')))
  const config = place.file('config.json', { agent: { security: { allowedHosts: [site.host] } } })
  const checked = await place.writ(['workflow', 'check', 'w.yaml', '--json', '--config', config])
  const { ok, problems } = checked.json()[0] as unknown as { ok: boolean; problems: Found[] }
  expect({ code: checked.code, ok }).toEqual({ code: 2, ok: false })
  const at = Object.fromEntries(problems.map(({ place: where, line, column }) => [where, `${line}:${column}`]))
  expect(at).toEqual({
    'nodes[1].timeuot': '8:5',
    'nodes[1].args': '9:5',
    'nodes[1].args.max_steps': '10:7',
    'nodes[1].args.temprature': '11:7',
    'nodes[1].args.allowed_tools[0]': '12:23',
    'nodes[2].args.text': '16:5',
    'nodes[2].args.card': '16:29',
    'nodes[3].args.expression': '19:45',
    'edges[1].to': '22:20',
  })
  const ran = await place.writ(['workflow', 'run', 'w.yaml', '--input', 'topic=x', '--config', config])
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('10:7: nodes[1].args.max_steps: must be >= 1') })
  expect(posts).toBe(0)
})

test('a tool that is not there, a model that is not there, and nothing to answer', async () => {
  const args = { model: 'opnai/x', max_steps: 1, allowed_tools: ['http_requst', 'agent_core', '{{external.one}}'] }
  place.file('w.json', { name: 'w', nodes: [{ id: 'a', tool: 'agent_core', args }] })
  const { stdout, code } = await place.writ(['workflow', 'check', 'w.json', '--input', 'one=http_request'])
  expect(code).toBe(2)
  expect(stdout).toContain('allowed_tools[0]: allowed_tools: unknown tool "http_requst"; did you mean "http_request"?')
  expect(stdout).toContain('allowed_tools[1]: allowed_tools: "agent_core" cannot be used inside agent_core')
  expect(stdout).not.toContain('allowed_tools[2]')
  expect(stdout).toContain('did you mean "openai"?')
  expect(stdout).toContain('there is nothing to answer')
})

const later = '{{nodes.post.outputs.body}}'

test.each<[string, string, object, string]>([
  [
    'the role of a message',
    'agent_core',
    { model: 'rules', max_steps: 5, allowed_tools: [], messages_json: [{ role: 'boss', content: later }] },
    'messages_json[0].role: expected one of',
  ],
  [
    'the name of a header',
    'http_request',
    { url: 'https://example.com', headers: { 'bad header': later } },
    'headers: the header "bad header" contains',
  ],
])('S3-69: %s is checked although a POST before it will return the rest', async (_, tool, args, told) => {
  const post = { id: 'post', tool: 'http_request', args: { url: site.url('/post'), method: 'POST', body: 'x' } }
  place.file('w.json', { name: 'w', nodes: [post, { id: 'next', tool, args }], edges: [{ from: 'post', to: 'next' }] })
  const config = place.file('config.json', { agent: { security: { allowedHosts: [site.host] } } })
  const checked = await place.writ(['workflow', 'check', 'w.json', '--config', config])
  expect(checked).toMatchObject({ code: 2, stdout: expect.stringContaining(`nodes[1].args.${told}`) })
  expect(await place.writ(['workflow', 'run', 'w.json', '--config', config])).toMatchObject({ code: 2 })
  expect(posts).toBe(0)
})

test('a YAML bomb is a user error', async () => {
  const lines = Array.from({ length: 12 }, (_, i) => {
    const parts =
      i === 0
        ? 'x'
        : Array(10)
            .fill(`*a${i - 1}`)
            .join(', ')
    return `a${i}: &a${i} [${parts}]`
  })
  place.file('bomb.yaml', `${lines.join('\n')}\nname: w\nnodes: *a11\n`)
  expect(await place.writ(['workflow', 'run', 'bomb.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('too many keys, brackets or aliases'),
  })
})
