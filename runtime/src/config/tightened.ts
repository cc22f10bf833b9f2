/** Where it is unclear who changed the settings: the stricter of those before and those now. */
import { canonical } from '../base/json.ts'
import type { Policy } from '../protocol/policy.ts'
import type { LayeredRule } from '../protocol/rule.ts'
import { merge, type Raw, RULES, withoutValue } from './keys.ts'
import { narrow } from './narrow.ts'
import { toPolicy } from './policy.ts'
import type { AgentConfig, McpServer } from './schema.ts'
import { LOOKING_COMMANDS } from './security.ts'

interface InForce {
  config: AgentConfig
  policy: Policy
}

export function tightenedPolicy(held: InForce, now: InForce): Policy {
  return toPolicy(tightened(held.config, now.config), tightenedRules(rulesOf(held), rulesOf(now)))
}

/** Whether nothing in the settings of now allows more than those before. */
export function areTighter(now: InForce, before: InForce): boolean {
  const [was, is] = [new Set(rulesOf(before).map(identity)), new Set(rulesOf(now).map(identity))]
  return (
    plain(now.config) === plain(tightened(before.config, now.config)) &&
    rulesOf(now).every((rule) => rule.decide !== 'allow' || was.has(identity(rule))) &&
    rulesOf(before).every((rule) => rule.decide === 'allow' || is.has(identity(rule))) &&
    Object.entries(now.config.mcp.servers).every(([name, server]) => isWithin(server, before.config.mcp.servers[name]))
  )
}

/** Whether what tools may reach is still as before, whatever the rules of now say. */
export function keepsBoundary(now: AgentConfig, before: AgentConfig): boolean {
  return plain(tightened(before, now)) === plain(before)
}

function tightened(before: AgentConfig, now: AgentConfig): AgentConfig {
  const held = spelledOut(before)
  const { raw } = narrow(held, { agent: spelledOut(now) })
  return (merge({ agent: held } as Raw, raw) as { agent: AgentConfig }).agent
}

/** A list that is no longer written asks for the one that holds without it. */
function spelledOut(agent: AgentConfig): AgentConfig {
  const { security } = agent
  return { ...agent, security: { ...security, allowedCommands: security.allowedCommands ?? [...LOOKING_COMMANDS] } }
}

/** To compare; rules and servers are compared by themselves. */
function plain(agent: AgentConfig): string {
  return canonical([RULES, 'agent.mcp.servers'].reduce(withoutValue, { agent: spelledOut(agent) } as Raw))
}

/** The same server, switched off or with fewer tools. */
function isWithin(now: McpServer, before: McpServer | undefined): boolean {
  if (before === undefined) return false
  const { tools } = before
  const areFewer = tools === undefined || now.tools?.every((tool) => tools.includes(tool)) === true
  const isSame = canonical({ ...now, tools: 0, enabled: 0 }) === canonical({ ...before, tools: 0, enabled: 0 })
  return isSame && areFewer && (before.enabled || !now.enabled)
}

function rulesOf({ policy }: InForce): readonly LayeredRule[] {
  return policy.security.rules
}

/** Every ask and deny of both, and the allows that both have. */
function tightenedRules(held: readonly LayeredRule[], now: readonly LayeredRule[]): LayeredRule[] {
  const [known, still] = [new Set(held.map(identity)), new Set(now.map(identity))]
  return [
    ...held.filter((rule) => rule.decide !== 'allow' || still.has(identity(rule))),
    ...now.filter((rule) => rule.decide !== 'allow' && !known.has(identity(rule))),
  ]
}

/** The same rule on another line is the same rule. */
function identity(rule: LayeredRule): string {
  return canonical({ ...rule, from: '' })
}
