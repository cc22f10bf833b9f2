/** Long words, large numbers, and what the policy and what-if pages distinguish. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, makeServerPlace, speaking, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage } from './support/browser.ts'
import { type Seeded, seed } from './support/seeded.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(12)

describe('with words of 400 letters and billions of tokens', () => {
  let place: TestPlace
  let server: TestServer
  let ids: { sessionId: string; runId: string }
  beforeAll(async () => {
    place = makeServerPlace()
    const told = speaking([
      [{ calls: [call('memory_store', { content: WORD }), call('file_read', { path: `${WORD}.md` })] }],
      [`${WORD}\n\n| ${WORD} | b |\n|--|--|\n| 1 | 2 |\n\n- ${WORD}\n\n> ${WORD}\n\n\`${WORD}\``],
    ])
    const usage = { inputTokens: 1_234_567_890, outputTokens: 987_654_321 }
    const model = {
      ...told,
      async *ask(...given: Parameters<typeof told.ask>) {
        const completion = yield* told.ask(...given)
        return { ...completion, usage }
      },
    }
    server = await place.start({
      model,
      config: { agent: { prices: { 'test/spoken': { input: 9999, output: 9999 } } } },
    })
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    const body = { text: `remember ${WORD}` }
    const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params: { id: sessionId }, body })
    ids = { sessionId, runId }
  })
  afterAll(() => place?.remove())

  test.each([1280, 380])('X-CONSOLE-15: no page of %i pixels scrolls sideways or has text over text', async (width) => {
    const { page, complaints, close } = await openPage(browser, server, { width })
    const places = {
      [`/chat/${ids.sessionId}`]: '.turn-foot',
      '/runs': '.run-name',
      [`/runs/${ids.runId}`]: '.trace-row',
      [`/runs/${ids.runId}?tab=decisions`]: '.decision',
      '/overview': '.tile',
      '/memory': 'td',
    }
    for (const [path, ready] of Object.entries(places)) {
      await page.goto(`${server.url}${path}`)
      await page.locator(ready).first().waitFor()
      const wide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
      await expect.poll(wide, { message: path }).toBeLessThanOrEqual(0)
      // Cells and cards: their text ends inside them.
      const beyond = `[...document.querySelectorAll('td, dd, .card, .tool-card, .session, .note, h1')].filter(
        (box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === 'visible'
          && getComputedStyle(box).display !== 'inline').map((box) => box.className + ' ' + box.textContent.slice(0, 60))`
      expect(await page.evaluate(beyond), path).toEqual([])
    }
    expect(complaints).toEqual([])
    await close()
  })

  test('X-CONSOLE-15: large numbers are short, with the whole number as a tooltip', async () => {
    const { page, close } = await openPage(browser, server, { path: '/runs' })
    const cell = page
      .getByRole('row', { name: /remember/ })
      .getByRole('cell')
      .nth(3)
    await expect.poll(() => cell.textContent()).toBe('4.4B')
    expect(await cell.getAttribute('title')).toBe('4,444,444,422')
    await close()
  })
})

describe('what the pages distinguish', () => {
  let seeded: Seeded
  beforeAll(async () => {
    seeded = await seed()
  })
  afterAll(() => seeded?.place.remove())

  test('X-CONSOLE-16: the policy grid tells families that are not allowed from rows that are not enforced', async () => {
    const { page, close } = await openPage(browser, seeded.server, { path: '/policy' })
    await page.getByRole('button', { name: 'browser_access, shell: not allowed' }).waitFor()
    await page.getByRole('button', { name: 'general, shell: not restricted' }).waitFor()
    await page.getByRole('button', { name: 'code_edit, filesystem: allowed' }).waitFor()
    await page.getByRole('list', { name: 'Legend' }).getByText('not enforced: every family may be used').waitFor()
    await close()
  })

  test('X-CONSOLE-18: a rule is written, tested with its examples and with calls, and saved if it only tightens', async () => {
    const { page, complaints, close } = await openPage(browser, seeded.server, { path: '/rules' })
    await page.getByRole('button', { name: 'Add rule' }).click()
    const card = page.getByRole('group', { name: 'Rule 1' })
    await card.getByRole('button', { name: 'Remove git push *' }).click()
    await card.getByLabel('Commands').fill('npm publish *')
    await page.keyboard.press('Enter')
    await card.getByLabel('Decision').selectOption('deny')
    await card.getByLabel('Must match').fill('npm install x')
    await page.getByLabel('Calls to try').fill('npm publish x')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('1 of 1 examples fail.').waitFor()
    expect(await page.getByRole('button', { name: 'Save on this server' }).isDisabled()).toBe(true)
    await card.getByLabel('Must match').fill('npm publish x')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('All 1 examples hold.').waitFor()
    const row = page.getByRole('region', { name: 'Calls to try' }).getByRole('row', { name: /npm publish x/ })
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual(['npm publish x', expect.stringContaining('ask'), expect.stringMatching(/deny.*draft 1/)])
    await page.getByRole('button', { name: 'Save on this server' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    await page.getByRole('tab', { name: /In force/ }).click()
    await page.getByRole('cell', { name: /npm publish/ }).waitFor()

    await page.getByRole('tab', { name: 'Draft' }).click()
    await card.getByLabel('Decision').selectOption('allow')
    await page.getByText(/An allow is not saved over HTTP/).waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('All 1 examples hold.').waitFor()
    expect(await page.getByRole('button', { name: 'Save on this server' }).isDisabled()).toBe(true)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download file' }).click()
    expect((await saving).suggestedFilename()).toBe('agent.config.json')
    expect(complaints).toEqual([])
    await close()
  })

  test('X-CONSOLE-19: the differences of the shadow policy are listed and filtered', async () => {
    const { page, close } = await openPage(browser, seeded.server, { path: '/rules?tab=shadow' })
    const rows = page.getByRole('region', { name: 'Decisions that differ' }).locator('tbody tr')
    await rows.first().waitFor()
    await page.getByLabel('Tool', { exact: true }).selectOption('file_list')
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=shadow&tool=file_list')
    const texts = await rows.allTextContents()
    expect(texts.length).toBeGreaterThan(0)
    // No person can be asked in a workflow.
    for (const text of texts) expect(text).toMatch(/file_list.*allow.*(?:ask|deny)/)
    await close()
  })

  test('X-CONSOLE-17: changed decisions are filtered by change, tool and reason, and the filter is in the address', async () => {
    const { page, complaints, close } = await openPage(browser, seeded.server, { path: '/what-if' })
    await page.getByLabel('Disabled tools').fill('file_read')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Judge again' }).click()
    const rows = page.getByRole('region', { name: 'Decisions that differ' }).locator('tbody tr')
    await rows.first().waitFor()
    const all = await rows.count()
    await page.getByLabel('Tool', { exact: true }).selectOption('file_read')
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringContaining('file_read'), expect.stringContaining('file_read')])
    expect(await rows.count()).toBeLessThan(all)
    expect(new URL(page.url()).search).toBe('?tool=file_read')
    await page.getByLabel('Change', { exact: true }).selectOption('allow-deny')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Tool', { exact: true }).selectOption('')
    await page.getByLabel('Reason', { exact: true }).selectOption({ index: 1 })
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await close()
  })
})

test('X-CONSOLE-20: a memory is found, leads to the run it came from, and is deleted after a confirmation', async () => {
  const place = makeServerPlace()
  const model = speaking([
    [
      {
        calls: [
          call('memory_store', { content: 'the cat is called Mia' }),
          call('memory_store', { content: 'berth 4 is free' }),
        ],
      },
    ],
    ['Noted.'],
  ])
  const server = await place.start({ model })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const body = { text: 'remember that the cat is called Mia and that berth 4 is free' }
  await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body })
  const { page, complaints, close } = await openPage(browser, server, { path: '/memory' })
  const rows = page.getByRole('region', { name: 'Memory' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Search').fill('cat')
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('the cat is called Mia')])
  expect(new URL(page.url()).search).toBe('?q=cat')
  await rows.first().getByRole('link', { name: 'agent' }).click()
  await page.locator('.trace-row').first().waitFor()
  await page.goBack()
  await rows
    .first()
    .getByRole('button', { name: /^Delete mem_/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No matches').waitFor()
  expect((await server.api.call('GET /api/memory', {})).memories).toMatchObject([{ content: 'berth 4 is free' }])
  expect(complaints).toEqual([])
  await close()
  await place.remove()
})

test('X-CONSOLE-15: on a narrow screen a run that waits for approval has its words inside their cells', async () => {
  const place = makeServerPlace()
  try {
    const server = await place.start({ model: speaking([[{ calls: [call('shell', { command: 'mkdir notes' })] }]]) })
    const { sessionId } = await server.api.call('POST /api/sessions', {})
    await server.api.call('POST /api/sessions/:id/messages', { params: { id: sessionId }, body: { text: 'look' } })
    const { page, close } = await openPage(browser, server, { width: 390, path: '/runs' })
    await page.locator('td .badge', { hasText: 'needs approval' }).waitFor()
    const outside = `[...document.querySelectorAll('td')].filter((cell) =>
      [...cell.querySelectorAll('.badge')].some((badge) =>
        badge.getBoundingClientRect().right > cell.getBoundingClientRect().right)).map((cell) => cell.textContent)`
    expect(await page.evaluate(outside)).toEqual([])
    await close()
  } finally {
    await place.remove()
  }
})
