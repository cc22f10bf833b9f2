/** Conversations over HTTP: pages, search, names, deletion. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audit } from '../../src/journal/verify.ts'
import { openForActing } from '../../src/storage/acting.ts'
import { storeOn } from '../../src/storage/open.ts'
import { makePng } from '../support/pictures.ts'
import { call, makeServerPlace, speaking, type TestPlace, type TestServer } from '../support/server.ts'

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

async function say({ api }: TestServer, text: string, sessionId?: string): Promise<string> {
  const id = sessionId ?? (await api.call('POST /api/sessions', {})).sessionId
  await api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
  return id
}

const titles = async ({ api }: TestServer, query: object) =>
  (await api.call('GET /api/sessions', { query })).sessions.map(({ title }) => title)

test('X-CONSOLE-11: conversations are listed page by page, each once', async () => {
  const server = await place.start({ model: speaking([]) })
  for (let n = 1; n <= 5; n++) await say(server, `number ${n}`)
  const seen: string[] = []
  let before: string | undefined
  do {
    const page = await server.api.call('GET /api/sessions', { query: { limit: 2, before } })
    seen.push(...page.sessions.map(({ title }) => title))
    before = page.next
  } while (before !== undefined)
  expect(seen).toEqual(['number 5', 'number 4', 'number 3', 'number 2', 'number 1'])
  for (const wrong of ['x', '1.%zz', '1']) {
    await expect(server.api.call('GET /api/sessions', { query: { before: wrong } })).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    })
  }
})

test('X-CONSOLE-11: they are found by words of their title and of any message of the user, taken literally', async () => {
  const server = await place.start({ model: speaking([]) })
  const cat = await say(server, 'Feed the CAT at 100% speed')
  await say(server, 'and then "brush" it\\twice', cat)
  await say(server, 'water the plants')
  await say(server, '给植物浇水')
  const found = (q: string) => titles(server, { q })
  expect(await found('cat')).toEqual(['Feed the CAT at 100% speed'])
  expect(await found('twice feed')).toHaveLength(1)
  expect(await found('"brush"')).toHaveLength(1)
  expect(await found('it\\twice')).toHaveLength(1)
  expect(await found('100%')).toHaveLength(1)
  expect(await found('植物')).toEqual(['给植物浇水'])
  expect([await found('1%0'), await found('input'), await found('_at'), await found('dog')]).toEqual([[], [], [], []])
})

test('X-CONSOLE-11: a conversation is named by its owner, is found by that name, and can lose it again', async () => {
  const server = await place.start({ model: speaking([]) })
  const id = await say(server, 'feed the cat')
  const name = (title: string) => server.api.call('PATCH /api/sessions/:id', { params: { id }, body: { title } })
  await name('  Pets “and” more ')
  expect(await titles(server, {})).toEqual(['Pets “and” more'])
  expect((await server.api.call('GET /api/sessions/:id', { params: { id } })).title).toBe('Pets “and” more')
  expect(await titles(server, { q: 'pets' })).toHaveLength(1)
  await name('')
  expect(await titles(server, {})).toEqual(['feed the cat'])
  await expect(name('x'.repeat(201))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('X-CONSOLE-12: a deleted conversation leaves only its tombstone: no run, title, memory or file', async () => {
  const model = speaking([
    ['Yes.'],
    [{ calls: [call('memory_store', { content: 'the cat is called Mia' })] }],
    ['Noted.'],
  ])
  const server = await place.start({ model, config: { agent: { modelInput: ['image'] } } })
  const other = await say(server, 'and another')
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const attachments = [{ name: 'cat.png', data: makePng().toString('base64') }]
  const body = { text: 'remember that the cat is called Mia', attachments }
  const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body })
  await server.api.call('PATCH /api/sessions/:id', { params: { id }, body: { title: 'About Mia' } })
  expect(readdirSync(join(place.data, 'results'))).toHaveLength(1)

  expect(await server.api.call('DELETE /api/sessions/:id', { params: { id } })).toEqual({ runs: 1 })
  expect(await titles(server, {})).toEqual(['and another'])
  expect(await titles(server, { q: 'mia' })).toEqual([])
  await expect(server.api.call('GET /api/runs/:id', { params: { id: runId } })).rejects.toMatchObject({
    code: 'RUN_UNKNOWN',
  })
  expect((await server.api.call('GET /api/memory', {})).memories).toEqual([])
  expect(readdirSync(join(place.data, 'results'))).toEqual([])
  expect((await server.api.call('GET /api/sessions/:id', { params: { id: other } })).messages).toHaveLength(2)
  expect(server.log).toContainEqual(expect.objectContaining({ session: id, token: 'admin', runs: 1 }))
  await server.stop()

  const { data, workspace, home } = place
  const configHome = join(home, '.config/writ')
  const db = await openForActing({ kind: 'folder', data, workspace, configHome, key: undefined })
  const store = storeOn(db)
  expect((await audit(store)).breaches).toEqual([])
  expect(JSON.stringify(await store.readSession(id))).not.toContain('Mia')
  expect(await store.readSeals()).toContainEqual(expect.objectContaining({ runId, tombstone: 'erased' }))
  await store.close()
})

test('X-CONSOLE-12: a conversation at work is not deleted', async () => {
  const end = Promise.withResolvers<void>()
  const server = await place.start({ model: speaking([['Thinking', end.promise]]) })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const sent = server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'think' } })
  const running = async () => (await server.api.call('GET /api/sessions/:id', { params: { id } })).running
  await expect.poll(running).toBeDefined()
  const erase = () => server.api.call('DELETE /api/sessions/:id', { params: { id } })
  await expect(erase()).rejects.toMatchObject({ code: 'SESSION_BUSY', status: 409 })
  end.resolve()
  await sent
  await expect.poll(running).toBeUndefined()
  expect(await erase()).toEqual({ runs: 1 })
})
