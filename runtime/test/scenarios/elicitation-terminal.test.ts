/** Questions of MCP servers, answered in a real terminal. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'
import { openTerminal, type Pane, type Terminal } from '../support/tmux.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/writ.js')
const ROGUE = fileURLToPath(new URL('../support/mcp-rogue-server.ts', import.meta.url))
const FIELDS = {
  name: { type: 'string', title: 'Your name' },
  age: { type: 'integer', description: 'in years' },
  colour: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
  days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue', 'wed'] } },
  news: { type: 'boolean' },
}

let terminal: Terminal
let place: Place
beforeEach(() => {
  terminal = openTerminal()
  place = makePlace()
})
afterEach(() => {
  terminal?.close()
  place?.remove()
})

function asked(question: object, lang = 'C.UTF-8'): Pane {
  const tools = place.file('../rogue.json', { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] })
  const servers = { desk: { command: process.execPath, args: [ROGUE, tools] } }
  place.file('../home/.config/writ/agent.config.json', { agent: { security: { autonomy: 'Full' }, mcp: { servers } } })
  const script = place.script('script.json', [
    { purpose: 'main', calls: [{ tool: 'mcp__desk__ask', args: question as never }] },
    { purpose: 'main', text: 'Finished.' },
  ])
  return terminal.open([process.execPath, LAUNCHER, 'run', 'ask me', '--script', script], {
    cwd: place.workspace,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      HOME: join(place.root, 'home'),
      LANG: lang,
      TERM: 'tmux-256color',
    },
  })
}

const form = (properties: object, required: string[] = []) => ({
  message: 'About you:\nfor the badge',
  requestedSchema: { type: 'object', properties, required },
})

/** What the server was answered. */
async function answer(): Promise<unknown> {
  const exported = await place.writ(['export'])
  const results = exported.json().filter(({ type }) => type === 'tool.result') as {
    data: { observation: { text: string } }
  }[]
  return JSON.parse(results.at(-1)?.data.observation.text ?? 'null')
}

test('X-GATEWAY-12: every kind of field is asked for, with its choices; what does not fit is asked again', async () => {
  const pane = asked(form(FIELDS, ['name']))
  const question = await pane.shows('Answer it? [y/N]')
  expect(question).toMatch(/\? The MCP server desk asks:\n {2}│ About you:\n {2}│ for the badge\n.*Enter no passwords/)
  const typed: [string, string][] = [
    ['Answer it? [y/N]', 'y'],
    ['age: in years:', 'about forty'],
    ['does not fit', '41'],
    ['colour (red, blue):', ''],
    ['days (mon, tue, wed):', 'mon, wed'],
    ['Your name:', 'Ann O’Neil'],
    ['news:', 'no'],
  ]
  for (const [prompt, line] of typed) {
    await pane.shows(prompt)
    pane.type(line)
    pane.press('Enter')
  }
  expect(await pane.ended()).toContain('Finished.')
  const content = { name: 'Ann O’Neil', age: 41, colour: 'blue', days: ['mon', 'wed'], news: false }
  expect(await answer()).toEqual({ action: 'accept', content })
})

test('X-GATEWAY-12: Enter alone declines, and a field that is needed but left out cancels', async () => {
  const declined = asked(form(FIELDS))
  await declined.shows('Answer it? [y/N]')
  declined.press('Enter')
  await declined.ended()
  expect(await answer()).toEqual({ action: 'decline' })
  const cancelled = asked(form({ name: { type: 'string' } }, ['name']))
  await cancelled.shows('Answer it? [y/N]')
  cancelled.type('y')
  cancelled.press('Enter')
  await cancelled.shows('name:')
  cancelled.press('Enter')
  await cancelled.ended()
  expect(await answer()).toEqual({ action: 'cancel' })
})

test('X-GATEWAY-12: a form that asks for a password is declined without a question, and control characters draw nothing', async () => {
  const secret = asked(form({ password: { type: 'string' } }))
  expect(await secret.ended()).not.toContain('Answer it?')
  expect(await answer()).toEqual({ action: 'decline' })
  const drawn = asked({
    ...form({ name: { type: 'string', title: 'a\u001b[2Jb' } }),
    message: 'x\u001b[1A\u001b[2KWrit asks:',
  })
  const seen = await drawn.shows('Answer it? [y/N]')
  expect(seen).toContain('The MCP server desk asks:')
  drawn.press('Enter')
  await drawn.ended()
})

test('X-GATEWAY-12: the question is in the language of the person', async () => {
  const pane = asked(form({ name: { type: 'string' } }), 'zh_CN.UTF-8')
  await pane.shows('MCP 服务器 desk 提问：')
  await pane.shows('要回答吗？[y/N]')
  pane.press('Enter')
  await pane.ended()
})
