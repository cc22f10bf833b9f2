/** Requests without a token, with a stolen one, under a false server name, or from a malicious page. */
import { setTimeout as delay } from 'node:timers/promises'
import { contract } from '../../src/server/contract/contract.ts'
import { readUntil } from '../support/server.ts'
import type { Area } from './attack.ts'
import { all, answerOf, bodyOf, heard, outcomeOf, served, statusOf, type Target } from './served.ts'

const JSON_BODY = { 'content-type': 'application/json' }

/** Every endpoint that needs more than the scope `read`. */
const BEYOND_READ = Object.entries(contract).filter(([, { scope }]) => scope !== 'none' && scope !== 'read')

async function tried({ server }: Target, token: string): Promise<string[]> {
  const outcomes: string[] = []
  for (const [key] of BEYOND_READ) {
    const [method = '', path = ''] = key.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
    outcomes.push(
      await answerOf(server.request(path.replace(/:\w+/g, 'x'), { method, token, headers: JSON_BODY, ...body })),
    )
  }
  return outcomes
}

async function guessed({ server }: Target, times: number): Promise<string[]> {
  const answers: string[] = []
  for (let i = 0; i < times; i++) answers.push(await answerOf(server.request('/api/info', { token: `writ_guess${i}` })))
  return answers
}

async function named(target: Target, ...hosts: string[]): Promise<string> {
  const lines = [...hosts.map((host) => `Host: ${host}`), `Authorization: Bearer ${target.server.token}`]
  return statusOf(await target.say(['GET /api/info HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n')))
}

