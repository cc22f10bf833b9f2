/** Pictures and PDFs given on the command line, in the chat, over HTTP and by OpenAI clients. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/base/hash.ts'
import { scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { makePdf } from '../support/pdf.ts'
import { makePng } from '../support/pictures.ts'
import { makeServerPlace, speaking, type TestPlace } from '../support/server.ts'
import { type StubModel, startStubModel } from '../support/stub-model.ts'

const png = makePng({ width: 40, height: 30 })
const report = makePdf([['Revenue was 12 million.']])
const QUIET = {
  execution: { intentGuard: { enabled: false } },
  routing: { enabled: false },
  memory: { enabled: false },
}

describe('the command line', () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
    place.file('agent.config.json', { agent: QUIET })
    place.script('script.json', [{ purpose: 'main', text: 'a red square', times: 9 }])
    put('shot.png', png)
    put('report.pdf', report)
  })
  afterEach(() => place.remove())

  const put = (name: string, bytes: Uint8Array) => writeFileSync(join(place.workspace, name), bytes)
  const stored = () =>
    existsSync(join(place.data, 'results'))
      ? readdirSync(join(place.data, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) =>
          /[0-9a-f]{64}$/.test(name),
        )
      : []

  test('X-MEDIA-10: --attach gives files with the task; a script records hash and type, not the bytes', async () => {
    const flags = ['--attach', 'shot.png', '--attach', 'report.pdf', '--script', 'script.json', '--record', 'r.jsonl']
    const { code, stdout } = await place.writ(['run', 'What is this?', ...flags])
    expect([code, stdout]).toEqual([0, expect.stringContaining('a red square')])
    const [request] = place
      .read('r.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const message = request.messages.at(-1)
    expect(message.media).toEqual([
      expect.objectContaining({ type: 'image/png', sha256: sha256(png), name: 'shot.png' }),
    ])
    expect(message.content).toContain('Revenue was 12 million.')
    expect(place.read('r.jsonl')).not.toContain(png.toString('base64').slice(0, 40))
  })

  test('X-MEDIA-7: pruning deletes the files with their run, backup and export say what they do not contain', async () => {
    const flags = ['--attach', 'shot.png', '--script', 'script.json', '--json']
    const [first] = (await place.writ(['run', 'What is this?', ...flags])).json()
    expect(stored()).toHaveLength(1)
    const backup = await place.writ(['backup', 'copy.db'])
    expect(backup.stderr).toContain(join(place.data, 'results'))
    const exported = await place.writ(['export'])
    expect(exported.stderr).toContain('Not exported: pictures and PDFs (1)')
    await place.writ(['prune', '--session', String(first?.sessionId)])
    expect(stored()).toEqual([])
  })

  test.each([
    ['a missing file', 'nowhere.png', 'cannot attach nowhere.png'],
    ['a folder', '.', 'not a regular file'],
    ['a text', 'agent.config.json', 'neither a picture'],
    ['a named pipe', 'pipe', 'not a regular file'],
  ])('X-MEDIA-10: %s cannot be attached', async (_name, file, expected) => {
    execFileSync('mkfifo', [join(place.workspace, 'pipe')])
    const { code, stderr } = await place.writ(['run', 'Look.', '--attach', file, '--script', 'script.json'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)])
    expect(stored()).toEqual([])
  })

  test('X-MEDIA-10: a link and a file outside the workspace can be attached: it is the user who names them', async () => {
    writeFileSync(join(place.root, 'outside.png'), png)
    symlinkSync(join(place.root, 'outside.png'), join(place.workspace, 'link.png'))
    const { code } = await place.writ(['run', 'Look.', '--attach', 'link.png', '--script', 'script.json'])
    expect(code).toBe(0)
  })

  test('X-MEDIA-3: in Chinese too, a model that cannot read pictures is named', async () => {
    const { code, stderr } = await place.writ([
      'run',
      '这是什么？',
      '--attach',
      'shot.png',
      '--model',
      'rules',
      '--lang',
      'zh',
    ])
    expect([code, stderr]).toEqual([2, expect.stringContaining('rules 不能读取图片：shot.png')])
  })

  test('X-MEDIA-10: /attach adds files to the next message of a chat only', async () => {
    const stdin = '/attach shot.png\n/attach\nWhat is this?\nAnd now?\n'
    const flags = ['--script', 'script.json', '--record', 'r.jsonl']
    const { code, stdout } = await place.writ(['chat', ...flags], { stdin })
    expect(code).toBe(0)
    expect(stdout).toContain('With the next message: shot.png')
    const [, second] = place
      .read('r.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const users = second.messages.filter(({ role }: { role: string }) => role === 'user')
    expect(users.map(({ media }: { media?: unknown[] }) => media?.length ?? 0)).toEqual([1, 0])
  })

  test('X-MEDIA-7: after kill -9 a resumed run sends the same prompt, the picture included', async () => {
    let stub: StubModel | undefined
    const arrived = Promise.withResolvers<void>()
    try {
      stub = await startStubModel({
        reply(_request, n) {
          if (n === 0) arrived.resolve()
          return n === 0 ? { fault: 'silent' } : { text: 'red' }
        },
      })
      const model = ['--model', 'compatible/qwen2.5-vl', '--base-url', `${stub.url}/v1`]
      const running = place.start(['run', 'What is this?', '--attach', 'shot.png', ...model])
      await arrived.promise
      running.child.kill('SIGKILL')
      await running.ended
      const { code } = await place.writ(['resume', '--last', ...model])
      expect(code).toBe(0)
      const [first, second] = stub.requests.map(({ body }) => body.messages)
      expect(JSON.stringify(first)).toContain(png.toString('base64'))
      expect(second).toEqual(first)
    } finally {
      await stub?.close()
    }
  })
})

describe('the server', () => {
  let place: TestPlace
  beforeEach(() => {
    place = makeServerPlace()
  })
  afterEach(() => place.remove())

  const file = { name: 'shot.png', data: png.toString('base64') }
  const sees = () => scriptedModel([{ purpose: 'main', text: 'a red square', times: 9 }])
  const start = (model = sees()) => place.start({ model, config: { agent: QUIET } })

  test('X-MEDIA-11: a message takes files as bytes; they are listed, and read again only by those who may read the run', async () => {
    const server = await start()
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const body = { text: 'What is this?', attachments: [file] }
    const { runId, reply } = await server.api.call('POST /api/sessions/:id/messages', {
      params: { id: sessionId },
      body,
    })
    expect(reply).toBe('a red square')
    const { messages } = await server.api.call('GET /api/sessions/:id', { params: { id: sessionId } })
    expect(messages[0]?.attachments).toEqual([
      { name: 'shot.png', type: 'image/png', bytes: png.length, sha256: sha256(png) },
    ])
    const path = `/api/runs/${runId}/files/${sha256(png)}`
    const found = await server.request(path)
    expect(found.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await found.arrayBuffer()).equals(png)).toBe(true)
    expect((await server.request(path, { token: null })).status).toBe(401)
    expect((await server.request(`/api/runs/${runId}/files/${'0'.repeat(64)}`)).status).toBe(404)
    expect((await server.request(`/api/runs/${runId}/files/..%2f..%2fjournal.db`)).status).toBe(404)
  })

  test.each([
    ['a path', { name: 'x.png', path: '/etc/passwd' }, 400],
    ['no base64', { name: 'x.png', data: '…' }, 400],
    ['a text', { name: 'x.png', data: Buffer.from('hello').toString('base64') }, 415],
    ['a huge picture', { name: 'x.png', data: makePng({ width: 90_000, height: 9 }).toString('base64') }, 413],
  ])('X-MEDIA-11: %s is refused', async (_name, one, status) => {
    const server = await start()
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const response = await server.request(`/api/sessions/${sessionId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Look.', attachments: [one] }),
    })
    expect(response.status).toBe(status)
  })

  test('X-MEDIA-11: a model that cannot read pictures answers 422 with its name', async () => {
    const server = await start(speaking([['never']]))
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const sent = server.api.call('POST /api/sessions/:id/messages', {
      params: { id: sessionId },
      body: { text: 'Look.', attachments: [file] },
    })
    await expect(sent).rejects.toMatchObject({ status: 422, code: 'MEDIA_UNSUPPORTED', message: /test\/spoken cannot/ })
  })

  test('X-MEDIA-11: a body without a length, and other endpoints, keep the small limit', async () => {
    const server = await start()
    const large = JSON.stringify({ text: 'x'.repeat(2_000_000) })
    const headers = { 'content-type': 'application/json' }
    const other = await server.request('/api/workflows/check', { method: 'POST', headers, body: large })
    expect(other.status).toBe(413)
    const body = new Blob([large]).stream()
    const chunked = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await server.request('/api/sessions/x/messages', { ...chunked, token: null })).status).toBe(413)
  })

  test('X-MEDIA-12: an OpenAI client sends pictures and PDFs, also in its history', async () => {
    const model = sees()
    const messages: unknown[] = []
    const server = await start({
      ...model,
      ask: (request, signal) => {
        messages.push(request.messages)
        return model.ask(request, signal)
      },
    })
    const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.token, maxRetries: 0 })
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${file.data}` } }
    const pdf = `data:application/pdf;base64,${report.toString('base64')}`
    const { choices } = await openai.chat.completions.create({
      model: 'writ',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
        { role: 'assistant', content: 'a red square' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'file', file: { filename: 'report.pdf', file_data: pdf } },
          ],
        },
      ],
    })
    expect(choices[0]?.message.content).toContain('a red square')
    expect(messages).toEqual([
      [
        expect.objectContaining({ role: 'user', media: [expect.objectContaining({ sha256: sha256(png) })] }),
        expect.objectContaining({ role: 'assistant' }),
        expect.objectContaining({ own: 'And this?', content: expect.stringContaining('Revenue was 12 million.') }),
      ],
    ])
  })

  test('X-MEDIA-12: the server fetches nothing: an address is refused with the reason', async () => {
    const server = await start()
    const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.token, maxRetries: 0 })
    const image = { type: 'image_url' as const, image_url: { url: `${server.url}/logo.png` } }
    const content = [{ type: 'text' as const, text: 'What is this?' }, image]
    const sent = openai.chat.completions.create({ model: 'writ', messages: [{ role: 'user', content }] })
    await expect(sent).rejects.toMatchObject({ status: 400, code: 'ATTACHMENT_INVALID', message: /fetches nothing/ })
    expect(readFileSync(join(place.data, 'journal.db')).includes('What is this?')).toBe(false)
  })
})
