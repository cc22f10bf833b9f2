/** The documentation as `writ serve` sends it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServerPlace, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'

let place: TestPlace
let server: TestServer
beforeAll(async () => {
  place = makeServerPlace()
  server = await place.start()
})
afterAll(() => place.remove())

const get = (path: string, init: RequestInit = {}) => server.request(path, { token: null, ...init })

test.each([
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/guides/rules.html', 'text/html; charset=utf-8'],
  ['/docs/zh/', 'text/html; charset=utf-8'],
  ['/docs/files/examples/policies/rules.json', 'application/json'],
])('X-SITE-4: without a token, %s is %s with the strict content security policy', async (path, type) => {
  const answer = await get(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe(type)
  expect(answer.headers.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  )
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
})

test('X-SITE-4: styles, scripts and the search index have their types and never change', async () => {
  const page = await (await get('/docs/')).text()
  const names = [...page.matchAll(/"(assets\/[^"]+\.(?:css|js|json))"/g)].map(([, name = '']) => name)
  const types = await Promise.all(
    names.map(async (name) => {
      const answer = await get(`/docs/${name}`)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      return answer.headers.get('content-type')
    }),
  )
  const [css, js, json] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'application/json']
  expect(types.sort()).toEqual([json, json, css, js, js])
})

test.each([
  ['/docs', 'en', '/docs/'],
  ['/docs', 'zh-CN,zh;q=0.9,en;q=0.5', '/docs/zh/'],
  ['/docs/zh', 'en', '/docs/zh/'],
])('X-SITE-4: %s of a reader of %s leads to %s', async (path, language, to) => {
  const answer = await get(path, { redirect: 'manual', headers: { 'accept-language': language } })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
})

test.each([
  ['/docs/guides/nothing.html', 'This page does not exist'],
  ['/docs/nothing', 'This page does not exist'],
  ['/docs/zh/guides/nothing.html', '页面不存在'],
  ['/docs/..%2f..%2fpackage.json', 'This page does not exist'],
  ['/docs/%00', 'This page does not exist'],
  ['/docs/%', 'This page does not exist'],
])('X-SITE-4: %s is 404, with a page that says so', async (path, text) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await answer.text()).toContain(`<h1>${text}</h1>`)
})

test('X-SITE-4: the search index is sent compressed', async () => {
  const page = await (await get('/docs/')).text()
  const [, name] = /"(assets\/search-en-[^"]+)"/.exec(page) ?? []
  const answer = await get(`/docs/${name}`, { headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.json()).toEqual(expect.arrayContaining([expect.objectContaining({ page: 'reference/api' })]))
})

test('X-SITE-4: without built documentation the answer is NOT_FOUND, not the console', async () => {
  const other = await place.start({ docsFolder: `${place.workspace}/none`, token: server.token })
  const answer = await other.request('/docs/', { token: null })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

test('X-SITE-4: the page of another site is refused', async () => {
  const answer = await get('/docs/', { headers: { origin: 'https://evil.example' } })
  expect(answer.status).toBe(403)
})
