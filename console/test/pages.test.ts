import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, makeServerPlace, speaking } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, seriousViolations, type Watched } from './support/browser.ts'
import { PAGES } from './support/pages.ts'
import { type Seeded, seed } from './support/seeded.ts'

let browser: Browser
let seeded: Seeded

beforeAll(async () => {
  ;[browser, seeded] = await Promise.all([openBrowser(), seed()])
})

afterAll(async () => {
  await browser?.close()
  await seeded?.place.remove()
})

const LOOKS = [
  { theme: 'light', lang: 'en', width: 1280 },
  { theme: 'dark', lang: 'zh', width: 380 },
] as const

describe.each(LOOKS)('$theme, $lang, $width px wide', (look) => {
  let watched: Watched

  beforeAll(async () => {
    watched = await openPage(browser, seeded.server, look)
  })
  afterAll(() => watched?.close())

  test.each(PAGES)(
    '$name opens without browser errors, serious accessibility violations or sideways scrolling',
    async (shown) => {
      const { page, complaints } = watched
      complaints.length = 0
      await page.goto(`${seeded.server.url}${shown.path(seeded)}`)
      await page.locator(shown.ready).first().waitFor()
      await shown.prepare?.(page)
      expect(await seriousViolations(page)).toEqual([])
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(look.lang === 'zh' ? 'zh-CN' : 'en')
      await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(look.theme)
      expect(complaints).toEqual([])
    },
  )
})

test('X-CONSOLE-3: the language can be switched while a page is open; codes stay, their words change', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.denied.runId}` })
  await page.getByRole('tab', { name: /Decisions/ }).click()
  await page.getByText('PRE_VALIDATE_REJECTED').first().waitFor()
  await page.getByText('中文').click()
  await page.getByRole('tab', { name: /裁决/ }).waitFor()
  await expect.poll(() => page.getByText('PRE_VALIDATE_REJECTED').count()).toBeGreaterThan(0)
  await page.getByText('路径、主机或命令不被允许').first().waitFor()
  await page.reload()
  await page.getByRole('tab', { name: /裁决/, selected: true }).waitFor()
  await close()
})

test('texts of the server follow the language chosen in the console', async () => {
  const { page, close } = await openPage(browser, seeded.server)
  await page.getByRole('button', { name: 'Look around' }).waitFor()
  await page.getByText('中文').click()
  await page.getByRole('button', { name: '查看文件' }).waitFor()
  await page.goto(`${seeded.server.url}/runs/run_nowhere`)
  await page.getByRole('alert').getByText('没有运行 run_nowhere').waitFor()
  await close()
})

test('without a token the console asks for one and accepts it', async () => {
  const { page, close } = await openPage(browser, seeded.server)
  await page.evaluate('sessionStorage.clear()')
  await page.goto(`${seeded.server.url}/runs`)
  await page.getByLabel('Token').fill('writ_wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Unknown token.').waitFor()
  await page.getByLabel('Token').fill(seeded.server.token)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
  await close()
})

test('the token of a link is removed from the address bar', async () => {
  const { page, close } = await openPage(browser, seeded.server)
  expect(page.url()).not.toContain('token')
  await close()
})

test('something that does not exist is reported with code, message and hint', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: '/runs/run_nowhere' })
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await expect.poll(() => alert.locator('code').first().textContent()).toMatch(/^[A-Z_]+$/)
  await close()
})

test('S3-116, S3-160: the detail page shows the final answer, and each step with tool, arguments, observation and elapsed time', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.plain.runId}` })
  const table = page.getByRole('region', { name: 'Timeline' })
  await page.getByText('The north quay stays').first().waitFor()
  await table.getByText('High water on Monday').waitFor()
  expect(await table.getByRole('columnheader').allTextContents()).toEqual([
    'Step',
    'Tool',
    'Arguments',
    'Observation',
    'Tokens',
    'Elapsed',
  ])
  const cells = await table
    .getByRole('row', { name: /file_read/ })
    .getByRole('cell')
    .allTextContents()
  expect(cells[1]).toBe('file_read')
  expect(cells[2]).toContain('path: notes/tides.md')
  expect(cells[5]).toMatch(/ms/)
  await close()
})

