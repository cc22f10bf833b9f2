/** The list of conversations, and long ones. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePlace } from '../../runtime/test/support/cli.ts'
import { makeServerPlace, speaking, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage } from './support/browser.ts'

let browser: Browser
let place: TestPlace
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

async function say({ api }: Pick<TestServer, 'api'>, text: string, sessionId?: string): Promise<string> {
  const id = sessionId ?? (await api.call('POST /api/sessions', {})).sessionId
  await api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
  return id
}

const list = (page: Page) => page.getByRole('complementary', { name: 'Conversations' })

test('X-CONSOLE-11: conversations are searched and renamed in the list', async () => {
  const server = await place.start({ model: speaking([]) })
  for (const text of ['feed the cat', 'water the plants', 'paint the fence']) await say(server, text)
  const { page, complaints, close } = await openPage(browser, server)
  const titles = async () => (await list(page).locator('.session .clip').allTextContents()).sort()
  await expect.poll(titles).toEqual(['feed the cat', 'paint the fence', 'water the plants'])
  await page.getByLabel('Search conversations').fill('plants')
  await expect.poll(titles).toEqual(['water the plants'])
  await page.getByRole('button', { name: 'Rename: water the plants' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Garden')
  await page.keyboard.press('Enter')
  await expect.poll(titles).toEqual(['Garden'])
  await page.getByLabel('Search conversations').fill('')
  await expect.poll(titles).toEqual(['Garden', 'feed the cat', 'paint the fence'])
  expect(complaints).toEqual([])
  await close()
})

test('X-CONSOLE-12: an administrator deletes a conversation after a confirmation; others see no such button', async () => {
  const server = await place.start({ model: speaking([]) })
  const id = await say(server, 'feed the cat')
  const { page, close } = await openPage(browser, server, { path: `/chat/${id}` })
  await page.locator('.turn-foot').waitFor()
  await page.getByRole('button', { name: 'Delete: feed the cat' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { name: 'What should I do?' }).waitFor()
  await list(page).getByText('None yet.').waitFor()
  await close()

  const cli = makePlace()
  const words = ['token', 'add', 'bob', '--scopes', 'run', '--data', place.data]
  const token = (await cli.writ(words, { env: { HOME: place.home } })).stdout.trim()
  cli.remove()
  await say({ api: server.as(token) }, 'water the plants')
  const other = await openPage(browser, { url: server.url, token })
  await other.page.getByRole('button', { name: 'Rename: water the plants' }).waitFor({ state: 'attached' })
  expect(await other.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
  await other.close()
})

test('X-CONSOLE-11: more than a hundred conversations can be reached', async () => {
  const server = await place.start({ model: speaking([]) })
  for (let n = 1; n <= 120; n++) await say(server, `number ${n}`)
  const { page, close } = await openPage(browser, server)
  const rows = list(page).locator('.session')
  await expect
    .poll(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      return rows.count()
    })
    .toBe(120)
  await list(page).getByText('number 1', { exact: true }).waitFor()
  await close()
})

test('X-CONSOLE-13: a long conversation opens at its end, and stays where the user scrolls', async () => {
  const answer = Array.from({ length: 12 }, (_, n) => `Line ${n} of the answer.`).join('\n\n')
  const server = await place.start({ model: speaking(Array.from({ length: 41 }, () => [answer])) })
  const id = await say(server, 'message 1')
  for (let n = 2; n <= 40; n++) await say(server, `message ${n}`, id)
  const { page, complaints, close } = await openPage(browser, server, { path: `/chat/${id}` })
  const toEnd = () => page.evaluate('document.documentElement.scrollHeight - scrollY - innerHeight')
  await page.locator('.user-message', { hasText: 'message 40' }).waitFor()
  await expect.poll(() => page.locator('.turn').count()).toBe(40)
  await expect.poll(toEnd).toBeLessThan(5)

  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -4000)
  await page.getByRole('button', { name: 'Go to the end' }).waitFor()
  const before = await page.evaluate('scrollY')
  await say(server, 'message 41', id)
  await expect.poll(() => page.locator('.turn').count()).toBe(41)
  expect(await page.evaluate('scrollY')).toBe(before)
  await page.getByRole('button', { name: 'Go to the end' }).click()
  await expect.poll(toEnd).toBeLessThan(5)
  expect(complaints).toEqual([])
  await close()
})
