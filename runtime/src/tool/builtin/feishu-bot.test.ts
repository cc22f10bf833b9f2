import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { policyWith, toolInput } from '../../../test/support/gate-input.ts'
import { judge } from '../../gate/gate.ts'
import { makeRedactor } from '../../journal/redact.ts'
import { LOCAL } from '../../protocol/principal.ts'
import { Registry } from '../registry.ts'
import type { ToolOutput, World } from '../tool.ts'
import { feishuBotTool } from './feishu-bot.ts'

const SECRET = 'canary-signing-secret'
const TOKEN = 'abcdef01-2345-6789-abcd-ef0123456789'
const PATH = `/open-apis/bot/v2/hook/${TOKEN}`
const NOW = 1_763_200_000_123

/** Imitates Feishu: signature checks, its unusual replies, and its limits. */
const received: Record<string, unknown>[] = []
let answer: (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => void
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  received.push(body)
  answer(request, response, body)
})
const reply = (response: ServerResponse, value: unknown, status = 200, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

const checking: typeof answer = (request, response, body) => {
  const age = Math.abs(NOW / 1000 - Number(body.timestamp))
  const key = `${body.timestamp}\n${SECRET}`
  const due = createHmac('sha256', key).update('').digest()
  const given = Buffer.from(String(body.sign ?? ''), 'base64')
  const fits = given.length === due.length && timingSafeEqual(given, due) && age < 3600
  if (request.method !== 'POST' || request.url !== PATH) reply(response, { code: 19001, msg: 'param invalid' })
  else if (!fits) reply(response, { code: 19021, msg: 'sign match fail or timestamp is not within one hour' })
  else reply(response, { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' })
}

let host = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received.length = 0
  answer = checking
})

const tool = feishuBotTool({ clock: { now: () => NOW } })
const worldWith = (env: World['env'] = {}, allowedHosts = [host]): World => ({
  workspace: '/',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts,
  env: { FEISHU_WEBHOOK: `http://${host}${PATH}`, FEISHU_SECRET: SECRET, ...env },
  sandbox: 'off',
})
const TEXT = { msg_type: 'text', text: '构建通过 ✅' }
const send = (args: unknown = TEXT, world = worldWith(), signal?: AbortSignal): Promise<ToolOutput> =>
  tool.execute(args, callIn(world, signal === undefined ? {} : { signal }))
const facts = (args: unknown, env?: World['env']) =>
  tool.preValidate?.(args, worldWith(env), { sessionId: 's', owner: LOCAL })

test('S3-163: it is listed with a strict schema: Medium, external, not idempotent', () => {
  expect(() => new Ajv2020({ strict: true }).compile(tool.schema)).not.toThrow()
  expect(tool).toMatchObject({
    name: 'feishu_bot',
    family: 'network',
    risk: 'Medium',
    trust: 'external',
    readOnly: false,
    idempotent: false,
  })
})

describe('a message', () => {
  test('with text arrives, signed', async () => {
    expect(await send()).toEqual({ ok: true, text: '{"sent":true}' })
    expect(received).toEqual([
      {
        timestamp: String(Math.floor(NOW / 1000)),
        sign: expect.any(String),
        msg_type: 'text',
        content: { text: '构建通过 ✅' },
      },
    ])
  })

  test('with lines arrives as a post', async () => {
    const post = {
      title: '日报',
      content: [
        [
          { tag: 'text', text: '见 ' },
          { tag: 'a', text: '链接', href: 'https://x.test' },
        ],
      ],
    }
    expect(await send({ msg_type: 'post', post })).toMatchObject({ ok: true })
    expect(received[0]).toMatchObject({ msg_type: 'post', content: { post: { zh_cn: post } } })
  })

  test('with a card arrives unchanged', async () => {
    const card = { header: { title: { tag: 'plain_text', content: 'Deploy?' } }, elements: [{ tag: 'hr' }] }
    expect(await send({ msg_type: 'interactive', card })).toMatchObject({ ok: true })
    expect(received[0]).toMatchObject({ msg_type: 'interactive', card })
  })

  test('for a bot without a secret is not signed; for a bot with its own secret it is signed with that', async () => {
    answer = (_request, response) => reply(response, { code: 0 })
    await send(TEXT, worldWith({ FEISHU_SECRET: undefined }))
    expect(Object.keys(received[0] ?? {})).toEqual(['msg_type', 'content'])
    answer = checking
    const env = { FEISHU_SECRET: 'other', FEISHU_OPS_SECRET: SECRET }
    expect(await send({ ...TEXT, secret_variable: 'FEISHU_OPS_SECRET' }, worldWith(env))).toMatchObject({ ok: true })
    await expect(send({ ...TEXT, secret_variable: 'FEISHU_NO_SECRET' })).rejects.toMatchObject({ code: 'FEISHU_UNSET' })
  })

  test('goes to the bot named in the arguments instead of the configured one', async () => {
    const env = { FEISHU_WEBHOOK: `http://${host}/open-apis/bot/v2/hook/${'0'.repeat(36)}` }
    expect(await send({ ...TEXT, webhook: `http://${host}${PATH}` }, worldWith(env))).toMatchObject({ ok: true })
  })

  test('longer than Feishu’s limit is not sent', async () => {
    expect(await send({ msg_type: 'text', text: '长'.repeat(7000) })).toMatchObject({
      ok: false,
      code: 'MESSAGE_TOO_LONG',
    })
    expect(received).toEqual([])
  })
})

describe('a message counts as sent only when Feishu says so', () => {
  test('a wrong signature is refused with HTTP 200, which is a failure', async () => {
    expect(await send(TEXT, worldWith({ FEISHU_SECRET: 'wrong' }))).toEqual({
      ok: false,
      code: 'FEISHU_REFUSED',
      error: expect.stringMatching(/19021 sign match fail/),
      notDone: true,
    })
    expect(await send(TEXT, worldWith({ FEISHU_SECRET: '' }))).toMatchObject({ code: 'FEISHU_REFUSED' })
  })

  test('and so is an expired signature', async () => {
    const late = feishuBotTool({ clock: { now: () => NOW - 2 * 3_600_000 } })
    expect(await late.execute(TEXT, callIn(worldWith()))).toMatchObject({ code: 'FEISHU_REFUSED' })
  })

  test.each([
    [{ code: 9499, msg: 'Bad Request' }, 200, 'FEISHU_REFUSED', '9499 Bad Request'],
    [{ StatusCode: 1, StatusMessage: 'old style' }, 200, 'FEISHU_REFUSED', '1 old style'],
    [{ code: 19024, msg: 'Key Words Not Found' }, 400, 'FEISHU_REFUSED', '19024 Key Words Not Found'],
    [{ code: 19001, msg: 'broke' }, 500, 'FEISHU_FAILED', 'HTTP 500: 19001 broke'],
    [{ msg: 'no code' }, 200, 'FEISHU_UNCLEAR', 'may not have been sent'],
    ['just text', 200, 'FEISHU_UNCLEAR', ''],
    [[0], 200, 'FEISHU_UNCLEAR', ''],
    [{ code: 0 }, 500, 'FEISHU_FAILED', 'HTTP 500'],
    [{ code: 0 }, 302, 'FEISHU_FAILED', 'HTTP 302'],
  ])('%j with HTTP %i is %s', async (value, status, code, said) => {
    answer = (_request, response) => reply(response, value, status, { location: `http://${host}/elsewhere` })
    const output = await send()
    expect(output).toMatchObject({ ok: false, code, error: expect.stringContaining(said) })
    expect(received).toHaveLength(1)
  })

  test.each([
    [200, { code: 11232, msg: 'frequency limited' }, 'too many messages: 11232 frequency limited'],
    [400, { code: 99991400, msg: 'request trigger frequency limit' }, 'HTTP 400: too many messages: 99991400'],
    [429, { code: 11232, msg: 'slow down' }, 'HTTP 429: too many messages'],
  ])('S3-163: HTTP %i with %j was certainly not sent, and is retried', async (status, value, why) => {
    let refusals = 1
    answer = (_request, response) => (refusals-- > 0 ? reply(response, value, status) : reply(response, { code: 0 }))
    expect(await send()).toMatchObject({ ok: true })
    expect(received).toHaveLength(2)
    answer = (_request, response) => reply(response, value, status, { 'retry-after': '60' })
    const error = expect.stringContaining(why.replace('messages', 'messages; try again in 60 s'))
    expect(await send()).toMatchObject({ ok: false, code: 'FEISHU_BUSY', error, notDone: true })
    expect(received).toHaveLength(3)
  })

  test('a broken connection, an endless response and a closed port are failures', async () => {
    answer = (_request, response) => response.destroy()
    const broken = await send()
    expect(broken).toMatchObject({ ok: false, error: expect.stringContaining('could not be reached') })
    expect(broken).not.toHaveProperty('notDone')
    answer = (_request, response) => response.writeHead(200).end('x'.repeat(5_000_000))
    expect(await send()).toMatchObject({ ok: false, code: 'FEISHU_UNCLEAR' })
    const closed = worldWith({ FEISHU_WEBHOOK: `http://127.0.0.1:1${PATH}` }, ['127.0.0.1:1'])
    expect(await send(TEXT, closed)).toMatchObject({ ok: false, notDone: true })
  })

  test('a silent server is abandoned when the run ends', async () => {
    const abort = new AbortController()
    answer = () => abort.abort(new Error('over'))
    await expect(send(TEXT, worldWith(), abort.signal)).rejects.toThrow('over')
  })
})

describe('allowed hosts', () => {
  const decide = async (webhook: string, security: Parameters<typeof policyWith>[0] = {}) => {
    const given = await facts({ ...TEXT, webhook })
    const policy = policyWith({
      ...security,
      security: { toolHosts: { feishu_bot: ['open.feishu.cn', 'open.larksuite.com'] }, ...security.security },
    })
    return judge(toolInput({ tool: 'feishu_bot', facts: { ...given, family: 'network', risk: 'Low' }, policy }))
  }

  test('Feishu’s own hosts are open, others are not', async () => {
    expect(await decide(`https://open.feishu.cn${PATH}`)).toEqual({ decision: 'allow' })
    expect(await decide(`https://open.larksuite.com${PATH}`)).toEqual({ decision: 'allow' })
    for (const origin of [
      'https://evil.test',
      'https://open.feishu.cn.evil.test',
      'https://xopen.feishu.cn',
      'https://open.feishu.cn:8443',
    ]) {
      expect(await decide(origin + PATH), origin).toMatchObject({
        decision: 'deny',
        denial: { reason: 'PRE_VALIDATE_REJECTED', code: 'DOMAIN_NOT_ALLOWED' },
      })
    }
  })

  test('loopback must be in both lists', async () => {
    const own = { toolHosts: { feishu_bot: [host] } }
    expect(await decide(`http://${host}${PATH}`, { security: own })).toMatchObject({
      denial: { code: 'HOST_FORBIDDEN' },
    })
    expect(await decide(`http://${host}${PATH}`, { security: { ...own, allowedHosts: [host] } })).toEqual({
      decision: 'allow',
    })
    expect(await send(TEXT, worldWith({}, []))).toMatchObject({ ok: false, code: 'HOST_FORBIDDEN' })
    expect(received).toEqual([])
  })

  test('a node’s lists for http_request do not apply to it', async () => {
    const security = { allowedDomains: ['api.test'], allowedMethods: ['GET'] }
    expect(await decide(`https://open.feishu.cn${PATH}`, { security })).toEqual({ decision: 'allow' })
  })

  test.each([
    [`http://open.feishu.cn${PATH}`],
    ['https://open.feishu.cn/other'],
    ['https://open.feishu.cn/open-apis/bot/v2/hook/short'],
    [`https://open.feishu.cn${PATH}/../../x`],
    [`https://open.feishu.cn${PATH}?next=1`],
    [`https://user:canary@open.feishu.cn${PATH}`],
    ['nonsense canary'],
    ['ftp://open.feishu.cn/'],
    [''],
  ])('%s is not a webhook, and is not shown in the error', async (webhook) => {
    let said = ''
    try {
      await facts({ ...TEXT, webhook })
    } catch (error) {
      said = String(error)
    }
    expect(said).toMatch(/webhook|FEISHU_WEBHOOK/)
    expect(said).not.toMatch(/canary|hook\/a/)
    await expect(send({ ...TEXT, webhook })).rejects.toThrow()
    expect(received).toEqual([])
  })

  test('fails when nothing is configured', async () => {
    await expect(send(TEXT, worldWith({ FEISHU_WEBHOOK: undefined }))).rejects.toMatchObject({
      code: 'FEISHU_UNSET',
      hint: expect.stringContaining('FEISHU_SECRET'),
    })
  })
})

describe('before it acts', () => {
  test('the preview shows the message and the host, never the token', async () => {
    const given = await facts(TEXT)
    expect(given).toMatchObject({ deed: 'send', hosts: [{ host: '127.0.0.1', method: 'POST' }] })
    expect(given?.preview).toContain('构建通过 ✅')
    expect(given).not.toHaveProperty('targets')
    expect(JSON.stringify([given, await facts({ ...TEXT, webhook: `https://open.feishu.cn${PATH}` })])).not.toContain(
      TOKEN,
    )
  })

  test('two bots on one host are different: an approval for one does not cover the other', async () => {
    const ops = `https://open.feishu.cn${PATH}`
    const all = `https://open.feishu.cn/open-apis/bot/v2/hook/${'0'.repeat(36)}`
    const [first, second] = [await facts({ ...TEXT, webhook: ops }), await facts({ ...TEXT, webhook: all })]
    expect(first?.targets).toEqual([{ kind: 'url', value: expect.stringMatching(/^https:.*\/hook\/[0-9a-f]{12}$/) }])
    expect(second?.targets).not.toEqual(first?.targets)
    // The journal distinguishes them too, and contains neither token.
    expect(makeRedactor([TOKEN])(first)).toEqual(first)
    const asked = (given: typeof first) => {
      const policy = policyWith({ security: { toolHosts: { feishu_bot: ['open.feishu.cn'] } } })
      const state = { approvals: first?.approvalKeys ?? [] }
      const own = { family: 'network' as const, risk: 'Medium' as const, readOnly: false, ...given }
      return judge(toolInput({ tool: 'feishu_bot', policy, facts: own, state })).decision
    }
    expect([asked(first), asked(second)]).toEqual(['allow', 'ask'])
  })

  test('S3-103: in the journal and the trace, the token of a webhook in the arguments is masked', () => {
    const masked = JSON.stringify(makeRedactor([])({ ...TEXT, webhook: `https://open.feishu.cn${PATH}` }))
    expect(masked).toContain('/hook/[REDACTED:feishu-hook]')
    expect(masked).not.toContain(TOKEN)
  })

  test.each([
    [{ msg_type: 'text' }, 'text: text is required'],
    [{ msg_type: 'post' }, 'post: post is required'],
    [{ msg_type: 'interactive' }, 'interactive: card is required'],
    [{ msg_type: 'text', text: 'x', card: {} }, 'text does not take card'],
    [{ msg_type: 'interactive', card: {}, text: 'x' }, 'interactive does not take text'],
  ])('%j is refused: %s', (args, problem) => {
    expect(() => facts(args)).toThrow(problem)
  })

  test.each([
    [{}, 'msg_type'],
    [{ msg_type: 'image' }, 'msg_type'],
    [{ msg_type: 'text', text: '' }, 'text'],
    [{ msg_type: 'text', text: 'x', secret: 'y' }, 'secret'],
    [{ msg_type: 'text', text: 'x', secret_variable: 'OPENAI_API_KEY' }, 'secret_variable'],
    [{ msg_type: 'post', post: { content: [[{ tag: 'script' }]] } }, 'tag'],
    [{ msg_type: 'post', post: { content: [] } }, 'content'],
  ])('the schema refuses %j', (args, field) => {
    expect(new Registry([tool]).misfits(tool, args).join()).toContain(field)
  })
})
