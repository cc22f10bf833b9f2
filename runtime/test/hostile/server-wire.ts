/** Requests that try to exhaust or confuse the server, or to inject into its output. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Completion, Model } from '../../src/model/model.ts'
import { startServer } from '../../src/server/listen.ts'
import { makeServerPlace } from '../support/server.ts'
import type { Area } from './attack.ts'
import { all, answerOf, bodyOf, heard, served, statusOf, type Target } from './served.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const MEGABYTE = 1024 * 1024

/** Sends until the server closes the connection; resolves with the response. */
async function flooded(socket: Socket, head: string, piece: string): Promise<string> {
  const answer = heard(socket)
  socket.write(head)
  let open = true
  const over = answer.then(() => {
    open = false
  })
  while (open) if (!socket.write(piece)) await Promise.race([over, delay(5)])
  return answer
}

async function isThere({ server }: Target): Promise<string> {
  return (await server.request('/healthz')).status === 200 ? 'the server goes on' : 'the server is gone'
}

/** Every endpoint that takes JSON of any shape. */
const LOOSE: [method: string, path: string, body: (json: string) => string][] = [
  ['POST', '/api/config/check', (json) => `{"agent":${json}}`],
  ['PUT', '/api/config', (json) => `{"agent":${json}}`],
  ['POST', '/api/workflows/check', (json) => `{"document":${json}}`],
  ['PUT', '/api/workflows/w', (json) => `{"document":${json}}`],
  ['POST', '/api/workflows/w/run', (json) => `{"input":${json}}`],
  ['POST', '/api/what-if', (json) => `{"config":${json}}`],
  ['POST', '/api/decisions', (json) => `{"batch":${json},"context":${json},"route":"RuleBased"}`],
]
const ECHO = { name: 'w', nodes: [{ id: 'a', tool: 'json_transform', args: { input: 1, expression: '@' } }] }

async function posted({ server }: Target, json: string): Promise<number[]> {
  await server.api.call('PUT /api/workflows/:name', { params: { name: 'w' }, body: { document: ECHO } })
  const statuses: number[] = []
  for (const [method, path, body] of LOOSE) {
    const answer = server.request(path, { method, headers: JSON_BODY, body: body(json) })
    statuses.push((await bodyOf(answer)).status)
  }
  return statuses
}

/** Streams a megabyte of text, of which only one word remains at the end. */
const longWinded: Model = {
  id: 'test/long-winded',
  route: 'CloudLlm',
  reasoning: 'clear',
  async *ask(): AsyncGenerator<string, Completion> {
    for (let i = 0; i < 16; i++) {
      yield Buffer.alloc(MEGABYTE / 16, 'x').toString()
      await immediate()
    }
    return { text: 'so', calls: [], usage: { inputTokens: 1, outputTokens: 1 }, truncated: false }
  },
}

function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Data in transit is gone a moment later; buffered data is not. */
async function leastOf(measure: () => number): Promise<number> {
  let least = measure()
  for (let i = 0; i < 300 && least >= 16; i++) {
    await delay(100)
    least = Math.min(least, measure())
  }
  return least
}

/** The log output during these requests. */
async function logged(json: boolean, paths: readonly string[], task: string): Promise<string[]> {
  const place = makeServerPlace()
  const written: string[] = []
  const { workspace, data } = place
  const env = { HOME: workspace, PATH: process.env.PATH }
  const agent = { workspace, data, env, config: {}, lang: 'en' as const, model: 'rules' }
  const server = await startServer({ agent, port: 0, json, drainMs: 0, write: (line) => written.push(line) })
  try {
    const headers = { ...JSON_BODY, authorization: `Bearer ${server.firstToken}` }
    for (const path of paths) await fetch(`${server.url}${path}`, { headers })
    const body = JSON.stringify({ messages: [{ role: 'user', content: task }] })
    await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
    await fetch(`${server.url}/api/info`, { headers: { authorization: 'Bearer writ_x' } })
  } finally {
    await server.stop()
    await place.remove()
  }
  return written
}

