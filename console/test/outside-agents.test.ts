/** Sessions of outside agents in the console: the list, the trace, a question, and what-if. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Guard, openGuard } from '../../runtime/src/index.ts'
import { OPEN_SHELL } from '../../runtime/test/support/guard.ts'
import { makeServerPlace, type TestPlace } from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, seriousViolations } from './support/browser.ts'

let browser: Browser
let place: TestPlace
let guard: Guard
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  place = makeServerPlace()
  const env = { HOME: place.home, PATH: process.env.PATH ?? '' }
  guard = await openGuard({ data: place.data, env, lang: 'en', config: OPEN_SHELL })
})
afterEach(async () => {
  await guard.close()
  await place.remove()
})

const bash = (command: string) => ({ tool: 'Bash', args: { command } })

function sessionOf(agent: string, folder: string) {
  const cwd = join(place.home, folder)
  mkdirSync(cwd, { recursive: true })
  return guard.session({ id: 'one', agent, cwd, isAttended: false })
}

async function work(agent: string, task: string) {
  const session = sessionOf(agent, `${agent}-project`)
  await session.say(task)
  const { callId } = await session.propose(bash('ls'))
  await session.observe(callId, { ok: true, text: 'a.ts' })
  const helper = await session.propose({ ...bash('wc -l a.ts'), subAgent: { id: 'agent-7', type: 'Explore' } })
  await session.observe(helper.callId, { ok: true, text: '3 a.ts' })
  return session
}

test('X-GUARD-11: sessions of outside agents are listed with name and folder, and by agent', async () => {
  for (const agent of ['claude', 'codex', 'other']) await (await work(agent, `task of ${agent}`)).end('done')
  const server = await place.start()
  const { page, complaints, close } = await openPage(browser, server, { path: '/runs' })
  const names = async () => (await page.locator('.run-name a').allTextContents()).map((text) => text.trim())
  const kinds = async () => (await page.locator('.run-kind').allTextContents()).map((text) => text.trim())
  await expect.poll(kinds).toEqual(['other · other-project', 'Codex · codex-project', 'Claude Code · claude-project'])
  await page.getByLabel('Mode').selectOption('guard')
  await page.getByLabel('Agent').selectOption('Codex')
  await expect.poll(names).toEqual(['task of codex'])
  expect(await seriousViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'task of codex' }).click()
  await page.getByText(join(place.home, 'codex-project')).waitFor()
  await page.getByText('sub-agent Explore').waitFor()
  await page.getByRole('link', { name: 'All runs of this session' }).click()
  await expect.poll(names).toEqual(['task of codex'])
  expect(complaints).toEqual([])
  await close()
})

test('X-GUARD-11: a question of an outside agent is approved in the console, and the same call passes once', async () => {
  const session = await work('claude', 'publish it')
  const push = bash('git push --force origin main')
  expect(await session.propose(push)).toMatchObject({ decision: 'ask', isParked: true })
  await session.end('I need approval.')
  const server = await place.start()
  const { page, complaints, close } = await openPage(browser, server, { path: '/approvals' })
  await page.getByText('git push --force origin main').first().waitFor()
  await page.getByText('Claude Code · claude-project').waitFor()
  // The agent makes the call, so it cannot be another one.
  expect(await page.getByRole('button', { name: 'Edit first' }).count()).toBe(0)
  await page.getByRole('button', { name: /Yes, once/ }).click()
  await expect.poll(async () => (await server.api.call('GET /api/approvals', {})).open).toEqual([])
  await expect
    .poll(async () => (await server.api.call('GET /api/runs', { query: { agent: 'claude' } })).runs[0]?.stopReason)
    .toBe('final')
  await session.say('go on')
  expect(await session.propose(push)).toMatchObject({ decision: 'allow' })
  expect(complaints).toEqual([])
  await close()
})

test('X-GUARD-11: what-if judges the calls of an outside agent with another policy', async () => {
  await (await work('opencode', 'look around')).end('done')
  const server = await place.start()
  const { runs } = await server.api.call('GET /api/runs', { query: { agent: 'opencode' } })
  const { page, complaints, close } = await openPage(browser, server, { path: `/runs/${runs[0]?.runId}` })
  await page.getByRole('link', { name: 'What if…' }).click()
  await page.getByLabel('Autonomy').first().selectOption('ReadOnly')
  await page
    .getByRole('button', { name: /Compare|Judge|Run/ })
    .first()
    .click()
  await page.getByText('wc -l a.ts').first().waitFor()
  expect(complaints).toEqual([])
  await close()
})
