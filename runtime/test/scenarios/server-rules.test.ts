/** Rules over HTTP: shown, tried as a draft, and stored only where they tighten. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace } from '../support/cli.ts'
import { call, makeServerPlace, speaking, type TestPlace } from '../support/server.ts'

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

const ALLOW = {
  when: { command: 'touch *' },
  decide: 'allow',
  examples: { match: ['touch a'], noMatch: ['npm publish'] },
}
const DENY = { when: { command: 'npm publish *' }, decide: 'deny', reason: 'releases are made by people' }

test('X-CONSOLE-18: a draft is tried with its examples and with calls, beside what is decided now, and stores nothing', async () => {
  const server = await place.start()
  const wrong = { when: { command: 'npm ci' }, decide: 'ask', examples: { match: ['npm install'] } }
  const body = {
    rules: [ALLOW, DENY, wrong],
    calls: ['touch a', 'npm publish x', { tool: 'file_read', args: { path: 'a' } }],
  }
  const tested = await server.api.call('POST /api/policy/test', { body })
  expect(tested.problems).toEqual([])
  expect(tested.examples.map(({ rule, expected, outcome }) => [rule, expected, outcome])).toEqual([
    [0, 'match', 'ok'],
    [0, 'noMatch', 'ok'],
    [2, 'match', 'failed'],
  ])
  expect(tested.calls.map(({ now, draft }) => [now.decision, draft.decision, draft.rule?.from])).toEqual([
    ['ask', 'allow', 'draft 1'],
    ['ask', 'deny', 'draft 2'],
    ['allow', 'allow', undefined],
  ])
  expect((await server.api.call('GET /api/policy/rules', {})).rules).toEqual([])
  const again = await server.api.call('POST /api/policy/test', { body: { rules: [], calls: ['touch a'] } })
  expect(again.calls[0]?.draft.decision).toBe('ask')
})

test('X-CONSOLE-18: a draft that is not valid is not tried; each problem names its place', async () => {
  const server = await place.start()
  const rules = [{ decide: 'maybe' }, { decide: 'ask', when: { nonsense: 1 } }, 'text']
  const { problems, calls } = await server.api.call('POST /api/policy/test', { body: { rules, calls: ['ls'] } })
  expect(problems.map(({ path }) => path).join(' ')).toMatch(/rules\.0.*rules\.1.*rules\.2/)
  expect(calls).toEqual([])
})

test('X-CONSOLE-18: the server stores rules that ask or deny, with admin; an allow stays a file of its user', async () => {
  const server = await place.start()
  const put = (rules: object[]) => server.api.call('PUT /api/config', { body: { agent: { security: { rules } } } })
  await put([DENY])
  expect((await server.api.call('GET /api/policy/rules', {})).rules).toMatchObject([
    { decide: 'deny', layer: 'session', own: true, rule: DENY },
  ])
  await expect(put([ALLOW])).rejects.toMatchObject({ code: 'CONFIG_REFUSED' })
  // In place of the stored rules, not beside them.
  const body = { rules: [], calls: ['npm publish x'] }
  const { calls } = await server.api.call('POST /api/policy/test', { body })
  expect(calls[0]).toMatchObject({ now: { decision: 'deny' }, draft: { decision: 'ask' } })

  const cli = makePlace()
  const words = ['token', 'add', 'reader', '--scopes', 'read', '--data', place.data]
  const reader = server.as((await cli.writ(words, { env: { HOME: place.home } })).stdout.trim())
  cli.remove()
  expect((await reader.call('POST /api/policy/test', { body })).calls).toHaveLength(1)
  await expect(reader.call('PUT /api/config', { body: { agent: {} } })).rejects.toMatchObject({ code: 'SCOPE_MISSING' })
})

test('X-CONSOLE-19: recorded differences of the shadow policy are listed, only of the caller’s own runs', async () => {
  const configHome = join(place.home, '.config/writ')
  mkdirSync(configHome, { recursive: true })
  const shadow = join(configHome, 'stricter.json')
  writeFileSync(shadow, JSON.stringify({ agent: { security: { rules: [{ tool: 'file_list', decide: 'deny' }] } } }))
  const model = speaking([[{ calls: [call('file_list', { path: '.' }), call('file_read', { path: 'x' })] }], ['Done.']])
  const server = await place.start({ model, config: { agent: { security: { shadow } } } })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'look' } })
  expect(await server.api.call('GET /api/policy/shadow', {})).toMatchObject({
    runs: 1,
    decisions: 2,
    more: 0,
    changed: [{ tool: 'file_list', was: { decision: 'allow' }, now: { decision: 'deny', reason: 'RULE_DENIED' } }],
  })
  const cli = makePlace()
  const words = ['token', 'add', 'bob', '--scopes', 'run', '--data', place.data]
  const bob = server.as((await cli.writ(words, { env: { HOME: place.home } })).stdout.trim())
  cli.remove()
  expect(await bob.call('GET /api/policy/shadow', {})).toMatchObject({ runs: 0, changed: [] })
})
