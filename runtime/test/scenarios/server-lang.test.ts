/** Responses are in the language of the request; stored texts are not translated. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../src/server/client.ts'
import { call, makeServerPlace, speaking, type TestPlace } from '../support/server.ts'

const CHINESE = /\p{Script=Han}/u

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

test('errors, problems and samples are in the language of the request, else in that of the server', async () => {
  const server = await place.start()
  const speak = (lang?: string) =>
    createClient({ base: server.url, token: () => server.token, ...(lang === undefined ? {} : { lang: () => lang }) })
  const saidIn = async (lang?: string) => {
    const api = speak(lang)
    const params = { id: 'run_none' }
    const refusal: unknown = await api.call('GET /api/runs/:id', { params }).catch((error: unknown) => error)
    const { message } = refusal as Error
    const looser = { security: { allowedHosts: ['somewhere.example'] } }
    const { problems } = await api.call('POST /api/config/check', { body: { agent: looser } })
    const check = await api.call('POST /api/workflows/check', { body: { document: { name: 'w', nodes: [] } } })
    const { lang: spoken, samples, model } = await api.call('GET /api/info', {})
    const footer = model.footer ?? ''
    const said = [message, problems[0]?.message, check.problems[0]?.message, samples[0]?.title, footer]
    return { spoken, chinese: said.map((text) => CHINESE.test(text ?? '')) }
  }
  expect(await saidIn('zh')).toEqual({ spoken: 'zh', chinese: Array(5).fill(true) })
  expect(await saidIn('en')).toEqual({ spoken: 'en', chinese: Array(5).fill(false) })
  expect(await saidIn()).toEqual({ spoken: 'en', chinese: Array(5).fill(false) })
  const refused = await server.request('/api/info', { token: 'writ_wrong', headers: { 'accept-language': 'zh-TW' } })
  expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(CHINESE)
  const wrong: unknown = await speak('zh')
    .call('POST /api/policy/explain', { body: { task: 7 as unknown as string } })
    .catch((error: unknown) => error)
  expect((wrong as Error).message).toContain('必须是文本')
})

test('gate messages of a turn are in the language of its request, and are stored that way', async () => {
  const step = () => [{ calls: [call('file_read', { path: '/etc/passwd' })] }]
  const server = await place.start({ model: speaking([step(), ['done'], step(), ['done']]) })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const verdicts: boolean[] = []
  for (const lang of ['zh', 'en']) {
    const api = createClient({ base: server.url, token: () => server.token, lang: () => lang })
    const body = { text: 'read it' }
    const { runId } = await api.call('POST /api/sessions/:id/messages', { params: { id }, body })
    const { events } = await server.api.call('GET /api/runs/:id/events', { params: { id: runId }, query: {} })
    expect(events.find(({ type }) => type === 'run.started')).toMatchObject({ data: { lang } })
    const decided = events.find((event) => event.type === 'gate.decided')
    verdicts.push(decided?.type === 'gate.decided' && CHINESE.test(decided.data.message ?? ''))
  }
  expect(verdicts).toEqual([true, false])
})

test('a workflow runs in the language of the request', async () => {
  const server = await place.start()
  const api = createClient({ base: server.url, token: () => server.token, lang: () => 'zh' })
  const document = { name: 'w', nodes: [{ id: 'a', tool: 'file_list', args: { path: '.' } }] }
  const params = { name: 'w' }
  await api.call('PUT /api/workflows/:name', { params, body: { document } })
  const { runId } = await api.call('POST /api/workflows/:name/run', { params, body: { input: {} } })
  const { events } = await api.call('GET /api/runs/:id/events', { params: { id: runId }, query: {} })
  expect(events.find(({ type }) => type === 'run.started')).toMatchObject({ data: { lang: 'zh' } })
})