test('a live run is followed by its stream, without polling', async () => {
  const place = makeServerPlace()
  const [look, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  try {
    const model = speaking([
      [look.promise, { calls: [call('file_list', { path: '.' })] }],
      [end.promise, 'Looked.'],
    ])
    const server = await place.start({ model })
    const { sessionId: id } = await server.api.call('POST /api/sessions', {})
    const sent = server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'look' } })
    const runs = async () => (await server.api.call('GET /api/runs', {})).runs
    await expect.poll(async () => (await runs()).length).toBe(1)
    const { page, complaints, close } = await openPage(browser, server)
    await page.clock.install()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const streaming = page.waitForResponse((response) => response.url().includes('/events'))
    await page.goto(`${server.url}/runs/${(await runs())[0]?.runId}`)
    await streaming
    await page.locator('[data-tab="journal"] .badge', { hasText: /^[1-9]/ }).waitFor()
    await page.waitForLoadState('load')
    await expect.poll(() => requested.filter((path) => path.startsWith('/api/runs/')).length).toBeGreaterThan(2)

    requested.length = 0
    await page.clock.fastForward(10_000)
    await page.evaluate("fetch('/healthz').then((answer) => answer.text())")
    expect(requested.filter((path) => path.startsWith('/api/runs/'))).toEqual([])
    look.resolve()
    await page.getByRole('cell', { name: 'file_list' }).waitFor()
    end.resolve()
    await page.locator('.prose').getByText('Looked.').waitFor()
    await page.locator('[data-tab="journal"]').click()
    await page.locator('.journal-name', { hasText: 'turn.committed' }).waitFor()
    await sent
    expect(complaints).toEqual([])
    await close()
  } finally {
    await place.remove()
  }
})

test('the overview is not refreshed while it is hidden, and immediately when it becomes visible', async () => {
  const { page, close } = await openPage(browser, seeded.server)
  await page.clock.install()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const stats = () => requested.filter((path) => path === '/api/stats').length
  const turn = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await page.goto(`${seeded.server.url}/overview`)
  await page.locator('.columns').waitFor()
  await turn('hidden')
  await page.clock.fastForward(300_000)
  await page.evaluate("fetch('/healthz').then((answer) => answer.text())")
  expect(stats()).toBe(1)
  await turn('visible')
  await expect.poll(stats).toBe(2)
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000)
      return stats()
    })
    .toBeGreaterThan(2)
  await close()
})

test('a run links to its scouts, and its journal can be downloaded as JSON lines', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.scouts.runId}` })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export JSONL' }).click()
  expect((await saving).suggestedFilename()).toBe(`${seeded.runs.scouts.runId}.jsonl`)
  await page
    .getByRole('region', { name: 'Runs below' })
    .getByRole('link', { name: 'What is the cap of plan A?' })
    .click()
  await page.getByRole('link', { name: 'Parent run' }).waitFor()
  await close()
})

test('what-if shows which decisions of recorded runs another policy would change', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.plain.runId}` })
  await page.getByRole('link', { name: 'What if' }).last().click()
  await page.getByLabel('Disabled tools').fill('file_read')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Judge again' }).click()
  const row = page.getByRole('table').getByRole('row').nth(1)
  await row.waitFor()
  await expect.poll(() => row.textContent()).toMatch(/file_read.*allow.*deny.*TOOL_NOT_ALLOWED/)
  const hidden = "document.querySelector('.table-wrap').scrollWidth - document.querySelector('.table-wrap').clientWidth"
  await expect.poll(() => page.evaluate(hidden)).toBeLessThanOrEqual(0)
  const json = page.getByLabel('Changes as JSON')
  await json.fill('{')
  await page.getByRole('table').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('button', { name: 'Judge again' }).isDisabled()).toBe(true)
  await json.fill('{"agent": {"security": {"autonomy": "Full"}}}')
  expect(JSON.parse(await json.inputValue())).toEqual({ security: { autonomy: 'Full' } })
  await page.getByRole('button', { name: 'Judge again' }).click()
  await page.getByText(/would differ/).waitFor()
  await close()
})

test('the policy grid is edited by keyboard and saved, and cannot exceed the configuration of the server', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: '/policy' })
  const cell = page.getByRole('button', { name: 'browser_access, network: soft' })
  await cell.focus()
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'browser_access, network: not allowed' }).waitFor()
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await page.getByRole('status').getByText('Saved').waitFor()
  const { intents } = await seeded.server.api.call('GET /api/policy', {})
  expect(intents.browser_access.softAllowedFamilies).toEqual([])

  await page.getByRole('button', { name: 'browser_access, filesystem: not allowed' }).click()
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await page
    .getByRole('rowheader')
    .getByText(/^allowedFamilies: /)
    .waitFor()
  await close()
})