export const wire: Area = {
  title: 'Requests that exhaust or confuse the server',
  attacks: [
    served({
      id: 'body-announced',
      attack: 'a body of 10 GB, announced',
      expected: '413, closed, the server goes on',
      async happens(target) {
        const socket = await target.dial()
        const head = target.head(
          'POST /api/policy/explain',
          'Content-Type: application/json',
          'Content-Length: 10000000000',
        )
        const answer = await flooded(socket, head, 'x'.repeat(65_536))
        return `${statusOf(answer)}, closed, ${await isThere(target)}`
      },
    }),
    served({
      id: 'body-endless',
      attack: 'a body in chunks that never ends, with a token and without',
      expected: 'all 413, closed, the server goes on',
      async happens(target) {
        const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
        const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
        const known = target.head('POST /api/policy/explain', ...lines)
        const unknown = known.replace(/Authorization: .*\r\n/, '')
        const answers = [
          await flooded(await target.dial(), known, chunk),
          await flooded(await target.dial(), unknown, chunk),
        ]
        return `${all(answers.map(statusOf))}, closed, ${await isThere(target)}`
      },
    }),
    served({
      id: 'body-deep',
      attack: 'JSON nested 200,000 levels deep, at every endpoint that takes JSON of any shape',
      expected: 'all 400, no fault in the log',
      async happens(target) {
        const statuses = await posted(target, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
        const faults = target.server.log.filter(({ level }) => level === 'error')
        const told = faults.length === 0 ? 'no fault in the log' : JSON.stringify(faults[0])
        return `${all(statuses.map(String))}, ${told}`
      },
    }),
    served({
      id: 'slow-headers',
      attack: 'headers that never end (slow loris)',
      expected: 'closed, the server goes on',
      own: { arrivalMs: 300 },
      async happens(target) {
        const socket = await target.dial()
        socket.write('GET /api/info HTTP/1.1\r\nHost: 127.0.0.1\r\n')
        const drip = setInterval(() => socket.write('X-A: b\r\n'), 50)
        const answer = await heard(socket).finally(() => clearInterval(drip))
        return `${statusOf(answer) === '408' ? 'closed' : statusOf(answer)}, ${await isThere(target)}`
      },
    }),
    served({
      id: 'slow-body',
      attack: 'a body that comes a byte at a time',
      expected: 'closed, the server goes on',
      own: { arrivalMs: 300 },
      async happens(target) {
        const socket = await target.dial()
        socket.write(target.head('POST /api/policy/explain', 'Content-Type: application/json', 'Content-Length: 1000'))
        const drip = setInterval(() => socket.write('{'), 50)
        const answer = await heard(socket).finally(() => clearInterval(drip))
        return `${statusOf(answer) === '200' ? answer : 'closed'}, ${await isThere(target)}`
      },
    }),
    served({
      id: 'header-flood',
      attack: 'headers of 20 KB, and 3,000 headers',
      expected: 'all 431, the server goes on',
      async happens(target) {
        const large = await target.say(target.head('GET /api/info', `X-A: ${'b'.repeat(20_000)}`))
        const many = await target.say(
          target.head('GET /api/info', ...Array.from({ length: 3000 }, (_, i) => `X-${i}: b`)),
        )
        return `${all([statusOf(large), statusOf(many)])}, ${await isThere(target)}`
      },
    }),
    served({
      id: 'smuggled',
      attack: 'request smuggling with two lengths, two encodings, or a bare line feed',
      expected: 'all 400',
      async happens(target) {
        const hidden = 'GET /api/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
        const sent = (...lines: string[]) =>
          target.say(`${target.head('POST /api/sessions', ...lines)}0\r\n\r\n${hidden}`)
        return all(
          [
            await sent('Content-Length: 5', 'Transfer-Encoding: chunked'),
            await sent('Content-Length: 5', 'Content-Length: 6'),
            await sent('Transfer-Encoding: xchunked'),
            await sent('Transfer-Encoding: chunked, identity'),
            await sent('X-A: b\nTransfer-Encoding: chunked'),
          ].map(statusOf),
        )
      },
    }),
    served({
      id: 'sse-too-many',
      attack: 'one token opens a hundred and fifty streams of events',
      expected: '50 open, the others refused TOO_MANY_STREAMS; once they are closed, another opens',
      async happens(target) {
        const { sessionId: id } = await target.server.api.call('POST /api/sessions', {})
        const close = new AbortController()
        const open = (signal: AbortSignal) =>
          target.server.request(`/api/sessions/${id}/events`, { headers: { accept: 'text/event-stream' }, signal })
        const answers = await Promise.all(Array.from({ length: 150 }, () => open(close.signal)))
        const opened = answers.filter(({ status }) => status === 200).length
        const refusals = answers.filter(({ status }) => status === 429)
        const codes = new Set(
          await Promise.all(refusals.map(async (each) => (await each.text()).match(/[A-Z_]{8,}/)?.[0])),
        )
        close.abort()
        const last = new AbortController()
        let again = await open(last.signal)
        while (again.status !== 200) {
          await delay(20)
          again = await open(last.signal)
        }
        last.abort()
        return `${opened} open, the others refused ${[...codes].join()}; once they are closed, another opens`
      },
    }),
    served({
      id: 'sse-never-read',
      attack: 'a stream client that never reads, while 32 MB are sent',
      expected: 'the runs end, less than 16 MB are kept for the reader',
      own: { model: longWinded },
      async happens(target) {
        const { sessionId: id } = await target.server.api.call('POST /api/sessions', {})
        const say = () =>
          target.server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'tell' } })
        await say()
        const socket = await target.dial()
        socket.pause()
        socket.write(target.head(`GET /api/sessions/${id}/events`, 'Accept: text/event-stream'))
        await say()
        const before = memoryInUse()
        for (let i = 0; i < 32; i++) await say()
        const kept = await leastOf(() => (memoryInUse() - before) / MEGABYTE)
        return `the runs end, ${kept < 16 ? 'less than 16 MB' : `${Math.round(kept)} MB`} are kept for the reader`
      },
    }),
    served({
      id: 'static-traversal',
      attack: 'a path out of the console’s folder, plain and in every encoding',
      expected: 'nothing read',
      async happens({ server, place, head }) {
        await server.stop()
        const consoleFolder = join(place.workspace, 'console')
        mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
        writeFileSync(join(consoleFolder, 'index.html'), '<p>console</p>')
        writeFileSync(join(place.workspace, 'secret.txt'), 'XMARKX')
        writeFileSync(`${consoleFolder}-secret.txt`, 'XMARKX')
        const again = await place.start({ consoleFolder, token: server.token })
        const paths = [
          '/../secret.txt',
          '/assets/../../secret.txt',
          '/..%2fsecret.txt',
          '/%2e%2e/secret.txt',
          '/%2e%2e%2fsecret.txt',
          '/%252e%252e%252fsecret.txt',
          '/..%5csecret.txt',
          '/..\\secret.txt',
          '/....//secret.txt',
          '/..;/secret.txt',
          '/%c0%ae%c0%ae/secret.txt',
          '/../console-secret.txt',
          '/..%2fconsole-secret.txt',
          `//${place.workspace}/secret.txt`,
          `/${encodeURIComponent(join(place.workspace, 'secret.txt'))}`,
          '/index.html%00.txt',
          '/%',
        ]
        const { port } = new URL(again.url)
        const read: string[] = []
        for (const path of paths) {
          const socket = connect(Number(port), '127.0.0.1')
          socket.write(head(`GET ${path}`, 'Connection: close').replace(/Host: .*\r\n/, `Host: 127.0.0.1:${port}\r\n`))
          if ((await heard(socket)).includes('XMARKX')) read.push(path)
        }
        return read.length === 0 ? 'nothing read' : `read ${read.join(' ')}`
      },
    }),
    served({
      id: 'crlf-header',
      attack: 'line breaks in values that response headers may repeat',
      expected: 'no header of the attacker’s',
      async happens(target) {
        const crlf = '%0d%0aX-Owned:%201%0d%0a'
        const close = 'Connection: close'
        const answers = [
          await target.say(target.head(`GET /api/runs/${crlf}/export`, close)),
          await target.say(target.head(`GET /${crlf}`, close)),
          await target.say(target.head('GET /api/info', `X-Writ-Session: a${decodeURIComponent(crlf)}`, close)),
          await target.say(
            target.head('POST /v1/chat/completions', 'X-Writ-Session: a\rX-Owned: 1', 'Content-Length: 0', close),
          ),
        ]
        const owned = answers.filter((answer) => /^x-owned:/im.test(answer.split('\r\n\r\n')[0] ?? ''))
        return owned.length === 0 ? 'no header of the attacker’s' : (owned[0] ?? '')
      },
    }),
    {
      id: 'log-forged',
      attack: 'line breaks and a forged line in a task, a path and a header, in both forms of the log',
      expected: 'every line is the server’s own',
      async happens() {
        const forged = '{"time":"x","level":"info","what":"forged"}'
        const hidden = `hello\n${forged}\r\n2026-01-01T00:00:00.000Z info  forged`
        const paths = [`/api/runs/${encodeURIComponent(hidden)}`, `/${encodeURIComponent(hidden)}`, '/a%0ab\u2028c']
        const json = await logged(true, paths, hidden)
        const words = await logged(false, paths, hidden)
        const odd = [
          ...[...json, ...words].filter(
            (line) => line.indexOf('\n') !== line.length - 1 || /[\r\u0085\u2028]/.test(line),
          ),
          ...json.filter((line) => JSON.parse(line).what === 'forged'),
          ...words.filter((line) => line.split(/ +/)[2] === 'forged'),
        ]
        return odd.length === 0 ? 'every line is the server’s own' : JSON.stringify(odd[0])
      },
    },
    served({
      id: 'proto-keys',
      attack: '`__proto__` and `constructor` as keys of JSON, at every endpoint that takes JSON of any shape',
      expected: 'no object changed, the settings as before',
      async happens(target) {
        const { api } = target.server
        const before = JSON.stringify((await api.call('GET /api/config', {})).config)
        const bad = '{"security":{"autonomy":"Full","owned":1},"owned":1}'
        const json = `{"__proto__":${bad},"constructor":{"prototype":${bad}},"security":{"__proto__":${bad}}}`
        await posted(target, json)
        const messages = [{ role: 'user', content: 'hi', ...JSON.parse(json) }]
        const body = JSON.stringify({ messages }).replace('{', `{"__proto__":${bad},`)
        await answerOf(target.server.request('/v1/chat/completions', { method: 'POST', headers: JSON_BODY, body }))
        const changed = 'owned' in {} || 'security' in {}
        const after = JSON.stringify((await api.call('GET /api/config', {})).config)
        return `${changed ? 'every object' : 'no object'} changed, the settings ${after === before ? 'as before' : after}`
      },
    }),
    served({
      id: 'sql-words',
      attack: 'SQL in ids, queries, cursors and texts',
      expected: 'read as words, the journal whole',
      async happens({ server }) {
        const sql = `x' OR '1'='1'; DROP TABLE events; --`
        const { sessionId: id } = await server.api.call('POST /api/sessions', {})
        await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: sql } })
        const word = encodeURIComponent(sql)
        const outcomes = [
          await answerOf(server.request(`/api/sessions/${word}`)),
          await answerOf(server.request(`/api/runs/${word}`)),
          await answerOf(server.request(`/api/runs?session=${word}`)),
          await answerOf(server.request(`/api/sessions/${id}/approvals/${word}`, { method: 'DELETE' })),
        ]
        const odd = outcomes.filter((outcome) => !outcome.startsWith('404'))
        const found = (await server.api.call('GET /api/runs', { query: { q: sql.toLowerCase() } })).runs.length
        const { messages } = await server.api.call('GET /api/sessions/:id', { params: { id } })
        if (odd.length > 0 || found > 1) return `${odd.join()} ${found}`
        return `read as words, the journal ${messages[0]?.text === sql ? 'whole' : 'broken'}`
      },
    }),
    served({
      id: 'error-told',
      attack:
        'faults provoked in the server: a broken file, a folder in place of a file, a table that is gone, ids that fit nothing',
      expected: 'no stack, no path of the data folder',
      async happens({ server, place }) {
        const folder = join(place.data, 'workflows')
        await server.api.call('PUT /api/workflows/:name', { params: { name: 'w' }, body: { document: ECHO } })
        writeFileSync(join(folder, 'broken.json'), '{"nodes":')
        mkdirSync(join(folder, 'folder.json'))
        mkdirSync(join(folder, 'w.json.new'))
        const put = { method: 'PUT', headers: JSON_BODY, body: JSON.stringify({ document: ECHO }) }
        const run = { method: 'POST', headers: JSON_BODY, body: '{}' }
        const ask = { method: 'POST', headers: JSON_BODY }
        const provoked = () => [
          server.request('/api/workflows'),
          server.request('/api/workflows/broken'),
          server.request('/api/workflows/broken/run', run),
          server.request('/api/workflows/folder'),
          server.request('/api/workflows/w', put),
          server.request('/api/workflows/none'),
          server.request('/api/what-if', { ...ask, body: '{"config":{"security":{"autonomy":"Wild"}}}' }),
          server.request('/api/decisions', { ...ask, body: '{"batch":{},"context":{},"route":"RuleBased"}' }),
          server.request('/api/sessions', { method: 'POST' }),
          server.request('/api/runs/%ff'),
        ]
        const journal = new DatabaseSync(join(place.data, 'journal.db'))
        journal.exec('drop table session_owners')
        journal.close()
        const texts = (await Promise.all(provoked().map(bodyOf))).map(({ text }) => text)
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
        const told = texts.filter((text) => text.includes(place.data) || /\bat .*[.:]\d+|\.ts\b|node:/.test(text))
        return told.length === 0 ? 'no stack, no path of the data folder' : (told[0] ?? '')
      },
    }),
  ],
}