export const access: Area = {
  title: 'Access to the server',
  attacks: [
    served({
      id: 'token-none',
      attack: 'every endpoint but health, without a token',
      expected: 'all 401 NO_TOKEN',
      async happens({ server }) {
        const outcomes: string[] = []
        for (const [key, { scope }] of Object.entries(contract)) {
          const [method = '', path = ''] = key.split(' ')
          if (scope === 'none') continue
          outcomes.push(await answerOf(server.request(path.replace(/:\w+/g, 'x'), { method, token: null })))
        }
        return all(outcomes)
      },
    }),
    served({
      id: 'token-wrong',
      attack: 'a token that was never issued',
      expected: '401 BAD_TOKEN',
      happens: ({ server }) => answerOf(server.request('/api/info', { token: `writ_${'A'.repeat(43)}` })),
    }),
    served({
      id: 'token-changed',
      attack: 'the right token with one character changed, truncated, or doubled',
      expected: 'all 401 BAD_TOKEN',
      async happens({ server }) {
        const { token } = server
        const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.slice(-1)}`
        const tries = [flipped, token.slice(0, -1), `${token}${token}`, token.toUpperCase()]
        return all(await Promise.all(tries.map((each) => answerOf(server.request('/api/info', { token: each })))))
      },
    }),
    served({
      id: 'token-guessing',
      attack: 'many wrong tokens from one address, then the right one from another',
      expected: '429 TOO_MANY_FAILURES, elsewhere 200',
      async happens(target) {
        const [last] = (await guessed(target, 14)).slice(-1)
        const elsewhere = await target.dial('127.0.0.2')
        elsewhere.write(target.head('GET /api/info', 'Connection: close'))
        return `${last}, elsewhere ${statusOf(await heard(elsewhere))}`
      },
    }),
    served({
      id: 'token-guessing-header',
      attack: 'guesses that claim another address in X-Forwarded-For and Forwarded',
      expected: '429 TOO_MANY_FAILURES',
      async happens(target) {
        await guessed(target, 12)
        const headers = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7' }
        return answerOf(target.server.request('/api/info', { token: 'writ_again', headers }))
      },
    }),
    served({
      id: 'token-query',
      attack: 'the right token in the query string, in a cookie, or as a password',
      expected: 'all 401 NO_TOKEN, in no log',
      async happens({ server }) {
        const { token } = server
        const basic = `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`
        const outcomes = await Promise.all([
          answerOf(server.request(`/api/info?token=${token}&access_token=${token}`, { token: null })),
          answerOf(server.request('/api/info', { token: null, headers: { cookie: `token=${token}` } })),
          answerOf(server.request('/api/info', { token: null, headers: { authorization: basic } })),
        ])
        return `${all(outcomes)}, ${JSON.stringify(server.log).includes(token) ? 'in the log' : 'in no log'}`
      },
    }),
    served({
      id: 'scope-read',
      attack: 'a read token tries every endpoint that runs, approves or administers',
      expected: 'all 403 SCOPE_MISSING',
      happens: async (target) => all(await tried(target, await target.tokenFor('reader', 'read'))),
    }),
    served({
      id: 'scope-run',
      attack: 'a run token approves, sets the configuration and stores a workflow',
      expected: 'all 403 SCOPE_MISSING',
      async happens({ server, tokenFor }) {
        const api = server.as(await tokenFor('runner', 'run'))
        return all([
          await outcomeOf(
            api.call('POST /api/approvals/:runId', { params: { runId: 'x' }, body: { callId: 'c', answer: 'y' } }),
          ),
          await outcomeOf(api.call('PUT /api/config', { body: { agent: {} } })),
          await outcomeOf(api.call('PUT /api/workflows/:name', { params: { name: 'w' }, body: { document: {} } })),
        ])
      },
    }),
    served({
      id: 'scope-read-all',
      attack:
        'a token that may read everyone’s (read:all, with run and approve) speaks in, stops, resumes and answers another’s run',
      expected: 'all 403 NOT_YOURS',
      async happens({ server, tokenFor }) {
        const ada = server.as(await tokenFor('ada', 'run,approve'))
        const lead = server.as(await tokenFor('lead', 'run,approve,read:all'))
        const { sessionId: id } = await ada.call('POST /api/sessions', {})
        const body = { text: 'hello' }
        const { runId } = await ada.call('POST /api/sessions/:id/messages', { params: { id }, body })
        const run = { params: { id: runId } }
        const answer = { callId: 'c', answer: 'y' } as const
        return all([
          await outcomeOf(lead.call('POST /api/sessions/:id/messages', { params: { id }, body })),
          await outcomeOf(lead.call('POST /api/sessions/:id/abort', { params: { id } })),
          await outcomeOf(lead.call('POST /api/runs/:id/abort', run)),
          await outcomeOf(lead.call('POST /api/runs/:id/resume', run)),
          await outcomeOf(lead.call('POST /api/approvals/:runId', { params: { runId }, body: answer })),
          await outcomeOf(lead.call('DELETE /api/sessions/:id/approvals/:key', { params: { id, key: 'k' } })),
        ])
      },
    }),
    served({
      id: 'session-other',
      attack: 'a run token reads, watches, exports, continues and stops a session of another token',
      expected: 'all 403 NOT_YOURS',
      async happens({ server, tokenFor }) {
        const ada = server.as(await tokenFor('ada', 'run,approve'))
        const bob = server.as(await tokenFor('bob', 'run,approve'))
        const { sessionId: id } = await ada.call('POST /api/sessions', {})
        const body = { text: 'hello' }
        const { runId } = await ada.call('POST /api/sessions/:id/messages', { params: { id }, body })
        const run = { params: { id: runId } }
        return all([
          await outcomeOf(bob.call('GET /api/sessions/:id', { params: { id } })),
          await outcomeOf(bob.call('GET /api/sessions/:id/events', { params: { id } })),
          await outcomeOf(bob.stream('GET /api/sessions/:id/events', { params: { id } }).next()),
          await outcomeOf(bob.call('POST /api/sessions/:id/messages', { params: { id }, body })),
          await outcomeOf(bob.call('POST /api/sessions/:id/abort', { params: { id } })),
          await outcomeOf(bob.call('GET /api/runs', { query: { session: id } })),
          await outcomeOf(bob.call('GET /api/scouts', { query: { session: id } })),
          await outcomeOf(bob.call('GET /api/runs/:id', run)),
          await outcomeOf(bob.call('GET /api/runs/:id/events', run)),
          await outcomeOf(bob.call('GET /api/runs/:id/export', run)),
          await outcomeOf(bob.call('GET /api/runs/:id/trace', run)),
          await outcomeOf(bob.call('POST /api/runs/:id/resume', run)),
          await outcomeOf(bob.call('POST /api/what-if', { body: { config: {}, runId } })),
        ])
      },
    }),
    served({
      id: 'session-other-v1',
      attack: 'X-Writ-Session names a session of another token',
      expected: '403 NOT_YOURS',
      async happens({ server, tokenFor }) {
        const { sessionId } = await server.as(await tokenFor('ada', 'run')).call('POST /api/sessions', {})
        return answerOf(
          server.request('/v1/chat/completions', {
            method: 'POST',
            token: await tokenFor('bob', 'run'),
            headers: { ...JSON_BODY, 'x-writ-session': sessionId },
            body: JSON.stringify({ messages: [{ role: 'user', content: 'go on' }] }),
          }),
        )
      },
    }),
    served({
      id: 'token-revoked',
      attack: 'a revoked token that was accepted before',
      expected: '200, then 401 BAD_TOKEN',
      async happens({ server, tokenFor, revoke }) {
        const token = await tokenFor('guest', 'read')
        const before = await answerOf(server.request('/api/info', { token }))
        await revoke('guest')
        return `${before}, then ${await answerOf(server.request('/api/info', { token }))}`
      },
    }),
    served({
      id: 'token-revoked-stream',
      attack: 'a revoked token whose stream was opened before',
      expected: 'cut off before the next event',
      async happens({ server, tokenFor, revoke }) {
        const guest = server.as(await tokenFor('guest', 'run', 'ann'))
        const other = server.as(await tokenFor('guest-2', 'run', 'ann'))
        const { sessionId: id } = await guest.call('POST /api/sessions', {})
        const say = { params: { id }, body: { text: 'hello' } }
        const stream = guest.stream('GET /api/sessions/:id/events', { params: { id } })
        await guest.call('POST /api/sessions/:id/messages', say)
        await readUntil(stream, 'turn.committed')
        await revoke('guest')
        await delay(1100)
        await other.call('POST /api/sessions/:id/messages', say)
        const next = await stream.next()
        return next.done ? 'cut off before the next event' : `read ${next.value.event}`
      },
    }),
    served({
      id: 'dns-rebinding',
      attack: 'a name of the attacker that resolves to this machine (Host: evil.example), with the token',
      expected: 'all 403',
      happens: async (target) =>
        all([
          await named(target, 'evil.example'),
          await named(target, 'evil.example:4770'),
          await named(target, '127.0.0.1.evil.example'),
          await named(target, 'localhost.evil.example'),
        ]),
    }),
    served({
      id: 'host-missing',
      attack: 'no Host at all, in HTTP/1.1 and in 1.0',
      expected: 'all 400',
      async happens(target) {
        const old = await target.say(`GET /api/info HTTP/1.0\r\nAuthorization: Bearer ${target.server.token}\r\n\r\n`)
        return all([await named(target), statusOf(old)])
      },
    }),
    served({
      id: 'host-twice',
      attack: 'two Host headers, one of them right, in either order',
      expected: 'all 403',
      async happens(target) {
        const { host } = new URL(target.server.url)
        return all([await named(target, host, 'evil.example'), await named(target, 'evil.example', host)])
      },
    }),
    served({
      id: 'origin-cross',
      attack: 'a page of evil.example POSTs with a token it got hold of; also as Origin: null',
      expected: 'all 403 ORIGIN_FORBIDDEN',
      async happens({ server }) {
        const post = (origin: string) => server.request('/api/sessions', { method: 'POST', headers: { origin } })
        const origins = ['https://evil.example', 'null', `${server.url}.evil.example`, 'http://127.0.0.1:1']
        return all(await Promise.all(origins.map((origin) => answerOf(post(origin)))))
      },
    }),
    served({
      id: 'origin-simple',
      attack: 'a form of another page: a POST as text/plain, which needs no preflight',
      expected: '403 ORIGIN_FORBIDDEN; without an Origin 415 MEDIA_TYPE',
      async happens({ server }) {
        const { sessionId } = await server.api.call('POST /api/sessions', {})
        const post = (headers: Record<string, string>) =>
          answerOf(
            server.request(`/api/sessions/${sessionId}/messages`, {
              method: 'POST',
              headers: { 'content-type': 'text/plain', ...headers },
              body: '{"text":"obey"}',
            }),
          )
        return `${await post({ origin: 'https://evil.example' })}; without an Origin ${await post({})}`
      },
    }),
    served({
      id: 'origin-preflight',
      attack: 'a browser asks whether evil.example may send a token',
      expected: '403 ORIGIN_FORBIDDEN, nothing allowed',
      async happens({ server }) {
        const asked = {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        }
        const answer = await server.request('/api/sessions', { method: 'OPTIONS', token: null, headers: asked })
        const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
        return `${await answerOf(answer)}, ${allowed.length === 0 ? 'nothing allowed' : allowed.join()}`
      },
    }),
    served({
      id: 'headers-missing',
      attack: 'framing, scripts of other origins and content sniffing, on every kind of response',
      expected: 'all forbidden',
      async happens({ server }) {
        const kinds = ['/', '/api/info', '/nowhere', '/openapi.json', '/healthz', '/api/sessions/none/events']
        const held = await Promise.all(
          kinds.map(async (path) => {
            const { headers } = await server.request(path)
            const policy = headers.get('content-security-policy') ?? ''
            const safe =
              policy.startsWith("default-src 'none'") &&
              policy.includes("frame-ancestors 'none'") &&
              !policy.includes('unsafe') &&
              headers.get('x-content-type-options') === 'nosniff' &&
              headers.get('x-frame-options') === 'DENY' &&
              headers.get('referrer-policy') === 'no-referrer' &&
              headers.get('cross-origin-resource-policy') === 'same-origin'
            return safe ? 'forbidden' : `open at ${path}`
          }),
        )
        return all(held)
      },
    }),
    served({
      id: 'metrics-open',
      attack: 'metrics and the endpoint description without a token',
      expected: '401 NO_TOKEN; the description is 200 and names no path, token or session of this server',
      async happens({ server, place }) {
        const { sessionId } = await server.api.call('POST /api/sessions', {})
        const metrics = await answerOf(server.request('/metrics', { token: null }))
        const { status, text } = await bodyOf(server.request('/openapi.json', { token: null }))
        const told = [place.data, place.workspace, server.token, sessionId].filter((each) => text.includes(each))
        return `${metrics}; the description is ${status} and names ${
          told.length === 0 ? 'no path, token or session of this server' : told.join()
        }`
      },
    }),
  ],
}
