import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'
import { covers } from '../gate/stages/content.ts'
import { SECRET_PLACES } from './security.ts'
import { trustFile, trustWorkspace } from './trust.ts'
import { marksOf } from './trusted-files.ts'
import { configWarnings } from './untrusted.ts'

let here: Fixture
beforeEach(() => {
  here = makeFixture()
})
afterEach(() => here.remove())

const security = (settings: object) => ({ agent: { security: settings } })

async function trusted(content: object) {
  here.write(here.workspaceFile, content)
  const record = trustFile(`${here.home}/.config/writ`)
  await trustWorkspace(record, here.workspace, (await marksOf(here.workspace)) ?? {})
  const loaded = await here.load()
  expect(loaded.trust).toBe('trusted')
  return loaded
}

describe('blocked paths', () => {
  test('of a user are added to the built-in secret paths, and config check reports the change', async () => {
    here.write(here.userFile, security({ blockedPaths: ['drafts', '.ssh'] }))
    const { config, warnings, notes } = await here.load()
    expect(config.security.blockedPaths).toEqual([...SECRET_PLACES, 'drafts'])
    expect(warnings).toEqual([])
    expect(notes).toEqual([expect.stringContaining('agent.security.unblockedPaths')])
    expect(notes[0]).toContain('.env')
    expect(notes[0]).not.toContain('.ssh')
  })

  test('trusting a folder with its own list opens no secret path', async () => {
    const { config } = await trusted(security({ blockedPaths: [] }))
    expect(config.security.blockedPaths).toEqual(SECRET_PLACES)
  })

  test('of a trusted folder are added to those of the user', async () => {
    here.write(here.userFile, security({ blockedPaths: ['private'] }))
    const { config } = await trusted(security({ blockedPaths: ['drafts'] }))
    expect(config.security.blockedPaths).toEqual([...SECRET_PLACES, 'private', 'drafts'])
  })

  test('mean the same in every common notation, and wildcards match within a name', async () => {
    const { config } = await here.load({ given: security({ blockedPaths: ['./a', '~/b/c', 'd/**', '*.pem'] }) })
    expect(config.security.blockedPaths.slice(SECRET_PLACES.length)).toEqual(['a', 'b/c', 'd', '*.pem'])
    const isCovered = (real: string) => covers('*.pem', { path: real, real })
    expect([isCovered('/ws/x/deploy.PEM'), isCovered('/ws/pem'), isCovered('/ws/a.pem.txt')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('given in code are added to the built-in ones', async () => {
    const { config } = await here.load({ given: security({ blockedPaths: ['x'] }) })
    expect(config.security.blockedPaths).toEqual([...SECRET_PLACES, 'x'])
  })

  test('can be unblocked by name only, with a warning', async () => {
    here.write(here.userFile, security({ unblockedPaths: ['.env'] }))
    const { config, policy, warnings } = await here.load()
    expect(config.security.blockedPaths).not.toContain('.env')
    expect(policy.security.blockedPaths).not.toContain('.env')
    expect(warnings).toEqual([expect.stringMatching(/unblockedPaths.*\.env/)])
  })

  test('that the user listed stay blocked whatever is unblocked; entries that are not built in are reported', async () => {
    here.write(here.userFile, security({ blockedPaths: ['.env', 'drafts'], unblockedPaths: ['.env', 'drafts'] }))
    const { config, warnings } = await here.load()
    expect(config.security.blockedPaths).toEqual(expect.arrayContaining(['.env', 'drafts']))
    expect(warnings).toEqual([expect.stringMatching(/no effect on drafts/)])
  })

  test('cannot be unblocked by an untrusted folder or by a server’s later settings', async () => {
    here.write(here.workspaceFile, security({ unblockedPaths: ['.env'], blockedPaths: [] }))
    const loaded = await here.load()
    expect(loaded.config.security.blockedPaths).toEqual(SECRET_PLACES)
    expect(configWarnings(loaded)).toEqual([expect.stringContaining('agent.security.unblockedPaths')])
    const overrides = [{ origin: 'server', raw: security({ unblockedPaths: ['.ssh'] }) }]
    expect((await here.load({ overrides })).config.security.blockedPaths).toEqual(SECRET_PLACES)
  })

  test('that were unblocked can be blocked again by a server’s later settings', async () => {
    here.write(here.userFile, security({ unblockedPaths: ['.env', '.aws'] }))
    const overrides = [{ origin: 'server', raw: security({ unblockedPaths: ['.aws'] }) }]
    const { config } = await here.load({ overrides })
    expect(config.security.blockedPaths).toContain('.env')
    expect(config.security.blockedPaths).not.toContain('.aws')
  })
})

test('no file shortens a list of forbidden actions or disabled tools that another file has set', async () => {
  here.write(here.userFile, { agent: { decision: { blockedActions: ['Kill'] }, tools: { disabled: ['shell'] } } })
  const { config } = await trusted({ agent: { decision: { blockedActions: ['Open'] }, tools: { disabled: [] } } })
  expect(config.decision.blockedActions).toEqual(['Kill', 'Open'])
  expect(config.tools.disabled).toEqual(['shell'])
})
