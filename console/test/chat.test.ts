import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { scriptedModel } from '../../runtime/src/model/scripted.ts'
import { type Cable, openCable } from '../../runtime/test/support/cable.ts'
import { makePlace } from '../../runtime/test/support/cli.ts'
import {
  call,
  makeServerPlace,
  type Part,
  speaking,
  type TestPlace,
  type TestServer,
} from '../../runtime/test/support/server.ts'
import { openBrowser, openPage, type Watched } from './support/browser.ts'

let browser: Browser
let place: TestPlace
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await place.remove()
})

/** A page on a server with a scripted model; `through` is the connection between them. */
async function chatting(steps: readonly (readonly Part[])[], { through }: { through?: true } = {}) {
  const server = await place.start({ model: speaking(steps) })
  let cable: Cable | undefined
  if (through) {
    cable = await openCable(server.url)
    opened.push(cable)
  }
  const watched = await openPage(browser, { url: cable?.url ?? server.url, token: server.token })
  opened.unshift(watched)
  return { server, cable, ...watched }
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

test('a click runs a sample task, and the built-in rules identify themselves', async () => {
  const server: TestServer = await place.start({ model: 'rules' })
  const watched: Watched = await openPage(browser, server)
  opened.push(watched)
  const { page, complaints } = watched
  writeFileSync(join(place.workspace, 'harbour.txt'), 'ships\n')
  await page.locator('.sample').first().waitFor()
  await expect.poll(() => page.locator('.sample').count()).toBe(3)
  await expect.poll(() => page.getByText(/not a language model/).count()).toBe(1)
  await expect.poll(() => page.getByText(/Answered by/).count()).toBe(0)
  await page.locator('.sample').first().click()
  await page.locator('.turn-foot').getByText('final').waitFor()
  await expect.poll(() => page.locator('.reply').textContent()).toContain('harbour.txt')
  await expect.poll(() => page.getByText(/not by a language model/).count()).toBe(1)
  expect(complaints).toEqual([])
})

test('below a long conversation, a question is shown to its last answer, and says each thing once', async () => {
  for (let n = 0; n < 40; n++) writeFileSync(join(place.workspace, `note-${n}.txt`), 'a note\n')
  const watched = await openPage(browser, await place.start({ model: 'rules' }))
  opened.push(watched)
  const { page } = watched
  await say(page, 'list the files here')
  await page.locator('.turn-foot').waitFor()
  await say(page, 'run the command: mkdir notes')
  const question = page.getByRole('group', { name: 'Allow shell to do this?' })
  await question.waitFor()
  const last = question.getByRole('button', { name: 'Say no and why…' })
  const covered = async () => {
    const [answer, dock] = [await last.boundingBox(), await page.locator('.composer-dock').boundingBox()]
    return (answer?.y ?? 0) + (answer?.height ?? 0) > (dock?.y ?? 0)
  }
  await expect.poll(covered).toBe(false)
  expect(await page.getByRole('button', { name: 'Go to the end' }).count()).toBe(0)
  expect(await question.locator('.badge').first().textContent()).toBe('Medium')
  await question.getByRole('button', { name: 'Always: mkdir commands that change files (in the shell)' }).waitFor()
})

test('a token that may not answer is told so, and offered no answer', async () => {
  const server = await place.start({ model: speaking([[{ calls: [call('shell', { command: 'mkdir notes' })] }]]) })
  const cli = makePlace()
  const words = ['token', 'add', 'bob', '--scopes', 'read,run', '--data', place.data]
  const token = (await cli.writ(words, { env: { HOME: place.home } })).stdout.trim()
  cli.remove()
  const watched = await openPage(browser, { url: server.url, token })
  opened.push(watched)
  const { page } = watched
  await say(page, 'make the folder notes')
  const question = page.getByRole('group', { name: 'Allow shell to do this?' })
  await question.getByText(/needs a token with the scope approve/).waitFor()
  expect(await question.getByRole('button', { name: 'Yes, once' }).isDisabled()).toBe(true)
})

test('a reply is shown while it is written, and is complete at the end', async () => {
  const rest = Promise.withResolvers<void>()
  const { page } = await chatting([['The tide ', rest.promise, 'is high.']])
  await say(page, 'when is high water?')
  await page.locator('.reply.live').getByText('The tide').waitFor()
  await expect.poll(() => page.getByRole('log').getAttribute('aria-busy')).toBe('true')
  rest.resolve()
  await page.locator('.turn-foot').waitFor()
  await expect.poll(() => page.locator('.reply').allTextContents()).toEqual(['Writ: The tide is high.'])
})

test('a command waits for approval, shows exactly what will run, and is answered by keyboard', async () => {
  const command = 'touch made.txt'
  const { page, complaints } = await chatting([[{ calls: [call('shell', { command })] }], ['It is there.']])
  await say(page, 'make the file made.txt')
  const question = page.getByRole('group', { name: 'Allow shell to do this?' })
  await question.getByText(command, { exact: true }).waitFor()
  expect(existsSync(join(place.workspace, 'made.txt'))).toBe(false)
  await expect.poll(() => page.evaluate("document.activeElement.matches('.approval')")).toBe(true)
  await page.keyboard.press('y')
  await page.locator('.turn-foot').waitFor()
  expect(existsSync(join(place.workspace, 'made.txt'))).toBe(true)
  const card = page.locator('.tool-card')
  await expect.poll(() => card.locator('summary').textContent()).toMatch(/shell.*ask.*done/)
  await page.locator('.turn-foot a').click()
  await page.getByRole('tab', { name: /Decisions/ }).click()
  await page.locator('.decision').first().waitFor()
  await expect
    .poll(() => page.locator('.decision').allTextContents())
    .toEqual([expect.stringMatching(/ask.*allow.*Answer Yes, once y/)])
  expect(complaints).toEqual([])
})

test('"always" applies to the session, is shown, and can be revoked', async () => {
  const touch = (name: string) => [{ calls: [call('shell', { command: `touch ${name}` })] }]
  const { page } = await chatting([touch('one'), touch('two'), ['Done.'], touch('three')])
  await say(page, 'make the files one and two')
  await page.getByRole('group', { name: 'Allow shell to do this?' }).waitFor()
  await page.keyboard.press('a')
  await page.locator('.turn-foot').waitFor()
  expect(existsSync(join(place.workspace, 'two'))).toBe(true)
  await page.getByRole('button', { name: 'Revoke shell touch' }).click()
  await page.getByRole('button', { name: 'Revoke shell touch' }).waitFor({ state: 'detached' })
  await say(page, 'make the file three')
  await page.getByRole('group', { name: 'Allow shell to do this?' }).waitFor()
})

test('a rule is remembered from the card, listed on the approvals page, and revoked there', async () => {
  const write = (path: string) => [{ calls: [call('file_write', { path, content: 'x' })] }]
  const { page, complaints } = await chatting([write('src/a.txt'), write('src/b.txt'), ['Done.']])
  await say(page, 'write the files src/a.txt and src/b.txt')
  const question = page.getByRole('group', { name: 'Allow file_write to do this?' })
  await question.getByRole('button', { name: 'Remember a rule…' }).click()
  await question.getByLabel('Allow from now on').selectOption({ label: 'file_write to files under src/' })
  await question.getByLabel('Where').selectOption('workspace')
  if (process.env.WRIT_SHOT_RULE) await question.screenshot({ path: process.env.WRIT_SHOT_RULE })
  await question.getByRole('button', { name: 'Remember and allow' }).click()
  await page.locator('.turn-foot').waitFor()
  expect(existsSync(join(place.workspace, 'src/b.txt'))).toBe(true)
  await page.getByRole('link', { name: /Approvals/ }).click()
  const rules = page.getByRole('region', { name: 'Remembered rules' })
  await rules.getByText('file_write to files under src/').waitFor()
  await rules.getByRole('button', { name: /^Revoke the rule/ }).click()
  await rules.getByText('No remembered rules.').waitFor()
  expect(complaints).toEqual([])
})

test('a rule of the conversation is shown in it and revoked there', async () => {
  const write = (path: string) => [{ calls: [call('file_write', { path, content: 'x' })] }]
  const { page } = await chatting([write('src/a.txt'), ['Done.'], write('src/b.txt')])
  await say(page, 'write the file src/a.txt')
  const question = page.getByRole('group', { name: 'Allow file_write to do this?' })
  await question.getByRole('button', { name: 'Remember a rule…' }).click()
  await question.getByLabel('Allow from now on').selectOption({ label: 'file_write to files under src/' })
  await question.getByRole('button', { name: 'Remember and allow' }).click()
  await page.locator('.turn-foot').waitFor()
  const revoke = page.getByRole('button', { name: /^Revoke the rule/ })
  await revoke.click()
  await revoke.waitFor({ state: 'detached' })
  await say(page, 'write the file src/b.txt')
  await question.waitFor()
})

test('a call is edited in the card, checked again, and runs as changed; letters typed there are not answers', async () => {
  const { page } = await chatting([
    [{ calls: [call('file_write', { path: 'a.txt', content: 'draft' })] }],
    ['Written.'],
  ])
  await say(page, 'write the file a.txt')
  const question = page.getByRole('group', { name: 'Allow file_write to do this?' })
  await question.getByRole('button', { name: 'Edit first…' }).click()
  await question.getByLabel('Change the text').fill('')
  await question.getByLabel('Change the text').pressSequentially('any day now')
  await question.getByRole('button', { name: 'Check the changed call' }).click()
  await question.getByText('changed by a user').waitFor()
  expect(existsSync(join(place.workspace, 'a.txt'))).toBe(false)
  await question.getByRole('button', { name: /Yes, once/ }).click()
  await page.locator('.turn-foot').waitFor()
  expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toBe('any day now')
  await page.locator('.turn-foot a').click()
  await page.getByRole('tab', { name: /Decisions/ }).click()
  await page.locator('.decision').getByText('Changed by').waitFor()
})

test('a no carries the reason that was typed', async () => {
  const { page } = await chatting([
    [{ calls: [call('file_write', { path: 'a.txt', content: 'x' })] }],
    ['As you wish.'],
  ])
  await say(page, 'write the file a.txt')
  await page.getByRole('button', { name: 'Say no and why…' }).click()
  await page.getByLabel('Why not?').fill('use another name')
  await page.getByRole('button', { name: 'Answer no' }).click()
  await page.getByText('As you wish.', { exact: true }).waitFor()
  await page.locator('.turn-foot a').click()
  await page.getByRole('tab', { name: /Decisions/ }).click()
  await page.locator('.decision').getByText('use another name').first().waitFor()
})

test('the model sees a no, and nothing runs', async () => {
  const { page } = await chatting([[{ calls: [call('shell', { command: 'touch no.txt' })] }], ['As you wish.']])
  await say(page, 'make the file no.txt')
  await page.getByRole('button', { name: /^No/ }).click()
  await page.getByText('As you wish.', { exact: true }).waitFor()
  expect(existsSync(join(place.workspace, 'no.txt'))).toBe(false)
  await expect.poll(() => page.locator('.tool-card summary').textContent()).toContain('rejected by a user')
})

test('a question can be answered on the approvals page, and its run continues', async () => {
  const { page } = await chatting([[{ calls: [call('shell', { command: 'touch inbox.txt' })] }], ['Made.']])
  await say(page, 'make the file inbox.txt')
  await page.getByRole('group', { name: 'Allow shell to do this?' }).waitFor()
  await page.getByRole('link', { name: /Approvals/ }).click()
  await page.getByRole('button', { name: /Yes, once/ }).click()
  await page.getByRole('heading', { name: 'No open approvals' }).waitFor()
  await expect.poll(() => existsSync(join(place.workspace, 'inbox.txt'))).toBe(true)
})

test('after a lost connection the reply continues without gaps or duplicates', async () => {
  const [cut, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const steps = [
    [{ calls: [call('file_list', { path: '.' })] }],
    ['One, ', cut.promise, 'two, ', end.promise, 'three.'],
  ]
  const { page, cable } = await chatting(steps, { through: true })
  await say(page, 'count to three')
  await page.locator('.reply.live').getByText('One,').waitFor()
  cable?.cut()
  const broken = page.getByText(/Connection lost\.|The server is not responding\./)
  await broken.waitFor()
  cut.resolve()
  cable?.mend()
  await page.locator('.reply.live').getByText('One, two,').waitFor()
  await expect.poll(() => broken.count()).toBe(0)
  end.resolve()
  await page.locator('.turn-foot').waitFor()
  await expect.poll(() => page.locator('.reply').allTextContents()).toEqual(['Writ: One, two, three.'])
  await expect.poll(() => page.locator('.tool-card').count()).toBe(1)
  await expect.poll(() => page.locator('.user-message').count()).toBe(1)
})

test('the stop button stops a run', async () => {
  const never = new Promise<void>(() => {})
  const { page } = await chatting([['Thinking about it', never]])
  await say(page, 'take your time')
  await page.locator('.reply.live').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.turn-foot').getByText('aborted').waitFor()
})

test('X-CONSOLE-1: scouts are shown while they run, one can be cancelled, and each becomes a card with what was checked and dropped', async () => {
  writeFileSync(join(place.workspace, 'plan.md'), '# Plan\n\nFive ships a day.\n')
  const tasks = ['What is the cap?', 'Who made the plan?']
  const report = {
    summary: 'five',
    evidence: [
      { source: 'plan.md', quote: 'Five ships a day.', note: 'said' },
      { source: 'plan.md', quote: 'The harbour master agreed.', note: 'invented' },
    ],
    confidence: 1,
  }
  const model = scriptedModel([
    { purpose: 'route', text: '{"direct":true}' },
    { purpose: 'main', calls: [{ tool: 'explore', args: { tasks } }] },
    { purpose: 'main', text: 'Five; who made it I could not see.' },
    { purpose: 'scout:1', calls: [{ tool: 'read_doc', args: { id: 'plan.md' } }] },
    { purpose: 'scout:1', calls: [{ tool: 'report_findings', args: report }] },
    { purpose: 'scout:2', text: 'never heard', delayMs: 600_000 },
  ])
  const server = await place.start({ model, config: { agent: { scout: { defaultTimeoutMs: 100_000 } } } })
  const watched = await openPage(browser, server)
  opened.push(watched)
  const { page } = watched
  await say(page, 'compare what the documents say about the cap and the author of the plan')
  const lane = (task: string) => page.locator('.lane', { hasText: task })
  await lane('What is the cap?').getByText('COMPLETED').waitFor()
  await lane('Who made the plan?').getByText('RUNNING').waitFor()
  await page.getByRole('button', { name: 'Cancel scout: Who made the plan?' }).click()
  await lane('Who made the plan?').getByText('ABORTED').waitFor()
  await page.locator('.turn-foot').waitFor()
  const card = lane('What is the cap?')
  await card.getByRole('list', { name: 'Checked quotes' }).getByText('Five ships a day.').waitFor()
  await card.getByText('Confidence 50%').waitFor()
  await card.getByText('Dropped: 1 piece of evidence is not in what the scout read').first().click()
  await card.getByText('The harbour master agreed.').waitFor()
  await card.getByRole('link', { name: 'Run details' }).click()
  await page.getByRole('list', { name: 'Checked quotes' }).getByText('Five ships a day.').waitFor()
})

test('a reload shows the whole conversation with its cards', async () => {
  const { page } = await chatting([[{ calls: [call('file_list', { path: '.' })] }], ['An empty folder.']])
  await say(page, 'what is here?')
  await page.locator('.turn-foot').waitFor()
  await page.reload()
  await page.locator('.tool-card').waitFor()
  await expect.poll(() => page.locator('.reply').allTextContents()).toEqual(['Writ: An empty folder.'])
})

test('shortcuts open every page, and ? lists them', async () => {
  const { page } = await chatting([])
  await page.locator('main').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
})

test('an approval shows hidden, reordering and look-alike characters of a call', async () => {
  const content =
    'if (user \u202e\u2066// admin\u2069 \u2066) {\n  p\u0430y("https://\u0430\u0440\u0440\u04cf\u0435.com")\n}\n'
  const { page } = await chatting([[{ calls: [call('file_write', { path: 'run\u202Eyp.txt', content })] }], ['Done.']])
  await say(page, 'write it')
  const card = page.locator('.approval')
  await card.waitFor()
  const shown = (await card.textContent()) ?? ''
  expect(shown).not.toMatch(/[\u202e\u2066\u2069\u0430]/)
  expect(shown).toContain('run\\u{202e}yp.txt')
  expect(shown).toContain('p\\u{430}y("https://\\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com")')
  expect(await card.locator('mark.escape').count()).toBeGreaterThan(5)
  if (process.env.WRIT_SHOT) await card.screenshot({ path: process.env.WRIT_SHOT })
})

const IS_WHOLE = `(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.approval .preview'))`

test('blank lines do not hide the end of a command, and every reason is shown in words', async () => {
  const command = `git status --short${'\n'.repeat(60)}frobnicate victim`
  const { page } = await chatting([[{ calls: [call('shell', { command })] }], ['Done.']])
  await say(page, 'the state, please')
  const card = page.locator('.approval')
  await card.waitFor()
  const preview = card.locator('section.preview')
  expect(await preview.textContent()).toBe('git status --short\n⏎×59\nfrobnicate victim')
  expect(await page.evaluate(IS_WHOLE)).toBe(true)
  expect(await card.textContent()).toContain('not in the list of allowed commands: frobnicate')
  if (process.env.WRIT_SHOT_BLANKS) await card.screenshot({ path: process.env.WRIT_SHOT_BLANKS })
})

test('the first yes expands a command that is longer than its box, and only the second one approves it', async () => {
  const lines = Array.from({ length: 80 }, (_, i) => `touch made-${i}`)
  const { page } = await chatting([[{ calls: [call('shell', { command: lines.join('\n') })] }], ['Done.']])
  await say(page, 'make them')
  const card = page.locator('.approval')
  await card.getByText('Some of these 80 lines are hidden.').waitFor()
  if (process.env.WRIT_SHOT_CUT) await card.screenshot({ path: process.env.WRIT_SHOT_CUT })
  await card.press('y')
  await card.getByText('Some of these 80 lines are hidden.').waitFor({ state: 'detached' })
  expect(existsSync(join(place.workspace, 'made-0'))).toBe(false)
  expect(await page.evaluate(IS_WHOLE)).toBe(true)
  await card.press('y')
  await expect.poll(() => existsSync(join(place.workspace, 'made-79'))).toBe(true)
})

test('a link with another token asks before it replaces the sign-in of a tab', async () => {
  const { page, server } = await chatting([['Done.']])
  await page.getByText('Signed in as').waitFor({ state: 'attached' })
  const kept = () => page.evaluate("sessionStorage.getItem('writ.token')")
  const asked: string[] = []
  const answers = [false, true]
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void (answers.shift() ? dialog.accept() : dialog.dismiss())
  })
  const follow = async () => {
    await page.goto('about:blank')
    await page.goto(`${server.url}/#token=another`)
    await expect.poll(() => page.url()).not.toContain('another')
  }
  await follow()
  expect(await kept()).toBe(server.token)
  await follow()
  await expect.poll(kept).toBe('another')
  expect(asked).toEqual([expect.stringContaining('another token'), expect.stringContaining('another token')])
})
