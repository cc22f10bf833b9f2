import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { homeIn } from '../../src/config/places.ts'
import { createAgent, type Event, scriptedModel } from '../../src/index.ts'
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'

let base: string
let workspace: string
let home: string
const place = (...names: string[]): string => join(base, ...names)
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-folders-')))
  for (const name of ['ws', 'home/.config/writ', 'home/notes', 'out', 'secret'])
    mkdirSync(place(name), { recursive: true })
  workspace = place('ws')
  home = place('home')
  writeFileSync(place('home/notes/plan.txt'), 'the plan')
  writeFileSync(place('home/notes/.env'), 'TOPVALUE')
  writeFileSync(place('secret/key.txt'), 'TOPVALUE')
  symlinkSync(place('secret'), place('home/notes/link'))
  own({ readPaths: ['~/notes'], writePaths: [place('out')] })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function own(security: object): void {
  writeFileSync(place('home/.config/writ/agent.config.json'), JSON.stringify({ agent: { security } }))
}

/** What came of one call, as the model reads it. */
async function call(tool: string, args: object): Promise<string> {
  const agent = await createAgent({
    workspace,
    data: ':memory:',
    lang: 'en',
    autonomy: 'Full',
    model: scriptedModel([
      { purpose: 'main', calls: [{ tool, args }] },
      { purpose: 'main', text: 'done' },
    ]),
    env: { PATH: process.env.PATH ?? '', HOME: home },
    confirm: async () => 'y',
  })
  const events: Event[] = []
  for await (const event of agent.stream('go on')) events.push(event)
  await agent.close()
  const result = events.find((event) => event.type === 'tool.result')
  const { observation } = result?.type === 'tool.result' ? result.data : { observation: undefined }
  return [observation?.code, observation?.text, observation?.partial].filter((part) => part !== undefined).join(' ')
}

const { active } = await sandboxStatus('auto')

describe('S1-16: folders outside the workspace, opened in the user’s own configuration', () => {
  test('are read by the file tools, and written only where that was said', async () => {
    expect(await call('file_read', { path: '~/notes/plan.txt' })).toContain('the plan')
    expect(await call('file_write', { path: '~/notes/new.txt', content: 'x' })).toContain('PATH_OUTSIDE_WORKSPACE')
    await call('file_write', { path: place('out/new.txt'), content: 'x' })
    expect(readFileSync(place('out/new.txt'), 'utf8')).toBe('x')
    expect(await call('file_read', { path: place('out/new.txt') })).toContain('x')
    expect(await call('file_read', { path: place('secret/key.txt') })).toContain('PATH_OUTSIDE_WORKSPACE')
  })

  test('keep blocked files blocked, and links do not widen them', async () => {
    expect(await call('file_read', { path: '~/notes/.env' })).toContain('PATH_BLOCKED')
    expect(await call('file_read', { path: '~/notes/link/key.txt' })).toContain('PATH_OUTSIDE_WORKSPACE')
    expect(await call('file_write', { path: place('out/.git/hooks/pre-commit'), content: 'x' })).not.toMatch(/^wrote/)
    expect(existsSync(place('out/.git'))).toBe(false)
  })

  test.skipIf(!active)('are open to sandboxed commands in the same way', async () => {
    writeFileSync(
      join(workspace, 'go.sh'),
      `cat ${home}/notes/plan.txt; cat ${home}/notes/.env ${home}/notes/link/key.txt; echo x > ${home}/notes/new.txt; echo y > ${place('out/made.txt')}`,
    )
    const told = await call('shell', { command: 'bash go.sh' })
    expect(told).toContain('the plan')
    expect(told).not.toContain('TOPVALUE')
    expect(existsSync(place('home/notes/new.txt'))).toBe(false)
    expect(readFileSync(place('out/made.txt'), 'utf8')).toBe('y\n')
    expect(await call('shell', { command: `cat ${home}/notes/plan.txt` })).toContain('the plan')
  })

  test.skipIf(!active)('hold the repository in them shut for commands', async () => {
    mkdirSync(place('out/.git/hooks'), { recursive: true })
    writeFileSync(place('out/.git/config'), '[core]\n\tbare = false\n')
    writeFileSync(
      join(workspace, 'go.sh'),
      `echo x >> ${place('out/.git/config')}; echo x > ${place('out/.git/hooks/h')}`,
    )
    await call('shell', { command: 'bash go.sh' })
    expect(readFileSync(place('out/.git/config'), 'utf8')).toBe('[core]\n\tbare = false\n')
    expect(existsSync(place('out/.git/hooks/h'))).toBe(false)
  })

  const load = (env = {}) =>
    loadConfig({ workspace, env: { HOME: home, ...env }, home: homeIn({ HOME: home }, home), flags: { lang: 'en' } })

  test('cannot be named by the workspace, trusted or not', async () => {
    own({})
    writeFileSync(
      join(workspace, 'agent.config.json'),
      JSON.stringify({ agent: { security: { readPaths: [place('secret')], writePaths: [place('secret')] } } }),
    )
    const loaded = await load()
    expect(loaded.config.security).toMatchObject({ readPaths: [], writePaths: [] })
    expect(loaded.untrusted.ignored).toEqual(
      expect.arrayContaining(['agent.security.readPaths', 'agent.security.writePaths']),
    )
  })

  test.each(['notes', '/', '~/../x', '../x'])('%j is no such folder', async (folder) => {
    own({ readPaths: [folder] })
    await expect(load()).rejects.toThrow(/readPaths/)
  })
})
