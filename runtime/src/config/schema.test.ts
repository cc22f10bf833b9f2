import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { TASK_INTENTS } from '../protocol/intent.ts'
import { detectorFor } from './detector.ts'
import { toPolicy } from './policy.ts'
import { configFile, configJsonSchema } from './schema.ts'

const defaults = configFile.parse({}).agent
const guard = defaults.execution.intentGuard

function pathsOf(agent: unknown): string[] {
  const result = configFile.safeParse({ agent })
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'))
}

describe('an empty file', () => {
  test('S0-19: guards browser tasks and no others', () => {
    expect(TASK_INTENTS.filter((label) => guard.intents[label].enabled)).toEqual(['browser_access'])
  })

  test('S0-103: has the recommended browser policy', () => {
    expect(guard.intents.browser_access).toEqual({
      enabled: true,
      allowedFamilies: ['browser'],
      softAllowedFamilies: ['network'],
      softBlockAfter: 2,
      noFallback: true,
      failTaskIfUnmet: true,
      requiredSuccessFamilies: ['browser'],
    })
  })

  test('S0-68 S0-104: has the documented families of the intents that are off', () => {
    const shown = (label: (typeof TASK_INTENTS)[number]) => {
      const { allowedFamilies, softAllowedFamilies, softBlockAfter } = guard.intents[label]
      return [allowedFamilies, softAllowedFamilies, softBlockAfter]
    }
    expect(shown('general')).toEqual([[], [], 2])
    expect(shown('network_research')).toEqual([['network', 'browser'], [], 2])
    expect(shown('filesystem_ops')).toEqual([['filesystem'], ['shell'], 2])
    expect(shown('code_edit')).toEqual([['filesystem', 'vcs'], ['shell'], 1])
    expect(shown('memory_ops')).toEqual([['memory'], [], 2])
  })

  test('S0-102 S0-105: asks the model about tasks with a cue only if a provider’s is set', () => {
    expect([guard.enabled, guard.softBlockAfter, guard.blockBudget]).toEqual([true, 2, 1])
    const withModel = { ...defaults, model: 'openai/gpt-5' }
    expect(detectorFor(defaults, 'rules')).toBe('heuristic')
    expect(detectorFor(withModel, 'openai/gpt-5')).toBe('auto')
    expect(detectorFor(withModel, 'scripted')).toBe('heuristic')
  })

  test('S0-52: a configured detector is used with any model', () => {
    const agent = configFile.parse({ agent: { execution: { intentGuard: { detector: 'model' } } } }).agent
    expect(detectorFor(agent, 'scripted')).toBe('model')
  })

  test('S2-92: lets only Low risk run by itself', () => {
    expect(defaults.decision).toMatchObject({
      maxAutoRisk: 'Low',
      minConfidence: 0.3,
      blockedActions: [],
      maxActionsPerBatch: 5,
    })
  })

  test('S4-155..166: limits scouts as S4 requires', () => {
    expect(defaults.scout).toEqual({
      enabled: true,
      defaultTimeoutMs: 12_000,
      maxSteps: 4,
      maxToolCalls: 3,
      cooldownTurns: 2,
      allowedTools: ['search_docs', 'read_doc', 'report_findings'],
      maxConcurrentScouts: 5,
      dispatchToolName: 'explore',
      requireReadBeforeReport: true,
      forceReportOnToolLimit: true,
      tokenBudget: 8000,
      overflow: 'queue',
      maxQueue: 20,
      clip: { summary: 2000, evidence: 10, quote: 500, note: 300 },
      profiles: {
        light: { maxSteps: 3, maxToolCalls: 2, timeoutMs: 6000, tokenBudget: 4000 },
        deep: { maxSteps: 8, maxToolCalls: 6, timeoutMs: 30_000, tokenBudget: 16_000 },
      },
      maxProfile: 'normal',
    })
  })

  test('is supervised, checks for injection and asks about strange targets', () => {
    const { autonomy, injectionCheck, provenance, sandbox } = defaults.security
    expect([autonomy, injectionCheck, provenance, sandbox]).toEqual(['Supervised', true, 'ask', 'auto'])
  })

  test('S1-68 S1-128: shows the router 6 messages and the model 50, for 10 steps', () => {
    expect(defaults.routing.historyMessages).toBe(6)
    expect(defaults.limits.historyMessages).toBe(50)
    expect(defaults.limits.maxSteps).toBe(10)
  })

  test('gives the gate a policy with all six intents', () => {
    const policy = toPolicy(defaults, [])
    expect(Object.keys(policy.intentGuard.intents)).toEqual([...TASK_INTENTS])
    expect(policy.scout.dispatchToolName).toBe('explore')
    expect(policy.security).not.toHaveProperty('injectionCheck')
  })
})

describe('a partly given key', () => {
  test('S0-21 S0-55: keeps the built-in rest of its intent', () => {
    const agent = { execution: { intentGuard: { intents: { memory_ops: { enabled: true } } } } }
    const policy = configFile.parse({ agent }).agent.execution.intentGuard.intents.memory_ops
    expect([policy.enabled, policy.allowedFamilies]).toEqual([true, ['memory']])
  })
})

