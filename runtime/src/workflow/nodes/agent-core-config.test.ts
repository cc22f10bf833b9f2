import { describe, expect, test } from 'vitest'
import { policyWith } from '../../../test/support/gate-input.ts'
import { Registry } from '../../tool/registry.ts'
import { defineTool, type Tool } from '../../tool/tool.ts'
import { agentCoreTool } from './agent-core.ts'
import {
  AGENT_CORE_SCHEMA,
  type AgentCoreArgs,
  narrowingIn,
  profileOf,
  temperatureOf,
  toolProblems,
} from './agent-core-config.ts'

const BASIC: AgentCoreArgs = { model: 'm', max_steps: 5, allowed_tools: [] }
/** S3 §5, verbatim. */
const SEED = {
  model: 'gpt-4o-mini',
  temperature: 0.7,
  timeout: 120,
  max_steps: 5,
  max_tool_calls: 10,
  allowed_tools: ['http_request', 'json_transform', 'redis_context', 'feishu_bot'],
  single_call_timeout: 30,
  total_token_budget: 0,
  observation_max_len: 256,
  primary_output: 'final_answer',
}

const tool = (name: string) =>
  defineTool({ name, description: name, schema: { type: 'object' }, execute: () => '' }) as Tool
const core = agentCoreTool(() => {
  throw new Error('nothing is run here')
}) as Tool

describe('the node’s configuration', () => {
  test('S3-5 S3-6 S3-20: it is an ordinary tool, in the registry beside the others, with a schema', () => {
    const registry = new Registry([core, tool('http_request')])
    expect(registry.names()).toEqual(['agent_core', 'http_request'])
    expect(core).toMatchObject({ name: 'agent_core', schema: AGENT_CORE_SCHEMA, family: 'task' })
  })

  test('S3-54 S3-61 S3-64 S3-68: the seed’s example is accepted as it stands, and equals the defaults', () => {
    expect(new Registry([core]).misfits(core, SEED)).toEqual([])
    const { model, max_steps, allowed_tools } = SEED
    const short = { model, max_steps, allowed_tools }
    const all = { ...SEED, primary_output: 'final_answer' as const }
    expect(profileOf(all, [])).toEqual(profileOf(short, []))
    expect(temperatureOf(short)).toBe(SEED.temperature)
    expect(AGENT_CORE_SCHEMA.properties.primary_output.default).toBe(SEED.primary_output)
  })

  test('S3-64: any of the four outputs can be the main one', () => {
    expect(AGENT_CORE_SCHEMA.properties.primary_output.enum).toEqual([
      'final_answer',
      'trace',
      'used_tools',
      'finish_reason',
    ])
  })

  test('S3-66 S3-101: seconds become milliseconds, and every safety key its limit', () => {
    const given = { ...BASIC, timeout: 1.5, single_call_timeout: 0.25, max_tool_calls: 2, total_token_budget: 9 }
    expect(profileOf(given, []).limits).toEqual({
      maxSteps: 5,
      maxToolCalls: 2,
      runMs: 1500,
      callMs: 250,
      tokens: { budget: 9, mode: 'soft' },
    })
  })

  test('S3-38 S3-100: lists and rate become a narrowing; without them only the default rate', () => {
    expect(narrowingIn(BASIC)).toEqual({ rateLimit: { perSecond: 5, burst: 10 } })
    const http = { allowed_domains: ['API.example.com'], allowed_methods: ['GET'] }
    expect(narrowingIn({ ...BASIC, http, rate_limit: { burst: 1 } })).toEqual({
      allowedDomains: ['api.example.com'],
      allowedMethods: ['GET'],
      rateLimit: { perSecond: 5, burst: 1 },
    })
  })

  test('S3-69 S3-165: every listed tool that is not there, or never in a node, is named', () => {
    const registry = new Registry([core, tool('http_request'), tool('routine'), tool('shell')])
    const policy = policyWith()
    const allowed_tools = ['http_request', 'htp_request', 'agent_core', 'explore', 'routine', 'shell', 'zzz']
    const found = toolProblems({ allowed_tools }, { registry, policy, disabled: ['shell'], lang: 'en' })
    expect(found.map((text) => /"(\w+)"/.exec(text)?.[1])).toEqual(allowed_tools.slice(1))
    expect(found[0]).toContain('did you mean "http_request"?')
  })
})
