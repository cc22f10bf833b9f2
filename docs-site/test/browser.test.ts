/** The documentation in a browser, as `writ serve` sends it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, seriousViolations } from '../../console/test/support/browser.ts'
import { makeServerPlace, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { PATIENCE_MS } from '../../runtime/test/support/until.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

let place: TestPlace
let server: TestServer
let browser: Browser
beforeAll(async () => {
  place = makeServerPlace()
  server = await place.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await place.remove()
})

async function openDocs(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${server.url}/docs/${path}`)
  return { page, complaints, close: () => context.close() }
}

const NARROW = { viewport: { width: 390, height: 800 } }
const hits = '#results [role=option]'

test.each([
  ['concepts/flow.html', 'sandbox', 'sandbox'],
  ['zh/concepts/flow.html', '提示缓存', '提示缓存'],
  ['index.html', '审批', '审批'],
])('X-SITE-3: on %s, "/" and typing "%s" finds a page, and Enter opens it', async (path, query, word) => {
  const { page, complaints, close } = await openDocs(path)
  await page.keyboard.press('/')
  await page.keyboard.type(query)
  await page.locator(hits).first().waitFor()
  expect(await page.locator('.heard').textContent()).toMatch(/^\d+ /)
  const chosen = page.locator(`${hits}[aria-selected=true]`)
  const first = await chosen.getAttribute('id')
  if ((await page.locator(hits).count()) > 1) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen.getAttribute('id')).not.toBe(first)
    await page.keyboard.press('ArrowUp')
  }
  expect(await page.locator('.search input').getAttribute('aria-activedescendant')).toBe(first)
  const target = await chosen.locator('a').evaluate((link) => (link as unknown as { href: string }).href)
  await page.keyboard.press('Enter')
  await expect.poll(() => decodeURI(page.url())).toBe(decodeURI(target))
  expect((await page.locator('article').textContent())?.toLowerCase()).toContain(word)
  expect(complaints).toEqual([])
  await close()
})

test('X-SITE-3: a word that no page has is answered in words, and Escape closes the search', async () => {
  const { page, close } = await openDocs('index.html')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('qqxxyyzz')
  await page.getByText('Nothing found.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.heard').textContent()).toBe('')
  await close()
})

test.each([
  ['index.html', {}],
  ['concepts/gate.html', { colorScheme: 'dark' }],
  ['zh/concepts/provenance.html', { colorScheme: 'dark' }],
  ['zh/guides/metrics.html', {}],
  ['reference/config.html', {}],
  ['tutorials/governed-chatbot.html', NARROW],
  ['nothing.html', {}],
] as const)(
  'X-SITE-5: %s (%j) has no serious accessibility violation and breaks no content policy',
  async (path, look) => {
    const { page, complaints, close } = await openDocs(path, look)
    expect(await seriousViolations(page)).toEqual([])
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([])
    await close()
  },
)

test.each(['guides/rules.html', 'reference/errors.html', 'zh/concepts/journal.html', 'reference/api.html'])(
  'X-SITE-5: %s does not scroll sideways on a narrow screen, and its menu opens',
  async (path) => {
    const { page, close } = await openDocs(path, NARROW)
    const width = 'document.documentElement.scrollWidth'
    expect(await page.evaluate(width)).toBeLessThanOrEqual(390)
    const pages = page.locator('#pages')
    expect(await pages.isVisible()).toBe(false)
    await page.locator('.menu').click()
    expect(await pages.isVisible()).toBe(true)
    expect(await page.locator('.menu').getAttribute('aria-expanded')).toBe('true')
    await close()
  },
)

test('X-SITE-5: without scripts every page can be read and reached', async () => {
  const { page, close } = await openDocs('guides/rules.html', { javaScriptEnabled: false, ...NARROW })
  expect(await page.locator('#pages a').first().isVisible()).toBe(true)
  expect(await page.locator('h1').textContent()).toContain('Rules')
  expect(await page.locator('.search').isVisible()).toBe(false)
  await close()
})

test('X-SITE-5: code is copied with one click, without its colours', async () => {
  const { page, close } = await openDocs('tutorials/policy-from-zero.html', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.locator('.code').first().hover()
  await page.locator('.copy').first().click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toBe(await page.locator('.code code').first().textContent())
  expect(copied).toMatch(/^npx writ policy explain/)
  await close()
})

test('X-SITE-5: the theme that is chosen stays, and pictures have its colours', async () => {
  const { page, close } = await openDocs('concepts/flow.html')
  const theme = () => page.locator('html').getAttribute('data-theme')
  const fill = () => page.evaluate("getComputedStyle(document.querySelector('figure rect.accent')).fill")
  const [light, colour] = [await theme(), await fill()]
  await page.locator('.theme').click()
  await page.locator('.turning [rel=next]').click()
  await page.waitForURL('**/gate.html')
  expect([light, await theme()]).toEqual(['light', 'dark'])
  expect(await fill()).not.toBe(colour)
  await close()
})

test('X-SITE-3: when the index cannot be loaded, the search says so, and tries again', async () => {
  const { page, close } = await openDocs('index.html')
  await page.route('**/search-en-*.json', (route) => route.abort(), { times: 1 })
  await page.keyboard.press('/')
  await page.keyboard.type('s')
  await page.getByText('The search index cannot be loaded.').waitFor()
  await page.keyboard.type('andbox')
  await page.locator(hits).first().waitFor()
  await close()
})

test('X-SITE-5: a browser that stores nothing shows the pages all the same', async () => {
  const { page, close } = await openDocs('index.html')
  await page.addInitScript("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })")
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  await page.goto(`${server.url}/docs/guides/rules.html`)
  await page.locator('.theme').click()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(failures).toEqual([])
  await close()
})

test('X-SITE-2: the language switch leads to the same page', async () => {
  const { page, close } = await openDocs('guides/rules.html')
  await page.locator('header .lang').click()
  await page.waitForURL('**/docs/zh/guides/rules.html')
  expect(await page.locator('h1').textContent()).toBe('规则')
  await close()
})
