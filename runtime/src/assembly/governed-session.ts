/**
 * A session whose calls Writ makes itself, for a client elsewhere. Its run ends where its user would have to be heard:
 * when a question waits, so that a person can answer it, or when the settings have changed. A stop of the policy stays:
 * the settings that a program changed are put back, which changes them too, and must not begin another run. While calls
 * run, changed settings can only tighten what is judged.
 */
import { present } from '../base/present.ts'
import type { AgentConfig } from '../config/schema.ts'
import { tightenedPolicy } from '../config/tightened.ts'
import { WritError } from '../errors/writ-error.ts'
import type { OutsideRun } from '../outside/run.ts'
import type { Performed } from '../outside/verdict.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Agent } from './agent.ts'
import type { GuardAgents } from './guard-agents.ts'
import { type Begun, beginOutside, sessionIdOf } from './outside-begin.ts'

export interface GovernedOptions {
  id: string
  agent: string
  cwd: string
  principal: Principal
  /** The words of the client's user, declared by the person who started this. */
  task: string
}

type Performing = Parameters<OutsideRun['perform']>[0]

interface GovernedCall extends Omit<Performing, 'registry' | 'policy' | 'data'> {
  registryIn(agent: Agent): Performing['registry']
  /** Whether a program of this machine acts, which could change the settings. */
  isLocal: boolean
  /** Whether the tool is still the same with settings that have changed since it was offered. */
  isSameIn(now: AgentConfig, before: AgentConfig): boolean
}

export interface Governed extends Performed {
  /** The settings have changed, and what they loosen does not hold yet. */
  isTightened: boolean
}

export interface GovernedSession {
  readonly sessionId: string
  call(own: GovernedCall): Promise<Governed>
  /** Once no call is running. */
  end(): Promise<void>
}

export function governedSession(deps: GuardAgents, own: GovernedOptions): GovernedSession {
  const { id, agent: name, cwd, principal, task } = own
  const sessionId = sessionIdOf(name, id)
  let current: Begun | undefined
  let stopped: Begun | undefined
  /** Its journal could not be written: a new run takes its place. */
  let broken: Begun | undefined
  let running = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** Beginnings and ends of runs, one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work)
    turn = next.catch(() => {})
    return next
  }

  async function endRun(): Promise<void> {
    const open = current
    current = undefined
    if (open === undefined) return
    try {
      await open.run.end('')
    } finally {
      await open.lease.release().catch(() => {})
    }
  }

  async function isStale(begun: Begun): Promise<boolean> {
    // The lease was lost: another process has the session now, or the machine slept.
    if (begun.lease.ending.aborted) return true
    return running === 0 && (begun === broken || (await deps.agentIn(cwd)) !== begun.agent)
  }

  const enter = () =>
    inTurn(async () => {
      if (stopped !== undefined) return entered(stopped)
      if (current !== undefined && (await isStale(current))) await endRun().catch(() => {})
      const outside = { agent: name, id, cwd }
      current ??= await beginOutside(deps, {
        sessionId,
        outside,
        principal,
        task,
        table: {},
        isAttended: true,
        performs: true,
      })
      return entered(current)
    })
  const entered = (begun: Begun) => {
    running++
    return begun
  }

  const end = () => inTurn(async () => (running === 0 ? endRun() : undefined))

  return {
    sessionId,
    async call({ registryIn, isLocal, isSameIn, ...call }) {
      const begun = await enter()
      const { agent, run } = begun
      const count = () => (isLocal ? deps.enterCall() : () => {})
      let leave = count()
      const ask: Performing['ask'] = async (question) => {
        // A question can stay open for long, and no program runs meanwhile.
        leave()
        const answer = await call.ask(question).finally(() => (leave = count()))
        // A yes to a call that the settings of now would not allow waits for a person instead.
        const isSame = async () => (await deps.changedSince(agent, cwd)) === undefined
        return answer === 'y' && !(await isSame().catch(() => false)) ? 'later' : answer
      }
      try {
        const changed = await deps.changedSince(agent, cwd)
        if (changed !== undefined && !isSameIn(changed.config, agent.config.config))
          throw new WritError('SETTINGS_CHANGING')
        const policy = changed && tightenedPolicy(agent.config, changed)
        const made = run.perform({ ...call, ask, data: deps.data, registry: registryIn(agent), ...present({ policy }) })
        made.catch(() => (broken = begun))
        return { ...(await made), isTightened: changed !== undefined }
      } finally {
        if (run.isOver) stopped = begun
        leave()
        running--
        // Its lease would keep the person from answering.
        if (stopped === undefined && running === 0 && run.hasQuestions) await end()
      }
    },
    end,
  }
}
