/** The agents behind guarded sessions: one for each folder, opened again when its settings have changed. */
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { loadWorkspace, type WorkspaceContext } from '../agent/workspace-context.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { LoadedConfig } from '../config/load.ts'
import { CONFIG_FILE, configHome, type Env, guardHome, homeIn, organisationFile } from '../config/places.ts'
import { readRules } from '../config/remembered-rules.ts'
import { areTighter } from '../config/tightened.ts'
import { WritError } from '../errors/writ-error.ts'
import type { AppendListener } from '../journal/store.ts'
import { outsideModel } from '../outside/run.ts'
import { type Agent, createAgent } from './agent.ts'
import type { AgentOptions } from './library.ts'

/** What `openGuard` takes. */
export interface GuardOptions extends Pick<AgentOptions, 'config' | 'data' | 'autonomy' | 'lang' | 'env'> {
  clock?: Clock
  newId?: IdSource
  onAppend?: AppendListener
}

interface GuardAgentsOptions extends GuardOptions {
  /**
   * For programs that run with the user's permissions between calls: what they could have loosened in the settings since
   * the start holds only from the next start on.
   */
  onlyTightens?: boolean
}

export interface GuardAgents {
  /** The folder with the journal. */
  data: string
  home: string
  env: Env
  clock: Clock
  /** The same agent as long as the settings are the same, or a program is running that may have changed them. */
  agentIn(cwd: string): Promise<Agent>
  /** The settings of now, where they are no longer those of this agent. */
  changedSince(agent: Agent, cwd: string): Promise<LoadedConfig | undefined>
  /**
   * A program of this machine runs for a client; returns how that ends. It may have changed the settings: until it has
   * ended and that was looked at, changed settings are not opened.
   */
  enterCall(): () => void
  /** Ids of the remembered rules at the start; undefined where later ones hold too. */
  readonly rulesAtStart: Promise<ReadonlySet<string>> | undefined
  /** No further agent is opened. */
  shut(): void
  close(): Promise<void>
}

export function openGuardAgents({ onlyTightens = false, ...options }: GuardAgentsOptions): GuardAgents {
  const { env = { ...process.env }, clock = systemClock } = options
  const home = homeIn(env, homedir())
  const data = options.data ?? guardHome(env, home)
  const agents = new Map<string, { settings: string; opening: Promise<Agent> }>()
  const opened: Promise<Agent>[] = []
  const openedWith = new WeakMap<Agent, string>()
  const started = new Map<string, { context: WorkspaceContext; agent: Agent }>()
  const rulesAtStart = onlyTightens
    ? readRules(configHome(env, home)).then(({ rules }) => new Set(rules.map(({ id }) => id)))
    : undefined
  let isShut = false
  let calls = 0

  /** Opened again when the settings have changed: a rule holds from the next run on. */
  async function agentIn(cwd: string): Promise<Agent> {
    if (isShut) throw new WritError('GUARD_CLOSED')
    const workspace = await realpath(cwd)
    const settings = await stateOf(settingsFiles(workspace))
    const known = agents.get(workspace)
    if (known?.settings === settings) return known.opening
    if (calls > 0) {
      if (known === undefined) throw new WritError('SETTINGS_CHANGING')
      return known.opening
    }
    const opening = open(workspace)
    opening.then(
      (agent) => openedWith.has(agent) || openedWith.set(agent, settings),
      () => {},
    )
    agents.set(workspace, { settings, opening })
    opened.push(opening)
    // Tried again with the next call: the data folder may be usable then.
    opening.catch(() => agents.delete(workspace))
    return opening
  }

  /** With settings that are looser than at the start, the last one stays. */
  async function open(workspace: string): Promise<Agent> {
    const own = { ...options, env, data, workspace }
    const context = await loadWorkspace(own)
    const start = started.get(workspace)
    if (onlyTightens && start !== undefined && !areTighter(context.loaded, start.context.loaded)) return start.agent
    const agent = await createAgent({ ...own, context, model: outsideModel('outside'), judging: true })
    started.set(workspace, { context: start?.context ?? context, agent })
    return agent
  }

  async function changedSince(agent: Agent, cwd: string): Promise<LoadedConfig | undefined> {
    const workspace = await realpath(cwd)
    if (openedWith.get(agent) === (await stateOf(settingsFiles(workspace)))) return undefined
    const now = loadWorkspace({ ...options, env, data, workspace })
    return (await now.catch(() => Promise.reject(new WritError('SETTINGS_CHANGING')))).loaded
  }

  function settingsFiles(workspace: string): string[] {
    const named = [options.config, env.WRIT_CONFIG].filter((file) => typeof file === 'string' && file !== '')
    const own = join(configHome(env, home), CONFIG_FILE)
    return [...(named as string[]), join(workspace, CONFIG_FILE), own, organisationFile(env)]
  }

  return {
    data,
    home,
    env,
    clock,
    agentIn,
    changedSince,
    rulesAtStart,
    enterCall() {
      calls++
      return () => calls--
    },
    shut() {
      isShut = true
    },
    async close() {
      const all = await Promise.allSettled(opened)
      for (const agent of new Set(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))) {
        await agent.close()
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
