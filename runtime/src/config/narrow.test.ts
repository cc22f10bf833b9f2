import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, makeFixture } from '../../test/support/config-fixture.ts'
import { TASK_INTENTS, TOOL_FAMILIES, type ToolFamily } from '../protocol/intent.ts'
import { AUTONOMY_LEVELS, type IntentPolicy } from '../protocol/policy.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'
import { type LayeredRule, RULE_DECISIONS } from '../protocol/rule.ts'
import { type Raw, RULES, SCHEMA_KEYS, type SchemaNode, valueAt, withValue } from './keys.ts'
import type { AgentConfig } from './schema.ts'
import { LOOKING_COMMANDS, SECRET_PLACES } from './security.ts'
import { configWarnings, untrustedWarning } from './untrusted.ts'

let here: Fixture
beforeEach(() => {
  here = makeFixture()
})
afterEach(() => here.remove())

/** The configuration without the workspace's file, and with it. */
async function beforeAndAfter(user: Raw, workspace: Raw) {
  here.write(here.userFile, user)
  here.write(here.workspaceFile, {})
  const before = await here.load()
  here.write(here.workspaceFile, workspace)
  return { before: before.config, after: await here.load() }
}

describe('the file of an untrusted workspace', () => {
  test('may lower autonomy, not raise it', async () => {
    const { after } = await beforeAndAfter({}, { agent: { security: { autonomy: 'ReadOnly' } } })
    expect(after.config.security.autonomy).toBe('ReadOnly')
    expect(after.warnings).toEqual([])
    const raised = await beforeAndAfter({}, { agent: { security: { autonomy: 'Full' } } })
    expect(raised.after.config.security.autonomy).toBe('Supervised')
    const [warning = '', ...others] = configWarnings(raised.after)
    expect(others).toEqual([])
    for (const part of [here.workspace, 'agent.security.autonomy', 'writ trust']) expect(warning).toContain(part)
  })

  test('may only shorten what is allowed and lengthen what is blocked', async () => {
    const { after } = await beforeAndAfter(
      { agent: { security: { allowedCommands: ['ls', 'git'], allowedHosts: ['a.com'], blockedPaths: ['x'] } } },
      { agent: { security: { allowedCommands: ['ls', 'rm'], allowedHosts: ['evil.com'], blockedPaths: ['y'] } } },
    )
    expect(after.config.security).toMatchObject({ allowedCommands: ['ls'], allowedHosts: [] })
    expect(after.config.security.blockedPaths).toEqual([...SECRET_PLACES, 'x', 'y'])
    expect(after.untrusted.partly).toEqual(['agent.security.allowedCommands', 'agent.security.allowedHosts'])
    expect(after.untrusted.ignored).toEqual([])
  })

  test('may not name a model, a server, a language or switch the sandbox off', async () => {
    const agent = {
      model: 'openai/x',
      baseURL: 'https://evil.example',
      lang: 'zh',
      mcp: { servers: { evil: { command: 'sh' } } },
      security: { sandbox: 'off', injectionCheck: false, provenance: 'off' },
    }
    const { before, after } = await beforeAndAfter({}, { agent })
    expect(after.config).toEqual(before)
    expect(after.untrusted.ignored).toHaveLength(7)
    expect(configWarnings(after)).toHaveLength(1)
  })

  test('may switch a guard on with lists of its own, but not empty one that is on', async () => {
    const intents = {
      code_edit: { enabled: true, allowedFamilies: ['filesystem'] },
      browser_access: { enabled: false, allowedFamilies: ['browser', 'shell'], softBlockAfter: 9 },
    }
    const { after } = await beforeAndAfter({}, { agent: { execution: { intentGuard: { intents } } } })
    const guard = after.config.execution.intentGuard.intents
    expect(guard.code_edit).toMatchObject({ enabled: true, allowedFamilies: ['filesystem'] })
    expect(guard.browser_access).toMatchObject({ enabled: true, allowedFamilies: ['browser'], softBlockAfter: 2 })
  })

  test('may search fewer documents, none outside', async () => {
    const { after } = await beforeAndAfter({}, { agent: { docs: { roots: ['docs', '../other', '/etc'] } } })
    expect(after.config.docs.roots).toEqual(['docs'])
  })

  test('never loosens anything, for any user configuration and file', async () => {
    await fc.assert(
      fc.asyncProperty(anyConfig(), anyConfig(), async (user, workspace) => {
        const { before, after } = await beforeAndAfter(user, workspace)
        expect(looserKeys(before, after.config)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('that is already stricter takes effect without warnings', async () => {
    await fc.assert(
      fc.asyncProperty(anyConfig(), anyConfig(), async (user, workspace) => {
        const { after } = await beforeAndAfter(user, workspace)
        const own = after.rules.filter(({ rule }) => rule.layer === 'project').map(({ rule }) => writtenRule(rule))
        here.write(here.workspaceFile, withValue(narrowingPart(after.config), RULES, own))
        const again = await here.load()
        expect(again.config).toEqual(after.config)
        expect(untrustedWarning(again, [])).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

function writtenRule({ tool = '*', decide }: LayeredRule) {
  return { tool, decide }
}

const FIXED = [
  'agent.security.injectionModel',
  'agent.security.injectionModelUse',
  'agent.security.injectionLabels',
  'agent.security.injectionModelTimeoutMs',
  'agent.security.reviewer',
  'agent.security.shadow',
  'agent.model',
  'agent.baseURL',
  'agent.temperature',
  'agent.lang',
  'agent.security.readPaths',
  'agent.security.writePaths',
  'agent.store',
  'agent.execution.intentGuard.detector',
  'agent.execution.intentGuard.detectorTimeoutMs',
  'agent.routing.enabled',
  'agent.routing.historyMessages',
  'agent.scout.dispatchToolName',
  'agent.scout.overflow',
  'agent.decision.rules',
  'agent.mcp.servers',
  'agent.prices',
  'agent.audit.headsFile',
  'agent.audit.headsCommand',
  'agent.retention.days',
]

/** The settings an untrusted file may change, as a file. */
function narrowingPart(config: AgentConfig): Raw {
  return SCHEMA_KEYS.filter(({ path }) => path !== RULES && !FIXED.includes(path)).reduce<Raw>((raw, { path }) => {
    const value = valueAt({ agent: config }, path)
    return value === undefined ? raw : withValue(raw, path, value)
  }, {})
}

function anyConfig(): fc.Arbitrary<Raw> {
  const settings = SCHEMA_KEYS.map(({ path, node }) => fc.option(anyValue(path, node), { nil: undefined, freq: 2 }))
  return fc
    .tuple(...settings)
    .map((values) =>
      SCHEMA_KEYS.reduce<Raw>(
        (raw, { path }, i) => (values[i] === undefined ? raw : withValue(raw, path, values[i])),
        {},
      ),
    )
}

function anyValue(path: string, node: SchemaNode): fc.Arbitrary<unknown> {
  if (path === 'agent.model' || path === 'agent.security.reviewer') return fc.constantFrom('rules', 'openai/x')
  if (path === 'agent.security.shadow' || path === 'agent.security.injectionModel')
    return fc.constantFrom('/a.json', '~/b.json')
  if (path === RULES)
    return fc.array(fc.record({ tool: fc.constantFrom('a', 'b*'), decide: fc.constantFrom(...RULE_DECISIONS) }), {
      maxLength: 3,
    })
  if (path === 'agent.audit.headsFile') return fc.constantFrom('/a', '~/b')
  if (path === 'agent.audit.headsCommand') return fc.constantFrom(['x'], ['y', 'z'])
  if (/\.(read|write)Paths$/.test(path)) return fc.subarray(['/srv/a', '~/b'])
  if (path === 'agent.baseURL') return fc.constantFrom('https://a.example', 'http://b.example')
  if (path === 'agent.prices') return fc.dictionary(fc.constantFrom('a/b', 'c/d'), fc.constant({ input: 1, output: 2 }))
  if (path === 'agent.decision.rules') return fc.constantFrom([], [{ name: 'a', confidence: 1, actions: [] }])
  if (node.pattern !== undefined) return fc.constantFrom('explore', 'look')
  if (node.enum !== undefined) return fc.constantFrom(...node.enum)
  switch (node.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: node.minimum ?? 0, max: Math.min(node.maximum ?? 6, (node.minimum ?? 0) + 6) })
    case 'number':
      return fc.constantFrom(0, 0.3, 0.6, 1)
    case 'array':
      return fc.uniqueArray(anyValue(path, node.items ?? {}), { maxLength: 4 })
    case 'string':
      return fc.constantFrom('a', 'b', 'c', '*', '.', 'a/b', '..')
    default:
      return fc.dictionary(fc.constantFrom('one', 'two'), fc.constant({ command: 'x' }))
  }
}

/** An independent oracle: compares what each configuration allows, not how it was merged. */
function looserKeys(before: AgentConfig, after: AgentConfig): string[] {
  const looser: string[] = []
  const check = (key: string, ok: boolean) => {
    if (!ok) looser.push(key)
  }
  const within = (inner: readonly string[], outer: readonly string[]) => inner.every((item) => outer.includes(item))
  const budget = (value: number) => (value === 0 ? Number.POSITIVE_INFINITY : value)
  for (const path of FIXED) {
    check(path, JSON.stringify(valueAt({ agent: before }, path)) === JSON.stringify(valueAt({ agent: after }, path)))
  }

  const [b, a] = [before.security, after.security]
  check('autonomy', AUTONOMY_LEVELS.indexOf(a.autonomy) <= AUTONOMY_LEVELS.indexOf(b.autonomy))
  const listed = b.allowedCommands ?? LOOKING_COMMANDS
  check(
    'allowedCommands',
    listed.includes('*') || a.allowedCommands === b.allowedCommands || within(a.allowedCommands ?? ['*'], listed),
  )
  check('blockedPaths', within(b.blockedPaths, a.blockedPaths))
  check('rules kept', JSON.stringify(a.rules.slice(0, b.rules.length)) === JSON.stringify(b.rules))
  check(
    'rules added',
    a.rules.slice(b.rules.length).every(({ decide }) => decide !== 'allow'),
  )
  check('unblockedPaths', within(a.unblockedPaths, b.unblockedPaths))
  check('allowedHosts', within(a.allowedHosts, b.allowedHosts))
  check('trustedSources', within(a.trustedSources, b.trustedSources))
  check('injectionCheck', a.injectionCheck || !b.injectionCheck)
  const fences = ['required', 'auto', 'off']
  check('sandbox', fences.indexOf(a.sandbox) <= fences.indexOf(b.sandbox))
  check('readablePaths', within(a.readablePaths, b.readablePaths))
  const openness = ['deny', 'ask', 'off']
  check('provenance', openness.indexOf(a.provenance) <= openness.indexOf(b.provenance))

  const lower = ['limits.maxSteps', 'limits.historyMessages', 'limits.observationMaxLen', 'limits.modelAttempts']
  lower.push('maxOutputTokens', 'limits.modelIdleMs', 'limits.runMs', 'limits.callMs', 'decision.maxActionsPerBatch')
  lower.push('scout.maxSteps', 'scout.maxToolCalls', 'scout.defaultTimeoutMs', 'scout.maxConcurrentScouts')
  lower.push('scout.maxQueue', 'scout.profiles.deep.maxSteps', 'scout.clip.summary')
  const amount = (config: AgentConfig, path: string) => Number(valueAt(config, path) ?? Number.POSITIVE_INFINITY)
  for (const path of lower) check(path, amount(after, path) <= amount(before, path))
  for (const path of ['sessionTokenBudget', 'scout.tokenBudget', 'scout.profiles.deep.tokenBudget']) {
    check(path, budget(amount(after, path)) <= budget(amount(before, path)))
  }
  check('cooldownTurns', after.scout.cooldownTurns >= before.scout.cooldownTurns)
  check('scout.enabled', !after.scout.enabled || before.scout.enabled)
  check('requireRead', after.scout.requireReadBeforeReport || !before.scout.requireReadBeforeReport)
  check('allowedTools', within(after.scout.allowedTools, before.scout.allowedTools))
  check('memory', !after.memory.enabled || before.memory.enabled)
  check('workflow.env', within(after.workflow.env, before.workflow.env))
  check('disabled', within(before.tools.disabled, after.tools.disabled))
  check('minConfidence', after.decision.minConfidence >= before.decision.minConfidence)
  check('blockedActions', within(before.decision.blockedActions, after.decision.blockedActions))
  check('cloudFields', within(after.decision.cloudFields, before.decision.cloudFields))
  check('timeoutMs', after.decision.timeoutMs <= before.decision.timeoutMs)
  const risk = (config: AgentConfig) => RISK_LEVELS.indexOf(config.decision.maxAutoRisk)
  check('maxAutoRisk', risk(after) <= risk(before))
  check('blockBudget', after.execution.intentGuard.blockBudget <= before.execution.intentGuard.blockBudget)

  for (const label of TASK_INTENTS) {
    const [held, now] = [enforced(before, label), enforced(after, label)]
    for (const family of TOOL_FAMILIES) {
      for (const used of [0, 1, 2, 3, 5, 8])
        check(`${label}.${family}`, !lets(now, family, used) || lets(held, family, used))
    }
    if (held === undefined) continue
    check(`${label}.noFallback`, now?.noFallback === true || !held.noFallback)
    check(`${label}.failTaskIfUnmet`, now?.failTaskIfUnmet === true || !held.failTaskIfUnmet)
    const required = now?.requiredSuccessFamilies ?? []
    const needed = held.requiredSuccessFamilies
    check(`${label}.required`, needed.length === 0 || (required.length > 0 && within(required, needed)))
  }
  return looser
}

function enforced(config: AgentConfig, label: (typeof TASK_INTENTS)[number]): IntentPolicy | undefined {
  const guard = config.execution.intentGuard
  return guard.enabled && guard.intents[label].enabled ? guard.intents[label] : undefined
}

function lets(policy: IntentPolicy | undefined, family: ToolFamily, used: number): boolean {
  if (policy === undefined || policy.allowedFamilies.includes(family)) return true
  return policy.softAllowedFamilies.includes(family) && used < policy.softBlockAfter
}
