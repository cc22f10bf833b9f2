import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'
import { markOf, readTrust, revokeTrust, trustFile, trustOf, trustWorkspace } from './trust.ts'
import { configWarnings } from './untrusted.ts'

let here: Fixture
let record: string
beforeEach(() => {
  here = makeFixture()
  record = trustFile(dirname(here.userFile))
})
afterEach(() => here.remove())

const FULL = { agent: { security: { autonomy: 'Full' } } }
const trustHere = () => trustWorkspace(record, here.workspace, markOf(readFileSync(here.workspaceFile, 'utf8')))
const autonomy = async () => (await here.load()).config.security.autonomy

describe('trust in a workspace', () => {
  test('lets its file loosen, until it is taken back', async () => {
    here.write(here.workspaceFile, FULL)
    expect(await autonomy()).toBe('Supervised')
    await trustHere()
    expect(await autonomy()).toBe('Full')
    expect(await revokeTrust(record, here.workspace)).toBe(true)
    expect(await autonomy()).toBe('Supervised')
    expect(await revokeTrust(record, here.workspace)).toBe(false)
  })

  test('ends when its file changes, and the user is told', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    here.write(here.workspaceFile, { agent: { security: { autonomy: 'Full', sandbox: 'off' } } })
    const loaded = await here.load()
    const { config, trust } = loaded
    expect([config.security.autonomy, config.security.sandbox, trust]).toEqual(['Supervised', 'auto', 'changed'])
    expect(configWarnings(loaded)).toEqual([expect.stringContaining('changed since you trusted')])
  })

  test('given without a file does not cover one that appears later', async () => {
    await trustWorkspace(record, here.workspace, markOf(undefined))
    expect((await here.load()).trust).toBe('trusted')
    here.write(here.workspaceFile, FULL)
    expect(await autonomy()).toBe('Supervised')
  })

  test('is for the real folder, whatever link leads there', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    const link = join(here.home, 'link')
    symlinkSync(here.workspace, link)
    expect((await here.load({ workspace: link })).config.security.autonomy).toBe('Full')
  })

  test('is kept for the user’s eyes only', async () => {
    await trustWorkspace(record, here.workspace, 'mark')
    expect(statSync(record).mode & 0o777).toBe(0o600)
    expect(await readTrust(record)).toEqual({ [here.workspace]: 'mark' })
  })

  test.each([
    ['is not JSON', '{'],
    ['has another shape', '{"workspaces": []}'],
  ])('is given to nobody when its record %s', async (_, text) => {
    here.write(here.workspaceFile, FULL)
    here.write(record, text)
    chmodSync(record, 0o600)
    const { config, warnings } = await here.load()
    expect(config.security.autonomy).toBe('Supervised')
    expect(warnings[0]).toContain(record)
  })

  test('is given to nobody when others may write its record', async () => {
    here.write(here.workspaceFile, FULL)
    await trustHere()
    chmodSync(record, 0o666)
    expect(await autonomy()).toBe('Supervised')
  })

  test('is not found in what every object inherits', () => {
    expect(trustOf({}, 'constructor', 'none')).toBe('untrusted')
  })
})
