/** S3 §5: the configuration of an agent node, key for key, with its defaults and ranges. */
import { PROFILES } from '../../agent/profile.ts'
import type { JsonObject } from '../../base/json.ts'
import { nearest } from '../../base/text.ts'
import type { Lang } from '../../i18n/locale.ts'
import type { Policy, PolicyNarrowing } from '../../protocol/policy.ts'
import type { Profile } from '../../protocol/profile.ts'
import type { Registry } from '../../tool/registry.ts'
import { nodeTexts } from './texts.ts'

export const AGENT_CORE = 'agent_core'

/** What the node hands on (S3 §7); one of them is its main output. */
const OUTPUTS = ['final_answer', 'trace', 'used_tools', 'finish_reason'] as const

/** No agents inside agents (S3-165), no scout's report, no orders for later, and no node that keeps the conversation. */
const INNER = [AGENT_CORE, 'report_findings', 'routine', 'context_prepare', 'context_persist']

/** `fold` remembers this many calls of a tool, so no bucket can be larger. */
const MAX_BURST = 64
export const MAX_SECONDS = 86_400

export interface AgentCoreArgs {
  model: string
  max_steps: number
  allowed_tools: string[]
  temperature?: number
  timeout?: number
  max_tool_calls?: number
  single_call_timeout?: number
  total_token_budget?: number
  observation_max_len?: number
  primary_output?: (typeof OUTPUTS)[number]
  http?: { allowed_domains?: string[]; allowed_methods?: string[] }
  rate_limit?: { per_second?: number; burst?: number }
  few_shot?: string
  messages_json?: string | unknown[]
  prompt?: string
}

const seconds = { type: 'number', exclusiveMinimum: 0, maximum: MAX_SECONDS } as const

export const AGENT_CORE_SCHEMA = {
  type: 'object',
  properties: {
    model: {
      type: 'string',
      minLength: 1,
      description: 'The model: "provider/name", a well-known name such as "gpt-4o-mini", or "rules".',
    },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.7, description: 'For every reply.' },
    timeout: { ...seconds, default: 120, description: 'Seconds for the whole run.' },
    max_steps: { type: 'integer', minimum: 1, maximum: 100, description: 'Model replies; 5 is a good start.' },
    max_tool_calls: {
      type: 'integer',
      minimum: 0,
      maximum: 100,
      default: 10,
      description:
        'Tool calls let through. A step makes one call at most, so this matters only if max_steps is higher.',
    },
    allowed_tools: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'The only tools it can see and call. Empty: none.',
    },
    single_call_timeout: { ...seconds, default: 30, description: 'Seconds for one tool call.' },
    total_token_budget: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Tokens. Soft: the step that exceeds it is finished, then one last reply is requested. 0: no limit.',
    },
    observation_max_len: {
      type: 'integer',
      minimum: 1,
      maximum: 32_000,
      default: 256,
      description: 'Characters of a tool result shown to the model; what is cut is counted: "…(+N)".',
    },
    primary_output: {
      type: 'string',
      enum: [...OUTPUTS],
      default: 'final_answer',
      description: 'Which output is the node’s main one: what `{{nodes.<id>.output}}` stands for.',
    },
    http: {
      type: 'object',
      properties: {
        allowed_domains: {
          type: 'array',
          items: { type: 'string', pattern: '^(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?(:[0-9]{1,5})?$' },
          description: '"x.y" or "*.x.y", ports 80 and 443 unless a port is given. Applies to redirects too.',
        },
        allowed_methods: {
          type: 'array',
          items: { type: 'string', enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
          description: 'The only methods of a request.',
        },
      },
      additionalProperties: false,
      description: 'Where requests may go. Absent: wherever the agent’s own configuration lets them.',
    },
    rate_limit: {
      type: 'object',
      properties: {
        per_second: {
          type: 'number',
          exclusiveMinimum: 0,
          maximum: 1000,
          default: 5,
          description: 'Calls of one tool per second, in the long run.',
        },
        burst: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_BURST,
          default: 10,
          description: 'Calls of one tool at once.',
        },
      },
      additionalProperties: false,
      description: 'A call beyond it waits; one that would wait longer than the run may take is denied.',
    },
    few_shot: { type: 'string', description: 'Examples in place of the built-in ones. Empty: none.' },
    messages_json: {
      type: ['string', 'array'],
      description: 'The conversation so far: a list of neutral messages, or its JSON text.',
    },
    prompt: { type: 'string', description: 'What is asked; after messages_json when both are given.' },
  },
  required: ['model', 'max_steps', 'allowed_tools'],
  additionalProperties: false,
} as const satisfies JsonObject

const { properties } = AGENT_CORE_SCHEMA

/** A workflow's profile with the node's numbers; `hidden` is never shown, whatever the node lists. */
export function profileOf(args: AgentCoreArgs, hidden: readonly string[]): Profile {
  const {
    timeout = properties.timeout.default,
    max_tool_calls = properties.max_tool_calls.default,
    single_call_timeout = properties.single_call_timeout.default,
    total_token_budget = properties.total_token_budget.default,
    observation_max_len = properties.observation_max_len.default,
  } = args
  return {
    ...PROFILES.workflow,
    limits: {
      maxSteps: args.max_steps,
      maxToolCalls: max_tool_calls,
      runMs: toMs(timeout),
      callMs: toMs(single_call_timeout),
      tokens: { budget: total_token_budget, mode: 'soft' },
    },
    exposure: { only: [...args.allowed_tools], hidden: [...hidden] },
    observationMaxLen: observation_max_len,
  }
}

function toMs(value: number): number {
  return Math.max(1, Math.round(value * 1000))
}

export function temperatureOf({ temperature = properties.temperature.default }: AgentCoreArgs): number {
  return temperature
}

/** What the node takes away from what its workflow may do. */
export function narrowingIn({ http = {}, rate_limit = {} }: AgentCoreArgs): PolicyNarrowing {
  const { allowed_domains, allowed_methods } = http
  const limits = properties.rate_limit.properties
  const { per_second = limits.per_second.default, burst = limits.burst.default } = rate_limit
  return {
    ...(allowed_domains === undefined ? {} : { allowedDomains: allowed_domains.map((entry) => entry.toLowerCase()) }),
    ...(allowed_methods === undefined ? {} : { allowedMethods: allowed_methods }),
    rateLimit: { perSecond: per_second, burst },
  }
}

/** Tools that stay out of an agent node, listed or not. */
export function hiddenTools(policy: Policy, disabled: readonly string[]): string[] {
  return [...INNER, policy.scout.dispatchToolName, ...disabled]
}

interface ToolBox {
  registry: Registry
  policy: Policy
  disabled: readonly string[]
  lang: Lang
}

/** What no schema can know: whether the listed tools are there and may be listed. */
export function toolProblems({ allowed_tools }: Pick<AgentCoreArgs, 'allowed_tools'>, box: ToolBox): string[] {
  return allowed_tools.flatMap((tool) => toolProblem(tool, box) ?? [])
}

export function toolProblem(tool: string, { registry, policy, disabled, lang }: ToolBox): string | undefined {
  const texts = nodeTexts(lang)
  const inner = hiddenTools(policy, [])
  const usable = registry.names().filter((name) => !inner.includes(name) && !disabled.includes(name))
  if (inner.includes(tool)) return texts.innerTool({ tool })
  if (disabled.includes(tool)) return texts.disabledTool({ tool })
  if (usable.includes(tool)) return undefined
  const meant = nearest(tool, usable)
  return texts.unknownTool(meant === undefined ? { tool } : { tool, meant })
}
