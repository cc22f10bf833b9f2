/** The agents behind guarded sessions: one for each folder, opened again when its settings have changed. */
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { loadWorkspace } from '../agent/workspace-context.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { LoadedConfig } from '../config/load.ts'
import { CONFIG_FILE, configHome, type Env, guardHome, homeIn, organisationFile } from '../config/places.ts'
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
  /** No further agent is opened. */
  shut(): void
  close(): Promise<void>
}

export function openGuardAgents(options: GuardOptions): GuardAgents {
  const { env = { ...process.env }, clock = systemClock } = options
  const home = homeIn(env, homedir())
  const data = options.data ?? guardHome(env, home)
  const agents = new Map<string, { settings: string; opening: Promise<Agent> }>()
  const opened: Promise<Agent>[] = []
  const openedWith = new WeakMap<Agent, string>()
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
    const opening = createAgent({ ...options, env, data, workspace, model: outsideModel('outside'), judging: true })
    opening.then(
      (agent) => openedWith.set(agent, settings),
      () => {},
    )
    agents.set(workspace, { settings, opening })
    opened.push(opening)
    // Tried again with the next call: the data folder may be usable then.
    opening.catch(() => agents.delete(workspace))
    return opening
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
    enterCall() {
      calls++
      return () => calls--
    },
    shut() {
      isShut = true
    },
    async close() {
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
