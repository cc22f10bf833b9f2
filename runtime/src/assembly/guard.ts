/** Guarded sessions: outside agents propose, the one gate decides, and the agents act. */
import { canonical } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import { tableOf } from '../outside/agents.ts'
import { declaredTool, type KnownTool, type ToolDeclaration } from '../outside/known-tool.ts'
import type { OutsideResult } from '../outside/outside-call.ts'
import type { GuardVerdict, Observed, OutsideProposal } from '../outside/verdict.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { type GuardAgents, type GuardOptions, openGuardAgents } from './guard-agents.ts'
import { type Begun, beginOutside, sessionIdOf } from './outside-begin.ts'

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

export async function openGuard(options: GuardOptions = {}): Promise<Guard> {
  const agents = openGuardAgents(options)
  const running = new Set<() => Promise<void>>()
  return {
    data: agents.data,
    session: (own) => guardedSession(own, { ...agents, running }),
    async close() {
      agents.shut()
      await Promise.all([...running].map((end) => end()))
      await agents.close()
    },
  }
}

interface SessionDeps extends GuardAgents {
  /** How to end each session with an open run. */
  running: Set<() => Promise<void>>
}

function guardedSession(own: SessionOptions, deps: SessionDeps): GuardedSession {
  const { id, agent: name, cwd, tools = [], isAttended = true, principal = LOCAL } = own
  const sessionId = sessionIdOf(name, id)
  const { table, declare } = declarations(name)
  declare(tools)
  let current: Promise<Begun> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** Beginnings and ends of runs, one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work)
    turn = next.catch(() => {})
    return next
  }

  const begin = (task: string) =>
    beginOutside(deps, { sessionId, outside: { agent: name, id, cwd }, principal, task, table, isAttended })

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
  function start(task: string): Promise<Begun> {
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