test('a routine is added, paused and removed', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: '/routines' })
  await page.getByRole('button', { name: 'Add routine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('hourly')
  await dialog.getByLabel('Schedule').fill('not a schedule')
  await dialog.getByLabel('Task').fill('list the files')
  await dialog.getByRole('button', { name: 'Add routine' }).click()
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Schedule').fill('@every 1h')
  await dialog.getByRole('button', { name: 'Add routine' }).click()
  await page.getByRole('button', { name: 'Pause hourly' }).click()
  const row = page.getByRole('row', { name: /hourly/ })
  await row.getByText('paused').waitFor()
  await row.getByRole('button', { name: 'Remove hourly' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await close()
})

test('a journal of 5,000 events is scrolled to its end with only the visible rows rendered', async () => {
  const place = makeServerPlace()
  try {
    const calls = Array.from({ length: 1700 }, () => call('file_list', { path: '.' }))
    const server = await place.start({ model: speaking([[{ calls }], ['Looked often enough.']]) })
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const params = { id: sessionId }
    const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params, body: { text: 'look' } })
    const { page, close } = await openPage(browser, server, { path: `/runs/${runId}` })
    await page.locator('[data-tab="journal"]').click()
    await page.locator('.journal-row').first().waitFor()
    await expect.poll(() => page.locator('[data-tab="journal"] .badge').textContent()).toMatch(/^5\d\d\d$/)
    await expect.poll(() => page.locator('.journal-row').count()).toBeLessThan(80)
    await page.locator('.journal').focus()
    await page.keyboard.press('End')
    await page.locator('.journal-name', { hasText: 'turn.committed' }).waitFor()
    await expect.poll(() => page.locator('.journal-row').count()).toBeLessThan(80)
    const first = page.locator('.journal-seq').first()
    // A key that arrives during the browser's own scrolling is lost.
    const home = async () => {
      await page.keyboard.press('Home')
      return first.textContent()
    }
    await expect.poll(home).toMatch(/^4\d\d\d$/)
    const more = page.getByRole('button', { name: 'Show more' })
    for (let left = 5; left > 0; left--) {
      await more.click()
      await expect.poll(async () => Number(await first.textContent())).toBeLessThan(left * 1000)
    }
    await expect.poll(() => first.textContent()).toBe('1')
    await more.waitFor({ state: 'detached' })
    await close()
  } finally {
    await place.remove()
  }
})

test('X-SCALE-2: a run of many steps opens with its newest calls, and shows earlier ones on request', async () => {
  const place = makeServerPlace()
  try {
    const steps = Array.from({ length: 250 }, (_, n) => [{ calls: [call('file_read', { path: `${n + 1}.txt` })] }])
    const config = { agent: { limits: { maxSteps: 260 } } }
    const server = await place.start({ model: speaking([...steps, ['Looked often enough.']]), config })
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const params = { id: sessionId }
    const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params, body: { text: 'look' } })
    const { page, close } = await openPage(browser, server, { path: `/runs/${runId}` })
    await page.getByText('250.txt').first().waitFor()
    await expect.poll(() => page.locator('[data-tab="timeline"] .badge').textContent()).toBe('250')
    await expect.poll(() => page.getByText('1.txt', { exact: true }).count()).toBe(0)
    const more = page.getByRole('button', { name: 'Show more' })
    const calls = page.locator('tr.trace-row.call')
    await expect.poll(() => calls.last().getByRole('cell').first().textContent()).toBe('250')
    // First the loaded ones that are not shown, then those before them. The button goes with the last ones.
    let known = await calls.count()
    expect(known).toBeLessThan(250)
    while (known < 250) {
      await more.click()
      await expect.poll(() => calls.count()).toBeGreaterThan(known)
      known = await calls.count()
    }
    await more.waitFor({ state: 'detached' })
    // Of an early call, too, the number and the whole result are known.
    await expect.poll(() => calls.first().getByRole('cell').first().textContent()).toBe('1')
    await calls.first().getByText('1.txt').first().waitFor()
    await close()
  } finally {
    await place.remove()
  }
})

test('a run that ends while its page opens is shown as ended, and its stream is not opened again and again', async () => {
  const place = makeServerPlace()
  const last = Promise.withResolvers<void>()
  try {
    const model = speaking([[{ calls: [call('file_list', { path: '.' })] }], [last.promise, 'Looked often enough.']])
    const server = await place.start({ model })
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const params = { id: sessionId }
    const ended = server.api.call('POST /api/sessions/:id/messages', { params, body: { text: 'look' } })
    await expect.poll(() => model.requests.length).toBe(2)
    const { runs } = await server.api.call('GET /api/runs', {})
    const runId = runs[0]?.runId ?? ''
    const { page, close } = await openPage(browser, server)
    const streams: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/events?after=')) streams.push(request.url())
    })
    // The page knows the run as running when the whole journal arrives.
    await page.route('**/events?before=*', async (route) => {
      last.resolve()
      await ended
      await route.continue()
    })
    await page.goto(`${server.url}/runs/${runId}`)
    await page.getByText('Looked often enough.').first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    await page.getByText('final', { exact: true }).first().waitFor()
    expect(streams.length).toBeLessThanOrEqual(1)
    await close()
  } finally {
    last.resolve()
    await place.remove()
  }
})