describe('a wrong value', () => {
  const inGuard = (value: unknown) => ({ execution: { intentGuard: value } })
  const inHeaders = (value: string) => ({
    mcp: { servers: { x: { url: 'https://x.example/', headers: { Authorization: value } } } },
  })
  test.each([
    ['S0-22: an intent outside the six', inGuard({ intents: { foo: {} } }), 'agent.execution.intentGuard.intents'],
    [
      'S0-34: a family outside the eight',
      inGuard({ intents: { general: { allowedFamilies: ['web'] } } }),
      'agent.execution.intentGuard.intents.general.allowedFamilies.0',
    ],
    ['S0-65: a negative count', inGuard({ softBlockAfter: -1 }), 'agent.execution.intentGuard.softBlockAfter'],
    ['S0-65: a broken count', inGuard({ softBlockAfter: 1.5 }), 'agent.execution.intentGuard.softBlockAfter'],
    ['S0-65: a count as text', inGuard({ softBlockAfter: '2' }), 'agent.execution.intentGuard.softBlockAfter'],
    ['S0-66: a switch as text', inGuard({ enabled: 'yes' }), 'agent.execution.intentGuard.enabled'],
    [
      'S0-66: a family outside a list',
      inGuard({ intents: { code_edit: { allowedFamilies: 'browser' } } }),
      'agent.execution.intentGuard.intents.code_edit.allowedFamilies',
    ],
    ['S4-161: another tool for scouts', { scout: { allowedTools: ['shell'] } }, 'agent.scout.allowedTools.0'],
    ['S4-162: a sixth scout', { scout: { maxConcurrentScouts: 6 } }, 'agent.scout.maxConcurrentScouts'],
    ['S2-93: an empty blocked action', { decision: { blockedActions: [''] } }, 'agent.decision.blockedActions.0'],
    ['S2-88: an unknown risk', { decision: { maxAutoRisk: 'Extreme' } }, 'agent.decision.maxAutoRisk'],
    ['a model without a provider', { model: 'gpt-5' }, 'agent.model'],
    ['a model of an unknown provider', { model: 'acme/x' }, 'agent.model'],
    ['a password in the address', { baseURL: 'https://me:secret@host/' }, 'agent.baseURL'],
    ['an address that is none', { baseURL: 'file:///etc/passwd' }, 'agent.baseURL'],
    ['a server with a path as name', { mcp: { servers: { '../x': { command: 'x' } } } }, 'agent.mcp.servers.../x'],
    ['a server of no kind', { mcp: { servers: { x: {} } } }, 'agent.mcp.servers.x'],
    [
      'a server of two kinds',
      { mcp: { servers: { x: { command: 'x', url: 'https://x.example/' } } } },
      'agent.mcp.servers.x',
    ],
    [
      'a header for a program',
      { mcp: { servers: { x: { command: 'x', headers: { A: '$T' } } } } },
      'agent.mcp.servers.x',
    ],
    ['a token in the file', inHeaders('Bearer sk-1'), 'agent.mcp.servers.x.headers.Authorization'],
    [
      'a value for a variable',
      { mcp: { servers: { x: { command: 'x', env: ['A=1'] } } } },
      'agent.mcp.servers.x.env.0',
    ],
    [
      'a password in a server’s address',
      { mcp: { servers: { x: { url: 'https://a:b@x.example/' } } } },
      'agent.mcp.servers.x.url',
    ],
    [
      'an unknown risk of a server’s tool',
      { mcp: { servers: { x: { command: 'x', declare: { send: { risk: 'low' } } } } } },
      'agent.mcp.servers.x.declare.send.risk',
    ],
  ])('%s is refused at its path', (_, agent, path) => {
    expect(pathsOf(agent)).toEqual([path])
  })

  test.each(['$TOKEN', 'Bearer $TOKEN'])('a header may name its variable as %s', (value) => {
    expect(pathsOf(inHeaders(value))).toEqual([])
  })

  test.each(['openai/gpt-5', 'compatible/meta/llama', 'rules', 'scripted'])('the model %s is accepted', (model) => {
    expect(pathsOf({ model })).toEqual([])
  })
})

describe('the template', () => {
  const template: unknown = JSON.parse(
    readFileSync(new URL('../../templates/agent.config.json', import.meta.url), 'utf8'),
  )

  test('S0-11: has no errors and an intentGuard block', () => {
    expect(configFile.safeParse(template).success).toBe(true)
    expect(template).toHaveProperty('agent.execution.intentGuard.intents.browser_access')
  })

  test('matches the exported JSON Schema, and an unknown key does not', () => {
    const fits = new Ajv2020({ strict: false }).compile(configJsonSchema())
    expect(fits(template)).toBe(true)
    expect(fits({ agent: { sekurity: {} } })).toBe(false)
  })
})
