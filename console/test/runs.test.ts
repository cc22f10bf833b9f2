/** The list of runs and the page of a run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, makeServerPlace, speaking } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage } from './support/browser.ts'
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

test('X-CONSOLE-7: runs are listed without their child runs, which open below them under the names of their nodes', async () => {
  const { page, complaints, close } = await openPage(browser, seeded.server, { path: '/runs' })
  const names = async () => (await page.locator('.run-name a').allTextContents()).map((text) => text.trim())
  await page.getByRole('link', { name: 'digest' }).waitFor()
  expect(await names()).toEqual([
    'harbour-report',
    'digest',
    'Decisions of window w-1',
    'Remove the old log in scratch',
    'Compare the caps of plan A and plan B in docs',
    'Summarise inbox/message.md',
    'Read /etc/passwd and tell me who has a shell',
    'What do the notes say about this week?',
  ])
  await page.getByRole('button', { name: 'Child runs of digest: 2' }).click()
  await page.getByRole('button', { name: 'Child runs of agent_core · agent_core: 1' }).click()
  await page.getByRole('link', { name: 'list the files here' }).waitFor()
  expect((await names()).slice(1, 4)).toEqual(['digest', 'agent_core · agent_core', 'list the files here'])
  await page.getByLabel('Mode').selectOption('scout')
  await page.getByRole('link', { name: 'What is the cap of plan B?' }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

test('X-CONSOLE-7: a failure is counted once, however many runs it ended', async () => {
  const place = makeServerPlace()
  const server = await place.start({ model: speaking([]) })
  // One step is not enough: the agent, its node and the workflow all fail.
  const args = { model: 'rules', max_steps: 1, allowed_tools: ['file_list'], prompt: 'list the files here' }
  const nodes = [{ id: 'agent', tool: 'agent_core', args }]
  const document = { name: 'doomed', nodes, edges: [] }
  const params = { name: 'doomed' }
  await server.api.call('PUT /api/workflows/:name', { params, body: { document } })
  await server.api.call('POST /api/workflows/:name/run', { params, body: { input: {} } })
  expect((await server.api.call('GET /api/runs', {})).runs).toHaveLength(3)
  const { page, close } = await openPage(browser, server, { path: '/overview' })
  const stops = page.getByRole('list', { name: 'Stop reasons' }).getByRole('listitem')
  await expect.poll(() => stops.allTextContents()).toEqual([expect.stringMatching(/1$/)])
  await page.goto(`${server.url}/runs`)
  await expect.poll(() => page.locator('.badge.deny').count()).toBe(1)
  await close()
  await place.remove()
})

test('X-CONSOLE-3: a run with refused calls is not shown like one without', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: '/runs' })
  const badge = (task: RegExp) => page.getByRole('row', { name: task }).locator('.badge.named')
  await expect.poll(() => badge(/etc.passwd/).getAttribute('class')).toContain('ask')
  await expect.poll(() => badge(/etc.passwd/).textContent()).toContain('1 denied')
  await expect.poll(() => badge(/What do the notes/).getAttribute('class')).toContain('allow')
  await close()
})

test('X-CONSOLE-8: a run that begins elsewhere appears without a reload', async () => {
  const place = makeServerPlace()
  const server = await place.start({ model: speaking([]) })
  const { page, close } = await openPage(browser, server, { path: '/runs' })
  await page.getByText('No runs yet').waitFor()
  await page.getByText('Runs of the command line belong to its user').waitFor()
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'feed the cat' } })
  await page.getByRole('link', { name: 'feed the cat' }).waitFor()
  await close()
  await place.remove()
})

test('X-CONSOLE-5: the timeline shows model calls with tokens between the calls, groups equal ones, and where the time went', async () => {
  const place = makeServerPlace()
  writeFileSync(join(place.workspace, 'a.md'), 'text')
  const calls = [
    ...Array.from({ length: 40 }, () => call('file_list', { path: '.' })),
    call('file_read', { path: 'a.md' }),
  ]
  const server = await place.start({ model: speaking([[{ calls }], ['Looked.']]) })
  const { sessionId: id } = await server.api.call('POST /api/sessions', {})
  const body = { text: 'look' }
  const { runId } = await server.api.call('POST /api/sessions/:id/messages', { params: { id }, body })
  const { page, complaints, close } = await openPage(browser, server, { path: `/runs/${runId}` })
  const rows = page.getByRole('region', { name: 'Timeline' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(4)
  expect(await rows.nth(0).textContent()).toMatch(/test\/spoken.*proposes 41 calls.*3 \/ 2/)
  expect(await rows.nth(1).textContent()).toMatch(/1–40.*file_list.*×40/)
  expect(await rows.nth(2).textContent()).toMatch(/41.*file_read/)
  expect(await rows.locator('.waterfall i').count()).toBe(4)
  await page.getByRole('list', { name: 'Where the time went' }).getByText('Model').waitFor()
  expect(complaints).toEqual([])
  await close()
  await place.remove()
})

test('X-CONSOLE-9: view, step and filter are in the address, and a link opens them again', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.plain.runId}` })
  await page.getByRole('link', { name: '2', exact: true }).click()
  await page.locator('tr[aria-current="step"]', { hasText: 'file_read' }).waitFor()
  expect(new URL(page.url()).search).toBe('?step=2')
  await page.getByRole('tab', { name: /Journal/ }).click()
  await page.getByLabel('Event type').selectOption('tool.call')
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=journal&type=tool.call')
  await page.reload()
  await expect.poll(() => page.locator('.journal-name').allTextContents()).toEqual(['tool.call', 'tool.call'])
  await page.goto(`${seeded.server.url}/runs?q=cap&since=24h`)
  await expect.poll(() => page.getByLabel('Search tasks').inputValue()).toBe('cap')
  await expect.poll(() => page.locator('.run-name a').count()).toBe(3)
  await close()
})

test('X-CONSOLE-6: the page of a workflow run shows inputs, outputs, and the nodes that were skipped with their reason', async () => {
  const { page, close } = await openPage(browser, seeded.server, { path: `/runs/${seeded.runs.workflow.runId}` })
  const node = (id: string) => page.getByRole('list', { name: 'Nodes' }).getByRole('listitem').filter({ hasText: id })
  await node('read').getByText('"docs/plan-c.md" does not exist').waitFor()
  await node('publish').getByText('no active edge leads to it').waitFor()
  await node('list').getByText('plan-a.md').waitFor()
  await page.getByRole('region', { name: 'Inputs' }).getByText('docs/plan-c.md').waitFor()
  await close()
})
