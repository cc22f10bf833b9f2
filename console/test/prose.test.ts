/** Replies in a browser: what their Markdown becomes, and what it cannot do. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServerPlace, speaking } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage } from './support/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

async function replied(text: string) {
  const place = makeServerPlace()
  const server = await place.start({ model: speaking([[text]]) })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'say it' } })
  const watched = await openPage(browser, server)
  const requested: string[] = []
  watched.page.on('request', (request) => requested.push(request.url()))
  await watched.page.goto(`${server.url}/chat/${id}`)
  await watched.page.locator('.turn-foot').waitFor()
  const reply = watched.page.locator('.reply')
  return {
    ...watched,
    reply,
    requested,
    close: async () => {
      await watched.close()
      await place.remove()
    },
  }
}

test('X-CONSOLE-2: tables, links, quotes, nested lists, tasks and code of a reply are shown as such', async () => {
  const { reply, complaints, close } = await replied(
    [
      '## Plan',
      '1. first\n   - inner **bold**\n   - other',
      '- [x] done\n- [ ] open',
      '| berth | ships |\n|--|--:|\n| 4 | 12 |',
      '> quoted\n> > twice',
      'See [the tables](https://tides.example.org/x) or <https://example.net>.',
      '```ts\nconst a = 1\n```',
      '~~old~~ 1 &lt; 2',
    ].join('\n\n'),
  )
  await expect.poll(() => reply.getByRole('heading', { name: 'Plan' }).count()).toBe(1)
  await expect.poll(() => reply.locator('ol > li > ul > li').count()).toBe(2)
  await expect.poll(() => reply.getByRole('checkbox').count()).toBe(2)
  await expect.poll(() => reply.getByRole('cell').allTextContents()).toEqual(['4', '12'])
  await expect.poll(() => reply.locator('blockquote blockquote').textContent()).toContain('twice')
  const link = reply.getByRole('link', { name: 'the tables' })
  expect(await link.getAttribute('href')).toBe('https://tides.example.org/x')
  expect(await link.getAttribute('rel')).toContain('noreferrer')
  await expect.poll(() => reply.textContent()).toContain('the tables (tides.example.org)')
  await expect.poll(() => reply.getByRole('region', { name: 'Code: ts' }).textContent()).toContain('const a = 1')
  await expect.poll(() => reply.textContent()).toContain('1 < 2')
  expect(complaints).toEqual([])
  await close()
})

test('X-CONSOLE-2: a reply cannot bring scripts, tags, pictures of other hosts or links that run code', async () => {
  const { reply, page, requested, complaints, close } = await replied(
    [
      '<img src="http://127.0.0.1:9/leak" onerror="window.hit=1"> <script>window.hit=1</script>',
      '![chart](http://127.0.0.1:9/picture.png)',
      '[click](javascript:window.hit=1) [file](file:///etc/passwd) [data](data:text/html,x)',
      '[bank.example](https://evil.example/login)',
      'hidden \u202Etxt.exe\u202C',
    ].join('\n\n'),
  )
  await expect.poll(() => reply.textContent()).toContain('<script>window.hit=1</script>')
  expect(await reply.locator('img, script').count()).toBe(0)
  expect(await reply.locator('a').evaluateAll((links) => links.map((a) => a.getAttribute('href')))).toEqual([
    'http://127.0.0.1:9/picture.png',
    'https://evil.example/login',
  ])
  await expect.poll(() => reply.textContent()).toContain('bank.example (evil.example)')
  await expect.poll(() => reply.locator('mark.escape').count()).toBeGreaterThan(0)
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(requested.filter((url) => url.includes('127.0.0.1:9/'))).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('a reply with thousands of nested quotes is still readable', async () => {
  const { reply, close } = await replied(`${'>'.repeat(5000)} deep\n\nand the end`)
  await expect.poll(() => reply.textContent()).toContain('and the end')
  await close()
})

test('X-CONSOLE-4: the answer and its code are copied with one click', async () => {
  const text = 'Run this:\n\n```sh\nnpm test\n```'
  const { page, reply, close } = await replied(text)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate('navigator.clipboard.readText()')
  await reply.getByRole('button', { name: 'Copy: Code' }).click()
  await expect.poll(clipboard).toBe('npm test')
  await page.getByRole('button', { name: 'Copy: the reply' }).click()
  await expect.poll(clipboard).toBe(text)
  await close()
})
