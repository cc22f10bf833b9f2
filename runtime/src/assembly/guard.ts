/** Guarded sessions: outside agents propose, the one gate decides, and the agents act. */
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../agent/turn.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { fingerprint } from '../base/hash.ts'
import type { IdSource } from '../base/id.ts'
import { canonical } from '../base/json.ts'
import { CONFIG_FILE, configHome, type Env, guardHome, homeIn, organisationFile } from '../config/places.ts'
import { holdLease, type Lease, leaseOfSession } from '../dispatch/lease.ts'
import { WritError } from '../errors/writ-error.ts'
import { closeInterrupted } from '../journal/run-lifecycle.ts'
import type { AppendListener } from '../journal/store.ts'
import { settingsPlaces, tableOf } from '../outside/agents.ts'
import { declaredTool, type KnownTool, type ToolDeclaration } from '../outside/known-tool.ts'
import type { OutsideResult } from '../outside/outside-call.ts'
import { OutsideRun, outsideModel } from '../outside/run.ts'
import type { GuardVerdict, Observed, OutsideProposal } from '../outside/verdict.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { fenced } from '../storage/fence.ts'
import { leasesOn } from '../storage/leases.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import { type Agent, createAgent } from './agent.ts'
import type { AgentOptions } from './library.ts'
import { sessionOwnerCheck } from './own-session.ts'

/** What `openGuard` takes. */
export interface GuardOptions extends Pick<AgentOptions, 'config' | 'data' | 'autonomy' | 'lang' | 'env'> {
  clock?: Clock
  newId?: IdSource
  onAppend?: AppendListener
}

/** A session of an outside agent. */
export interface SessionOptions {
  /** The agent's own id of the session. The same id continues the session. */
  id: string
  /** `claude`, `codex` and `opencode` have a table of their tools; any other name is welcome. */
  agent: string
  /** The folder the agent works in. Paths outside are refused. */
  cwd: string
  /** Tools that the agent's table does not have. */
  tools?: readonly ToolDeclaration[]
  /** False: there is no person to ask, and a question waits in the journal. */
  isAttended?: boolean
  /** Who works with the agent. The local user when absent. */
  principal?: Principal
}

/** One session of an outside agent: each message of the user is a run, each call of a tool is judged. */
export interface GuardedSession {
  readonly sessionId: string
  /** The user's words: a new run begins. */
  say(text: string): Promise<void>
  /** Judges a call before the agent makes it. An allow is on disk when this resolves. */
  propose(call: OutsideProposal): Promise<GuardVerdict>
  /** Tools that the agent's table does not have, or that you know better. */
  declare(tools: readonly ToolDeclaration[]): void
  /** The call that was asked about is not made. */
  decline(callId: string): Promise<void>
  /** What became of a call. `tool` is only needed for a call that was not proposed here. */
  observe(callId: string, result: OutsideResult, tool?: string): Promise<Observed>
  /** The agent has answered: the run is over. */
  end(reply?: string): Promise<void>
}

/** The gate, opened for outside agents. */
export interface Guard {
  session(options: SessionOptions): GuardedSession
  /** The folder with the journal. */
  readonly data: string
  close(): Promise<void>
}

/** Longer than the lease of a dead process. */
const WAIT_MS = 12_000

export async function openGuard(options: GuardOptions = {}): Promise<Guard> {
  const { env = { ...process.env }, clock = systemClock } = options
  const home = homeIn(env, homedir())
  const data = options.data ?? guardHome(env, home)
  const agents = new Map<string, { settings: string; opening: Promise<Agent> }>()
  const opened: Promise<Agent>[] = []
  const running = new Set<() => Promise<void>>()
  let isClosed = false

  /** Opened again when the settings have changed: a rule holds from the user's next message on. */
  async function agentIn(cwd: string): Promise<Agent> {
    if (isClosed) throw new WritError('GUARD_CLOSED')
    const workspace = await realpath(cwd)
    const settings = await stateOf(settingsFiles(workspace))
    const known = agents.get(workspace)
    if (known?.settings === settings) return known.opening
    const opening = createAgent({ ...options, env, data, workspace, model: outsideModel('outside'), judging: true })
    agents.set(workspace, { settings, opening })
    opened.push(opening)
    // Tried again with the next call: the data folder may be usable then.
    opening.catch(() => agents.delete(workspace))
    return opening
  }

  function settingsFiles(workspace: string): string[] {
    const named = [options.config, env.WRIT_CONFIG].filter((file) => typeof file === 'string' && file !== '')
    const own = join(configHome(env, home), CONFIG_FILE)
    return [...(named as string[]), join(workspace, CONFIG_FILE), own, organisationFile(env)]
  }

  return {
    data,
    session: (own) => guardedSession(own, { clock, home, env, agentIn, running }),
    async close() {
      isClosed = true
      await Promise.all([...running].map((end) => end()))
      for (const agent of await Promise.allSettled(opened)) {
        if (agent.status === 'fulfilled') await agent.value.close()
      }
    },
  }
}

