import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'
import { keepTrust, readTrust, revokeTrust, trustFile, trustOf, trustWorkspace } from './trust.ts'
import { marksOf } from './trusted-files.ts'
import { configWarnings } from './untrusted.ts'

let here: Fixture
let record: string
beforeEach(() => {
  here = makeFixture()
  record = trustFile(dirname(here.userFile))
})
afterEach(() => here.remove())

const FULL = { agent: { security: { autonomy: 'Full' } } }
const trustHere = async () => trustWorkspace(record, here.workspace, (await marksOf(here.workspace)) ?? {})
const autonomy = async () => (await here.load()).config.security.autonomy

describe('trust in a workspace', () => {
  test('lets its file loosen settings until it is revoked', async () => {
    here.write(here.workspaceFile, FULL)
    expect(await autonomy()).toBe('Supervised')
    await trustHere()
    expect(await autonomy()).toBe('Full')
    expect(await revokeTrust(record, here.workspace)).toBe(true)
    expect(await autonomy()).toBe('Supervised')
    expect(await revokeTrust(record, here.workspace)).toBe(false)
  })

  test('ends when its file changes, with a warning', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    here.write(here.workspaceFile, { agent: { security: { autonomy: 'Full', sandbox: 'off' } } })
    const loaded = await here.load()
    const { config, trust } = loaded
    expect([config.security.autonomy, config.security.sandbox, trust]).toEqual(['Supervised', 'auto', 'changed'])
    expect(configWarnings(loaded)).toEqual([expect.stringContaining('changed since you trusted')])
  })

  test('given without a file does not cover a file that appears later', async () => {
    await trustHere()
    expect((await here.load()).trust).toBe('trusted')
    here.write(here.workspaceFile, FULL)
    expect(await autonomy()).toBe('Supervised')
  })

  test('applies to the real folder, through any link', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    const link = join(here.home, 'link')
    symlinkSync(here.workspace, link)
    expect((await here.load({ workspace: link })).config.security.autonomy).toBe('Full')
  })

  test('is stored in a file only the user can read', async () => {
    await trustWorkspace(record, here.workspace, { 'AGENTS.md': 'mark' })
    expect(statSync(record).mode & 0o777).toBe(0o600)
    expect(await readTrust(record)).toEqual({ [here.workspace]: { 'AGENTS.md': 'mark' } })
  })

  test.each([
    ['is not JSON', '{'],
    ['has another shape', '{"workspaces": []}'],
  ])('is not granted when its record %s', async (_, text) => {
    here.write(here.workspaceFile, FULL)
    here.write(record, text)
    chmodSync(record, 0o600)
    const { config, warnings } = await here.load()
    expect(config.security.autonomy).toBe('Supervised')
    expect(warnings[0]).toContain(record)
  })

  test('is not granted when others can write its record', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    chmodSync(record, 0o666)
    expect(await autonomy()).toBe('Supervised')
  })

  test('is not found in prototype properties', () => {
    expect(trustOf({}, 'constructor', {})).toBe('untrusted')
  })

  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(here.workspace, name)), { recursive: true })
    writeFileSync(join(here.workspace, name), text)
  }

  test.each(['AGENTS.md', 'SOUL.md', '.agents/skills/a/SKILL.md', '.claude/skills/a/run.sh', '.writ/workflows/w.json'])(
    'H3: ends when %s is changed, removed or new',
    async (name) => {
      const trust = async () => (await here.load()).trust
      put(name, 'one')
      await trustHere()
      expect(await trust()).toBe('trusted')
      put(name, 'two')
      expect(await trust()).toBe('changed')
      expect(configWarnings(await here.load())[0]).toContain(name)
      put(name, 'one')
      expect(await trust()).toBe('trusted')
      rmSync(join(here.workspace, name))
      expect(await trust()).toBe('changed')
      await trustHere()
      expect(await trust()).toBe('trusted')
      put(name, 'one')
      expect(await trust()).toBe('changed')
    },
  )

  test('of an earlier version covers the configuration file only', async () => {
    put('notes.txt', 'x')
    here.write(record, { workspaces: { [here.workspace]: 'none' } })
    chmodSync(record, 0o600)
    expect((await here.load()).trust).toBe('trusted')
    put('AGENTS.md', 'x')
    expect((await here.load()).trust).toBe('changed')
  })

  test('continues when its user changes a workflow through Writ, for that file only', async () => {
    put('.writ/workflows/w.json', 'one')
    await trustHere()
    put('.writ/workflows/w.json', 'two')
    await keepTrust(record, here.workspace, '.writ/workflows/w.json')
    expect((await here.load()).trust).toBe('trusted')
    put('AGENTS.md', 'x')
    await keepTrust(record, here.workspace, '.writ/workflows/w.json')
    expect((await here.load()).trust).toBe('changed')
  })
})
