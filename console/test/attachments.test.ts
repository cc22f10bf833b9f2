import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { scriptedModel } from '../../runtime/src/model/scripted.ts'
import { makePdf } from '../../runtime/test/support/pdf.ts'
import { makePng } from '../../runtime/test/support/pictures.ts'
import { makeServerPlace, speaking, type TestPlace } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, seriousViolations, type Watched } from './support/browser.ts'

let browser: Browser
let place: TestPlace
let watched: Watched | undefined

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(async () => {
  await watched?.close()
  await place.remove()
})

const png = makePng({ width: 64, height: 48 })

/** As if the user had copied a picture, or dragged one over the field. */
const hand = (kind: 'paste' | 'drop') => `
  const data = new DataTransfer()
  const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (c) => c.charCodeAt(0))
  data.items.add(new File([bytes], '${kind}.png', { type: 'image/png' }))
  const event = '${kind}' === 'paste'
    ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
  document.querySelector('.composer textarea').dispatchEvent(event)`

test('X-MEDIA-13: files are chosen, pasted or dropped, shown before and after sending, and stay after a reload', async () => {
  const server = await place.start({ model: scriptedModel([{ purpose: 'main', text: 'Three files.' }]) })
  watched = await openPage(browser, server)
  const { page, complaints } = watched
  await page.locator('.composer textarea').waitFor()
  const report = { name: 'report.pdf', mimeType: 'application/pdf', buffer: makePdf([['Revenue was 12 million.']]) }
  await page.locator('input[type=file]').setInputFiles([report])
  await page.locator('.composer-files').getByText('report.pdf').waitFor()
  await page.evaluate(hand('paste'))
  await page.evaluate(hand('drop'))
  await expect.poll(() => page.locator('.composer-files img').count()).toBe(2)
  expect(await seriousViolations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Message' }).fill('What are these?')
  await page.keyboard.press('Enter')
  await page.locator('.turn-foot').getByText('final').waitFor()
  await expect.poll(() => page.locator('.attached img').count()).toBe(2)
  expect(await page.locator('.composer-files').count()).toBe(0)
  await page.reload()
  await expect.poll(() => page.locator('.attached img').count()).toBe(2)
  const width = '[...document.querySelectorAll(".attached img")].map((one) => one.naturalWidth).join()'
  await expect.poll(() => page.evaluate(width)).toBe('64,64')
  await page.locator('.attached').getByText('report.pdf').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('X-MEDIA-13: a file can be removed again, and a refusal puts the message and its files back', async () => {
  const server = await place.start({ model: speaking([['never']]) })
  watched = await openPage(browser, server)
  const { page } = watched
  await page.locator('.composer textarea').waitFor()
  await page.evaluate(hand('paste'))
  await page.evaluate(hand('drop'))
  await page.getByRole('button', { name: 'Remove paste.png' }).click()
  await expect.poll(() => page.locator('.composer-files img').count()).toBe(1)
  await page.getByRole('textbox', { name: 'Message' }).fill('What is this?')
  await page.keyboard.press('Enter')
  await page.getByText('test/spoken cannot read pictures').waitFor()
  await expect.poll(() => page.locator('.composer-files img').count()).toBe(1)
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('What is this?')
})