/** Changes whenever one of the files does, comes or goes. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    const found = await stat(file).catch(() => undefined)
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
  })
  return (await Promise.all(states)).join('\n')
}

interface SessionDeps {
  clock: Clock
  home: string
  env: Env
  agentIn(cwd: string): Promise<Agent>
  /** How to end each session with an open run. */
  running: Set<() => Promise<void>>
}

function guardedSession(own: SessionOptions, deps: SessionDeps): GuardedSession {
  const { id, agent: name, cwd, tools = [], isAttended = true, principal = LOCAL } = own
  const sessionId = sessionIdOf(name, id)
  const { table, declare } = declarations(name)
  declare(tools)
  let current: Promise<{ run: OutsideRun; lease: Lease }> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** Beginnings and ends of runs, one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work)
    turn = next.catch(() => {})
    return next
  }

  async function begin(task: string): Promise<{ run: OutsideRun; lease: Lease }> {
    const agent = await deps.agentIn(cwd)
    const owners = sessionOwners(agent.db)
    // The outside agent names its sessions itself.
    await sessionOwnerCheck(owners, deps.clock)(sessionId, principal)
    const signal = new AbortController().signal
    const lease = await holdLease(leasesOn(agent.db), leaseOfSession(sessionId), { signal, waitMs: WAIT_MS })
    try {
      const engine = outsideEngine(agent.engine, lease, deps)
      for (const { runId } of await agent.store.listRuns({ sessionId, open: true })) {
        await closeInterrupted(engine, runId)
      }
      const outside = { agent: name, id, cwd }
      const ours = agent.engine.registry
      const run = await OutsideRun.begin(engine, {
        outside,
        sessionId,
        task,
        table,
        ours,
        home: deps.home,
        isAttended,
        signal: lease.ending,
      })
      return { run, lease }
    } catch (error) {
      await lease.release().catch(() => {})
      throw error
    }
  }

  async function endRun(reply = ''): Promise<void> {
    const open = await current?.catch(() => undefined)
    current = undefined
    deps.running.delete(end)
    if (open === undefined) return
    try {
      await open.run.end(reply)
    } finally {
      await open.lease.release().catch(() => {})
    }
  }

  /** A run that could not begin is tried again with the next call. */
  function start(task: string): Promise<{ run: OutsideRun; lease: Lease }> {
    const started = begin(task)
    current = started
    deps.running.add(end)
    started.catch(() => {
      if (current === started) current = undefined
    })
    return started
  }

  const end = (reply?: string) => inTurn(() => endRun(reply))

  const runNow = () =>
    inTurn(async () => {
      const open = await current
      if (open !== undefined && !open.lease.ending.aborted) return open.run
      // The lease was lost: another process has the session now, or the machine slept.
      if (open !== undefined) await endRun().catch(() => {})
      return (await start('')).run
    })

  return {
    sessionId,
    declare,
    decline: async (callId) => (await runNow()).decline(callId),
    say: (text) =>
      inTurn(async () => {
        await endRun()
        await start(text)
      }),
    propose: async (call) => (await runNow()).propose(call),
    observe: async (callId, result, tool) => (await runNow()).observe(callId, result, tool),
    end,
  }
}

/** The tools of an agent. A run that has begun sees what is declared later. */
function declarations(agent: string) {
  const table: Record<string, KnownTool> = { ...tableOf(agent) }
  const known = new Map<string, string>()
  function declare(tools: readonly ToolDeclaration[]): void {
    for (const tool of tools) {
      const text = canonical(tool)
      // A second declaration could make a tool that is in use look harmless.
      if ((known.get(tool.name) ?? text) !== text) throw new WritError('TOOL_REDECLARED', { tool: tool.name })
      known.set(tool.name, text)
      table[tool.name] = declaredTool(tool)
    }
  }
  return { table, declare }
}

/** What outside agents do is not sandboxed, so nothing is judged as if it were. */
function outsideEngine(engine: Engine, lease: Lease, { home, env }: SessionDeps): Engine {
  const { world } = engine
  const protectedPaths = Object.freeze([...world.protectedPaths, ...settingsPlaces(world.workspace, home, env)])
  return {
    ...engine,
    store: fenced(engine.store, lease),
    world: Object.freeze({ ...world, sandbox: 'off', protectedPaths }),
  }
}

/** Ids that had to be shortened or changed get a mark of their own: two sessions must not become one. */
function sessionIdOf(agent: string, id: string): string {
  const given = `${agent}-${id}`
  const clean = given.replace(/[^A-Za-z0-9_.-]/g, '_')
  return clean === given && clean.length <= 128 ? clean : `${clean.slice(0, 95)}-${fingerprint(given).slice(0, 32)}`
}
