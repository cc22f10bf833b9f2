import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { migrateLegacy } from './legacy.ts'
import { configFile } from './schema.ts'

const guard = (intentGuard: Record<string, unknown>) => ({ agent: { execution: { intentGuard } } })

describe('the old form intentGuard.browser', () => {
  test('S0-106 S0-107: becomes intents.browser_access', () => {
    const { raw, used } = migrateLegacy(
      guard({ browser: { noFallback: false, networkAdjacentOnly: false, failTaskIfUnmet: false } }),
    )
    expect(raw).toEqual(
      guard({
        intents: { browser_access: { noFallback: false, softAllowedFamilies: [], failTaskIfUnmet: false } },
      }),
    )
    expect(used).toEqual(['noFallback', 'networkAdjacentOnly', 'failTaskIfUnmet'])
  })

  test('S0-109: drops unknown keys and reports them', () => {
    const { raw, unknown } = migrateLegacy(guard({ browser: { headless: true } }))
    expect(raw).toEqual(guard({}))
    expect(unknown).toEqual(['headless'])
  })

  test('S0-110: yields to the new form key by key', () => {
    const { raw, used, overruled } = migrateLegacy(
      guard({
        browser: { noFallback: false, failTaskIfUnmet: false },
        intents: { browser_access: { noFallback: true } },
      }),
    )
    expect(raw).toEqual(guard({ intents: { browser_access: { noFallback: true, failTaskIfUnmet: false } } }))
    expect([used, overruled]).toEqual([['failTaskIfUnmet'], ['noFallback']])
  })

  test('a value that is not true or false is reported, not guessed', () => {
    expect(migrateLegacy(guard({ browser: { noFallback: 'yes' } })).invalid).toEqual([
      'agent.execution.intentGuard.browser.noFallback',
    ])
    expect(migrateLegacy(guard({ browser: 1 })).invalid).toEqual(['agent.execution.intentGuard.browser'])
  })

  test('does not hide a malformed new form', () => {
    const { raw } = migrateLegacy(guard({ browser: { noFallback: true }, intents: 5 }))
    expect(configFile.safeParse(raw).success).toBe(false)
  })

  test('S0-108: any mix of the three keys loads, and the old key is gone', () => {
    const old = fc.record(
      { noFallback: fc.boolean(), networkAdjacentOnly: fc.boolean(), failTaskIfUnmet: fc.boolean() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(old, (browser) => {
        const { raw } = migrateLegacy(guard({ browser }))
        const policy = configFile.parse(raw).agent.execution.intentGuard.intents.browser_access
        expect(policy.noFallback).toBe(browser.noFallback ?? true)
        expect(policy.failTaskIfUnmet).toBe(browser.failTaskIfUnmet ?? true)
        expect(policy.softAllowedFamilies).toEqual(browser.networkAdjacentOnly === false ? [] : ['network'])
      }),
    )
  })
})
