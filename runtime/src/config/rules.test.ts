import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'

let here: Fixture
beforeEach(() => {
  here = makeFixture()
})
afterEach(() => here.remove())

const withRules = (...rules: object[]) => ({ agent: { security: { rules } } })
const deny = { tool: 'shell', decide: 'deny' }
const allow = { tool: 'file_write', decide: 'allow' }

test('S1-203: the rules of all files add up, each with its layer and its place', async () => {
  const organisation = `${here.home}/org.json`
  here.write(organisation, withRules({ decide: 'ask' }))
  here.write(here.userFile, `{\n  "agent": { "security": { "rules": [\n    ${JSON.stringify(allow)}\n  ] } }\n}`)
  here.write(here.workspaceFile, withRules(deny))
  const { policy, config, sources } = await here.load({ env: { ...here.env, WRIT_ORG_CONFIG: organisation } })
  expect(policy.security.rules.map(({ layer, from }) => [layer, from])).toEqual([
    ['organisation', `${organisation}:1:32`],
    ['user', `${here.userFile}:3:5`],
    ['project', `${here.workspaceFile}:1:32`],
  ])
  expect(config.security.rules).toHaveLength(3)
  expect(sources['agent.security.rules']).toBe([organisation, here.userFile, here.workspaceFile].join(', '))
})

test('S1-204: a server’s later settings can add an ask and a deny, and no allow', async () => {
  here.write(here.userFile, withRules(allow))
  const overrides = [{ origin: 'server', raw: withRules(deny, { ...allow, tool: 'shell' }) }]
  const { policy, warnings } = await here.load({ overrides })
  expect(policy.security.rules.map(({ layer, decide }) => [layer, decide])).toEqual([
    ['user', 'allow'],
    ['session', 'deny'],
  ])
  expect(warnings.join()).toContain('agent.security.rules')
})

test('S1-201: a path below ~ is one of the home folder', async () => {
  here.write(here.userFile, withRules({ when: { path: ['~/.kube/**', 'src'] }, decide: 'deny' }))
  expect((await here.load()).policy.security.rules[0]?.when?.path).toEqual([`${here.home}/.kube/**`, 'src'])
})

test('S1-210: a shadow is only chosen by the user, and its file stands alone', async () => {
  const shadow = `${here.home}/shadow.json`
  here.write(shadow, withRules(deny))
  here.write(here.userFile, withRules(allow))
  const { policy } = await here.load({ configFile: shadow, withoutOwn: true })
  expect(policy.security.rules.map(({ decide }) => decide)).toEqual(['deny'])
  here.write(here.workspaceFile, { agent: { security: { shadow } } })
  expect((await here.load()).config.security.shadow).toBeUndefined()
})
