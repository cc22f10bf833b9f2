/** The Undo button on the page of a run. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptEntry, scriptedModel } from '../../runtime/src/model/scripted.ts'
import { makeServerPlace, type TestPlace, type TestServer } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, seriousViolations } from './support/browser.ts'

let browser: Browser
let place: TestPlace
let server: TestServer
beforeAll(async () => {
  place = makeServerPlace()
  const write = (path: string, content: string) => ({ tool: 'file_write', args: { path, content } })
  const turn = (n: number): ScriptEntry[] => [
    {
      purpose: 'main',
      calls: [write('plan.md', `new ${n}\n`), write('mine.md', `new ${n}\n`), write('extra.md', '1')],
    },
    { purpose: 'main', text: 'done' },
  ]
  const model = scriptedModel([...turn(1), ...turn(2)])
  const agent = {
    security: { autonomy: 'Full' as const },
    execution: { intentGuard: { enabled: false } },
    routing: { enabled: false },
  }
  ;[browser, server] = await Promise.all([openBrowser(), place.start({ config: { agent }, model })])
})
afterAll(async () => {
  await browser?.close()
  await place?.remove()
})

const inWorkspace = (name: string) => join(place.workspace, name)

/** A run that changed two files and created one; the user has changed one of them since. */
async function changedRun(): Promise<string> {
  for (const name of ['plan.md', 'mine.md']) writeFileSync(inWorkspace(name), 'old\n')
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const body = { text: 'change the plans' }
  const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body })
  writeFileSync(inWorkspace('mine.md'), 'by hand\n')
  return runId
}

test.each([
  { lang: 'en', open: 'Undo…', title: 'Left as they are', act: /Restore 2 files/, done: /2 files restored/ },
  { lang: 'zh', open: '撤销…', title: '保持不变', act: /恢复 2 个文件/, done: /恢复了 2 个文件/ },
] as const)('X-UNDO-13: the button shows what comes back and what does not, then restores ($lang)', async (words) => {
  const runId = await changedRun()
  const { page, complaints, close } = await openPage(browser, server, { lang: words.lang, path: `/runs/${runId}` })
  await page.getByRole('button', { name: words.open }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('plan.md').waitFor()
  const text = (await dialog.textContent()) ?? ''
  expect(text).toContain(words.title)
  expect(text).toContain('mine.md')
  expect(await seriousViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: words.act }).click()
  await page.getByText(words.done).first().waitFor()
  expect(['plan.md', 'mine.md'].map((name) => readFileSync(inWorkspace(name), 'utf8'))).toEqual(['old\n', 'by hand\n'])
  expect(complaints).toEqual([])
  await close()
})
