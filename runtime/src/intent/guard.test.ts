import { describe, expect, test } from 'vitest'
import { DEFAULT_INTENTS } from '../config/intents.ts'
import type { TaskIntentLabel } from '../protocol/intent.ts'
import type { IntentPolicy } from '../protocol/policy.ts'
import { completion, type GuardedTask, hitsFor, preflight } from './guard.ts'

function task(change: Partial<IntentPolicy> = {}, label: TaskIntentLabel = 'browser_access'): GuardedTask {
  const intents = { ...DEFAULT_INTENTS, [label]: { ...DEFAULT_INTENTS[label], ...change } }
  return { label, policy: { enabled: true, blockBudget: 0, intents }, lang: 'en' }
}

describe('preflight', () => {
  test('S0-72, S0-126: a browser task fails without a browser tool', () => {
    expect(preflight(task(), ['filesystem', 'network']).ok).toBe(false)
    expect(preflight(task(), ['filesystem', 'browser'])).toEqual({ ok: true })
  })

  test('S0-71: only an enabled policy without fallback can fail', () => {
    expect(preflight(task({ noFallback: false }), [])).toEqual({ ok: true })
    expect(preflight(task({ enabled: false }), [])).toEqual({ ok: true })
  })

  test('S0-64: the guard as a whole can be switched off', () => {
    const off = task()
    expect(preflight({ ...off, policy: { ...off.policy, enabled: false } }, [])).toEqual({ ok: true })
  })

  test('S0-75: the required families count, else the allowed ones, and one of them is enough', () => {
    const required = task({ requiredSuccessFamilies: ['browser', 'network'], allowedFamilies: ['shell'] })
    expect(preflight(required, ['network']).ok).toBe(true)
    expect(preflight(required, ['shell']).ok).toBe(false)
    const allowed = task({ requiredSuccessFamilies: [], allowedFamilies: ['filesystem', 'vcs'] })
    expect(preflight(allowed, ['vcs']).ok).toBe(true)
    expect(preflight(allowed, ['browser']).ok).toBe(false)
  })

  test('S0-75: without families, none can be missing', () => {
    expect(preflight(task({ requiredSuccessFamilies: [], allowedFamilies: [] }), []).ok).toBe(true)
  })

  test.each(['en', 'zh'] as const)('S0-98: in %s it names the intent, the family and the key to change', (lang) => {
    const result = preflight({ ...task(), lang }, [])
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('browser_access') })
    expect(result).toMatchObject({ message: expect.stringContaining('intents.browser_access.noFallback') })
  })
})

describe('completion', () => {
  test('S0-88: a hit is a success of a family that the intent requires, and of no other', () => {
    expect(hitsFor(task(), { browser: 2, network: 3 })).toEqual({ browser: 2 })
    expect(hitsFor(task({ requiredSuccessFamilies: ['browser', 'vcs'] }), { vcs: 1 })).toEqual({ vcs: 1 })
    expect(hitsFor(task({}, 'general'), { filesystem: 4 })).toEqual({})
  })

  test('S0-92, S0-128: a browser task without one browser success is not done', () => {
    expect(completion(task(), { network: 3 }).ok).toBe(false)
    expect(completion(task(), { browser: 0 }).ok).toBe(false)
    expect(completion(task(), { browser: 1 })).toEqual({ ok: true })
  })

  test('S0-62: one success of any required family satisfies it', () => {
    expect(completion(task({ requiredSuccessFamilies: ['browser', 'network'] }), { network: 1 }).ok).toBe(true)
  })

  test('S0-94: without a required family it never fails', () => {
    expect(completion(task({ requiredSuccessFamilies: [] }), {}).ok).toBe(true)
  })

  test('S0-95: nor when an unmet task may pass, nor when the policy is off', () => {
    expect(completion(task({ failTaskIfUnmet: false }), {}).ok).toBe(true)
    expect(completion(task({ enabled: false }), {}).ok).toBe(true)
    const off = task()
    expect(completion({ ...off, policy: { ...off.policy, enabled: false } }, {}).ok).toBe(true)
  })

  test('S0-19, S0-20: by default it applies only to browser tasks', () => {
    for (const label of ['general', 'network_research', 'filesystem_ops', 'code_edit', 'memory_ops'] as const) {
      expect(completion(task({}, label), {})).toEqual({ ok: true })
      expect(preflight(task({}, label), [])).toEqual({ ok: true })
    }
  })

  test.each(['en', 'zh'] as const)('S0-98: in %s it names the intent, the family and the key to change', (lang) => {
    const result = completion({ ...task(), lang }, {})
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('browser_access') })
    expect(result).toMatchObject({ message: expect.stringContaining('intents.browser_access.failTaskIfUnmet') })
  })
})
