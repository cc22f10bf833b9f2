/** Sign-in: revoked tokens, several tabs, an unreachable server. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Cable, openCable } from '../../runtime/test/support/cable.ts'
import { makePlace } from '../../runtime/test/support/cli.ts'
import { makeServerPlace, speaking, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, seriousViolations, type Watched } from './support/browser.ts'

let browser: Browser
let place: TestPlace
let server: TestServer
let cable: Cable
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  place = makeServerPlace()
  server = await place.start({ model: speaking([['First answer.'], ['Second answer.']]) })
  cable = await openCable(server.url)
  opened.push(cable)
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await place.remove()
})

async function token(...words: string[]): Promise<string> {
  const cli = makePlace()
  try {
    const ended = await cli.writ(['token', ...words, '--data', place.data], { env: { HOME: place.home } })
    expect(ended.code).toBe(0)
    return ended.stdout.trim()
  } finally {
    cli.remove()
  }
}

async function open(secret = server.token): Promise<Watched> {
  const watched = await openPage(browser, { url: cable.url, token: secret })
  opened.unshift(watched)
  return watched
}

/** With WRIT_SHOTS set, saves a screenshot of each state. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.WRIT_SHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const exactText = (page: Page, text: string) => page.getByText(text, { exact: true })
const down = 'The server is not responding. Retrying…'

test('after a revoked token a dialog asks for another; the page keeps its position and input', async () => {
  const [one, two] = [await token('add', 'one', '--principal', 'ada'), await token('add', 'two', '--principal', 'ada')]
  const { page } = await open(one)
  await composer(page).fill('hello')
  await page.keyboard.press('Enter')
  await exactText(page, 'First answer.').waitFor()
  await composer(page).fill('half a thought')
  await token('revoke', 'one')
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  await shoot(page, 'sign-in-again')
  expect(await seriousViolations(page)).toEqual([])
  await dialog.getByLabel('Token').fill('writ_wrong')
  await page.keyboard.press('Enter')
  await dialog.getByText('Unknown token.').waitFor()
  await dialog.getByLabel('Token').fill(two)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => composer(page).inputValue()).toBe('half a thought')
  await expect.poll(() => exactText(page, 'First answer.').count()).toBe(1)
  await composer(page).press('Enter')
  await exactText(page, 'Second answer.').waitFor()
})

test('after a sign-in as another principal nothing of the previous one is visible', async () => {
  const [ada, bob] = [await token('add', 'ada'), await token('add', 'bob')]
  const { page } = await open(ada)
  await composer(page).fill('hello')
  await page.keyboard.press('Enter')
  await exactText(page, 'First answer.').waitFor()
  await composer(page).fill('a secret thought')
  await token('revoke', 'ada')
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Token').fill(bob)
  await page.keyboard.press('Enter')
  await page.locator('.sample').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  await expect.poll(() => composer(page).inputValue()).toBe('')
  await expect.poll(() => exactText(page, 'First answer.').count()).toBe(0)
})

test('a new tab takes over the sign-in of an open one, and a sign-in reaches the other tabs', async () => {
  const { page } = await open()
  const second = await page.context().newPage()
  await second.goto(cable.url)
  await second.locator('.sample').first().waitFor()

  const [one, two] = [await token('add', 'one', '--principal', 'ada'), await token('add', 'two', '--principal', 'ada')]
  const { page: third } = await open(one)
  const fourth = await third.context().newPage()
  await fourth.goto(`${cable.url}/approvals`)
  await fourth.getByRole('heading', { name: 'No open approvals' }).waitFor()
  await token('revoke', 'one')
  for (const each of [third, fourth]) await each.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await third.getByLabel('Token').fill(two)
  await third.keyboard.press('Enter')
  for (const each of [third, fourth]) await each.getByRole('dialog').waitFor({ state: 'detached' })
})

test('without other tabs, or with an unknown token, the sign-in page is shown', async () => {
  const context = await browser.newContext()
  opened.unshift(context)
  const page = await context.newPage()
  await page.goto(cable.url)
  await page.getByRole('heading', { name: 'Sign in to Writ' }).waitFor()
  await shoot(page, 'sign-in')
  await page.getByLabel('Token').fill(server.token)
  await page.keyboard.press('Enter')
  await page.locator('.sample').first().waitFor()
})

test('while the server is down the page says so, recovers automatically, and keeps an unsent message', async () => {
  const { page } = await open()
  await composer(page).fill('hello')
  await page.keyboard.press('Enter')
  await exactText(page, 'First answer.').waitFor()
  cable.cut()
  await composer(page).fill('are you there?')
  await page.keyboard.press('Enter')
  await page.getByText(down).waitFor()
  await shoot(page, 'unreachable')
  cable.mend()
  await expect.poll(() => page.getByText(down).count()).toBe(0)
  await expect.poll(() => composer(page).inputValue()).toBe('are you there?')
  await exactText(page, 'Your message was not sent. It is back in the field below.').waitFor()
  await shoot(page, 'unsent')
  await composer(page).press('Enter')
  await exactText(page, 'Second answer.').waitFor()
  await expect.poll(() => page.locator('.turn').count()).toBe(2)
})

test('a first message that could not be sent stays in the field', async () => {
  const { page } = await open()
  await page.locator('.sample').first().waitFor()
  cable.cut()
  await composer(page).fill('are you there?')
  await page.keyboard.press('Enter')
  await expect.poll(() => composer(page).inputValue()).toBe('are you there?')
  cable.mend()
})

test('a page opened while the server is down is served by the service worker and loads when the server is back', async () => {
  const { page } = await open()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.goto(`${cable.url}/runs`)
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
  await page.goto(cable.url)
  await composer(page).fill('half a thought')
  cable.cut()
  await page.reload()
  await page.getByRole('heading', { name: 'The Writ server is not responding' }).waitFor()
  await shoot(page, 'down')
  cable.mend()
  await page.locator('.sample').first().waitFor()
  await expect.poll(() => composer(page).inputValue()).toBe('half a thought')
})

test('a routine of another principal shows its owner', async () => {
  const body = { schedule: '0 9 * * *', task: 'look' }
  await server.api.call('POST /api/routines', { body: { ...body, name: 'mine' } })
  const other = server.as(await token('add', 'bob', '--scopes', 'admin', '--principal', 'bob'))
  await other.call('POST /api/routines', { body: { ...body, name: 'theirs' } })
  const { page } = await open()
  await page.goto(`${cable.url}/routines`)
  await page.getByText('for bob').waitFor()
  await expect.poll(() => page.locator('td .small', { hasText: /^for / }).count()).toBe(1)
  await shoot(page, 'routines')
})

test('X-CONSOLE-10: the page names who is signed in, and signing out ends it in every tab and removes what was typed', async () => {
  const { page } = await open()
  const account = page.getByRole('region', { name: 'Account' })
  await account.getByText('Signed in as').waitFor({ state: 'attached' })
  await account.getByText('admin', { exact: true }).waitFor()
  await composer(page).fill('a secret plan')
  const second = await page.context().newPage()
  await second.goto(`${cable.url}/runs`)
  await second.getByRole('region', { name: 'Account' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Writ' }).waitFor()
  await second.getByRole('heading', { name: 'Sign in to Writ' }).waitFor()
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
  await page.reload()
  await page.getByLabel('Token').fill(server.token)
  await page.keyboard.press('Enter')
  await account.waitFor()
  expect(await composer(page).inputValue()).toBe('')
})
