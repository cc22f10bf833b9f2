/** How a run of an outside agent begins: under the lease of its session, for its owner. */
import type { Engine } from '../agent/turn.ts'
import { fingerprint } from '../base/hash.ts'
import { onlyRules } from '../config/remembered-rules.ts'
import { ruleId } from '../config/rule-id.ts'
import { holdLease, type Lease, leaseOfSession } from '../dispatch/lease.ts'
import { closeInterrupted } from '../journal/run-lifecycle.ts'
import { settingsPlaces } from '../outside/agents.ts'
import { earlierAnswers } from '../outside/grants.ts'
import type { ToolTable } from '../outside/known-tool.ts'
import { type OutsideAgent, OutsideRun } from '../outside/run.ts'
import type { Event } from '../protocol/event.ts'
import type { Principal } from '../protocol/principal.ts'
import { fenced } from '../storage/fence.ts'
import { leasesOn } from '../storage/leases.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import type { Agent } from './agent.ts'
import type { GuardAgents } from './guard-agents.ts'
import { sessionOwnerCheck } from './own-session.ts'

/** Longer than the lease of a dead process. */
const WAIT_MS = 12_000

export interface Beginning {
  sessionId: string
  outside: OutsideAgent
  principal: Principal
  task: string
  table: ToolTable
  isAttended: boolean
  /** For calls that Writ makes itself: they keep its boundary, and open questions keep waiting. */
  performs?: true
}

export interface Begun {
  agent: Agent
  run: OutsideRun
  lease: Lease
}

export async function beginOutside(deps: GuardAgents, own: Beginning): Promise<Begun> {
  const { sessionId, outside, principal, performs = false } = own
  const agent = await deps.agentIn(outside.cwd)
  // The outside agent names its sessions itself.
  await sessionOwnerCheck(sessionOwners(agent.db), deps.clock)(sessionId, principal)
  const signal = new AbortController().signal
  const lease = await holdLease(leasesOn(agent.db), leaseOfSession(sessionId), { signal, waitMs: WAIT_MS })
  try {
    const { store } = agent
    const earlier = performs ? await store.readSession(sessionId) : []
    const remembered = await rulesInForce(agent, deps, earlier)
    const engine = guardedEngine({ ...agent.engine, remembered }, lease, { ...deps, performs })
    const waiting = new Set(earlierAnswers(earlier).open.values())
    for (const { runId } of await store.listRuns({ sessionId, open: true })) {
      if (!waiting.has(runId)) await closeInterrupted(engine, runId)
    }
    const run = await OutsideRun.begin(engine, {
      ...own,
      ours: agent.engine.registry,
      home: deps.home,
      signal: lease.ending,
    })
    return { agent, run, lease }
  } catch (error) {
    await lease.release().catch(() => {})
    throw error
  }
}

/** Where a program could have written a rule, only those of the start hold, and those a person remembered in answers. */
async function rulesInForce(
  { engine }: Agent,
  { rulesAtStart }: GuardAgents,
  earlier: readonly Event[],
): Promise<Engine['remembered']> {
  const { remembered, world } = engine
  if (remembered === undefined || rulesAtStart === undefined) return remembered
  const answered = earlier.flatMap((event) => (event.type === 'confirm.answered' ? (event.data.remembered ?? []) : []))
  const ids = answered.flatMap(({ scope, rules }) =>
    rules.map((rule) => ruleId(rule, scope === 'workspace' ? world.workspace : undefined)),
  )
  return onlyRules(remembered, new Set([...(await rulesAtStart), ...ids]))
}

/** No tool may write what would switch the guard off, and a lost lease ends every write. */
function guardedEngine(
  engine: Engine,
  lease: Lease,
  { home, env, performs }: Pick<GuardAgents, 'home' | 'env'> & { performs: boolean },
): Engine {
  const { world } = engine
  const protectedPaths = Object.freeze([...world.protectedPaths, ...settingsPlaces(world.workspace, home, env)])
  // What outside agents do is not sandboxed, so nothing is judged as if it were.
  const sandbox = performs ? world.sandbox : 'off'
  return { ...engine, store: fenced(engine.store, lease), world: Object.freeze({ ...world, sandbox, protectedPaths }) }
}

/** Ids that had to be shortened or changed get a mark of their own: two sessions must not become one. */
export function sessionIdOf(agent: string, id: string): string {
  const given = `${agent}-${id}`
  const clean = given.replace(/[^A-Za-z0-9_.-]/g, '_')
  return clean === given && clean.length <= 128 ? clean : `${clean.slice(0, 95)}-${fingerprint(given).slice(0, 32)}`
}
